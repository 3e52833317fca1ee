/** Reads the templates of a program's files, so that their references can be checked before anything starts. */
import { dirname, relative, resolve } from 'node:path';
import { Problem, problemsIn } from '../kernel/problem.ts';
import { positionAt } from '../kernel/source-position.ts';
import type { FileDocument } from './document/program-document.ts';
import type { TemplateDraft } from './program-draft.ts';
import { fillIn } from './roster/fill-in.ts';
import type { ConfigSource } from './source/config-source.ts';
import type { DocumentPath } from './source/document-path.ts';
import { readText } from './source/read-text.ts';

export interface TemplateOwner {
  /** The path of the program in the config. */
  readonly path: DocumentPath;
  readonly files: Readonly<Record<string, FileDocument>>;
  /** The manifest, when the program is a member of a roster. */
  readonly it?: Readonly<Record<string, unknown>>;
}

export interface ReadTemplates {
  readonly templates: readonly TemplateDraft[];
  readonly problems: readonly Problem[];
}

export async function readTemplates(owner: TemplateOwner, source: ConfigSource): Promise<ReadTemplates> {
  const templates: TemplateDraft[] = [];
  const problems: Problem[] = [];
  for (const [to, file] of Object.entries(owner.files)) {
    if (file.template === undefined) {
      templates.push({ to, written: file.text ?? '', text: file.text ?? '' });
      continue;
    }
    try {
      const namedAt = () => source.valuePosition([...owner.path, 'files', to, 'template']);
      const path = resolve(dirname(source.file), file.template);
      const text = await readText(path, {
        noun: 'template',
        absent: 'template.not-found',
        unreadable: 'template.broken',
        namedAt,
      });
      const filled = owner.it ? fillTemplate(path, text, owner.it, source) : { text, problems: [] };
      templates.push({ to, file: path, written: text, text: filled.text });
      problems.push(...filled.problems);
    } catch (error) {
      problems.push(...problemsIn(error));
    }
  }
  return { templates, problems };
}

function fillTemplate(
  file: string,
  text: string,
  it: Readonly<Record<string, unknown>>,
  source: ConfigSource,
): { text: string; problems: Problem[] } {
  const filled = fillIn(text, it, true);
  const manifest = relative(dirname(source.file), String(it.file));
  const problems = filled.gaps.map(
    ({ reference, what, allowed, next }) =>
      new Problem({
        code: 'config.unknown-variable',
        where: positionAt(file, text, reference.offset, reference.length),
        what: `\`\${${reference.reference}}\`: ${what} in ${manifest}`,
        allowed,
        next,
      }),
  );
  return { text: filled.text, problems };
}
