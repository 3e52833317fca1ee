/** Reads a YAML file of requirements, strictly, with the place of every entry. */
import path from 'node:path';
import { defined } from '../kernel/defined.ts';
import { parseDocument } from '../system/check/parse-document.ts';
import { normalPriority } from './priority.ts';
import type { PlacedRequirement, Requirement, SourceLink } from './requirement.ts';
import { type RequirementsDocument, requirementsDocument } from './requirement-document.ts';

/** `folder` is that of the config; `file` is absolute. */
export function readYamlRequirements(file: string, text: string, folder: string): PlacedRequirement[] {
  const { document, source } = parseDocument<RequirementsDocument>(
    file,
    text,
    requirementsDocument,
    'file of requirements',
    'requirement.syntax',
  );
  const isList = Array.isArray(document);
  return (isList ? document : document.requirements).map((entry, index) => {
    const at = isList ? [index] : ['requirements', index];
    const place = { file: source.file, line: source.keyLine([...at, 'id']), folder };
    const priority = normalPriority(entry.priority ?? '');
    return {
      requirement: toRequirement({ ...entry, text: entry.text.trim(), priority }, place),
      whereIs: (part) =>
        source.valuePosition(part === 'id' ? [...at, 'id'] : [...at, 'dependsOn', part.dependsOn]),
    };
  });
}

/** As a document of any form says it. */
type WrittenRequirement = Pick<Requirement, 'id' | 'text'> & {
  readonly [Key in 'title' | 'priority' | 'method' | 'antiPattern' | 'source' | 'failPathFrom']?:
    | string
    | undefined;
} & {
  readonly failPath?: boolean | undefined;
  readonly deferred?: { readonly reason: string; readonly until?: string | undefined } | undefined;
  readonly dependsOn?: readonly string[] | undefined;
};

export function toRequirement(
  written: WrittenRequirement,
  { file, line, folder }: { readonly file: string; readonly line: number; readonly folder: string },
): Requirement {
  const { id, title, text, priority, failPath, failPathFrom, source, deferred, dependsOn } = written;
  return defined({
    id,
    title,
    text,
    priority,
    failPath: failPath ?? false,
    failPathFrom,
    source: source === undefined ? undefined : sourceLink(source, path.dirname(file), folder),
    deferred: deferred && defined({ reason: deferred.reason, until: deferred.until }),
    dependsOn: dependsOn ?? [],
    method: written.method,
    antiPattern: written.antiPattern,
    file: path.relative(folder, file),
    line,
  });
}

/** `spec.md#section`, `spec.md:Heading`, or a file alone; relative to the file in which it is written. */
export function sourceLink(written: string, from: string, folder: string): SourceLink {
  const [, file = written, section] = /^([^#]*?\.[\w-]+)(?:#|:\s*)(.+)$/s.exec(written) ?? [];
  return {
    file: path.relative(folder, path.resolve(from, file.trim())),
    ...defined({ section: section?.trim() }),
  };
}
