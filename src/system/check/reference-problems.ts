/** Checks every `${…}` of a system: in its programs, their templates and its resources. */
import { Problem } from '../../kernel/problem.ts';
import { isReference, parseReferences, type ReferencePart } from '../../kernel/references.ts';
import { positionAt, type SourcePosition } from '../../kernel/source-position.ts';
import { resourceKind } from '../../kinds/resource-kinds.ts';
import { isContainer } from '../build/build-container.ts';
import type { SystemDocument } from '../document/system-document.ts';
import type { ProgramDraft } from '../program-draft.ts';
import type { ConfigSource } from '../source/config-source.ts';
import { type DocumentPath, formatPath } from '../source/document-path.ts';
import type { KnownNames } from './known-names.ts';
import { programTexts } from './program-texts.ts';
import { type ReferenceFault, referenceFault } from './reference-fault.ts';

export interface ReferenceCheck {
  readonly document: SystemDocument;
  readonly drafts: readonly ProgramDraft[];
  readonly known: KnownNames;
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  readonly source: ConfigSource;
}

export function referenceProblems(check: ReferenceCheck): Problem[] {
  return [
    ...resourceProblems(check),
    ...matrixProblems(check),
    ...check.drafts.flatMap((draft) => [...programProblems(draft, check), ...templateProblems(draft, check)]),
  ];
}

/** The resources that a program refers to, whether or not it names them in `after`. */
export function referredResources(draft: ProgramDraft, known: KnownNames): string[] {
  const texts = programTexts(draft.document).filter(({ role }) => role === 'start' || role === 'ready');
  const all = [...texts.map(({ text }) => text), ...draft.templates.map(({ written }) => written)];
  const heads = all
    .flatMap((text) => parseReferences(text).filter(isReference))
    .map(({ path }) => path[0] ?? '');
  const mounts = [...(draft.document.mounts ?? []), ...(draft.compose?.container.mounts ?? [])];
  const volumes = mounts.flatMap((mount) =>
    'volume' in mount ? [mount.volume] : 'name' in mount && mount.name !== undefined ? [mount.name] : [],
  );
  return [...known.resources.keys()].filter(
    (resource) =>
      heads.includes(resource) || (known.resources.get(resource) === 'volume' && volumes.includes(resource)),
  );
}

function resourceProblems({ document, known, hostEnv, source }: ReferenceCheck): Problem[] {
  return Object.entries(document.resources ?? {}).flatMap(([name, resource]) => {
    const { address, upstreams, callbacks } = resourceKind(resource);
    const calls = callbacks?.(resource) ?? [];
    return [...(address?.(resource) ?? []), ...calls, ...(upstreams?.(resource) ?? [])].flatMap((one) => {
      const { path, text } = one;
      // It may name services where it calls them.
      const user = calls.includes(one) ? { user: { kind: 'job', name } as const } : {};
      return faultsIn(text, (part) => referenceFault(part, { known, hostEnv, role: 'start', ...user })).map(
        ({ part, fault }) => toProblem(fault, partPosition(source, ['resources', name, ...path], text, part)),
      );
    });
  });
}

/** A value of the matrix is passed on as written. */
function matrixProblems({ document, source }: ReferenceCheck): Problem[] {
  return Object.entries(document.matrix ?? {}).flatMap(([name, values]) =>
    values.flatMap((value, index) =>
      faultsIn(String(value), (part) => ({
        what: `\`\${${part.reference}}\` cannot be used here: nothing is filled in`,
        allowed: 'plain values; references in run, cwd, env, files and ready.command',
        next: 'use a plain name as the value, and write the references next to `${matrix.NAME}`',
      })).map(({ part, fault }) =>
        toProblem(fault, partPosition(source, ['matrix', name, index], String(value), part)),
      ),
    ),
  );
}

function programProblems(draft: ProgramDraft, { known, hostEnv, source }: ReferenceCheck): Problem[] {
  return programTexts(draft.document).flatMap(({ path, text, role }) => {
    const full = [...draft.path, ...path];
    const inPlace = (): string => (source.knows(full) ? '' : `, in \`${formatPath(full)}\``);
    const scope = { known, hostEnv, user: draft, role, isBoxed: isContainer(draft.document) };
    return faultsIn(text, (part) => referenceFault(part, scope)).map(({ part, fault }) =>
      toProblem({ ...fault, what: fault.what + inPlace() }, partPosition(source, full, text, part)),
    );
  });
}

/** References to a manifest were checked when they were filled in. */
function templateProblems(draft: ProgramDraft, { known, hostEnv }: ReferenceCheck): Problem[] {
  const isMember = draft.kind === 'service' && draft.member !== undefined;
  const judge = (part: ReferencePart): ReferenceFault | undefined =>
    isMember && part.path[0] === 'it'
      ? undefined
      : referenceFault(part, {
          known,
          hostEnv,
          user: draft,
          role: 'start',
          isBoxed: isContainer(draft.document),
        });
  return draft.templates.flatMap(({ file, written }) => {
    if (file === undefined) return [];
    return faultsIn(written, judge).map(({ part, fault }) =>
      toProblem(fault, positionAt(file, written, part.offset, part.length)),
    );
  });
}

interface Faulty {
  readonly part: ReferencePart;
  readonly fault: ReferenceFault;
}

function faultsIn(text: string, judge: (part: ReferencePart) => ReferenceFault | undefined): Faulty[] {
  return parseReferences(text)
    .filter(isReference)
    .flatMap((part) => {
      const fault = judge(part);
      return fault ? [{ part, fault }] : [];
    });
}

/** The text in the file may be quoted, escaped or made by `ref()`, so the reference is looked up by its own words. */
function partPosition(
  source: ConfigSource,
  path: DocumentPath,
  text: string,
  part: ReferencePart,
): SourcePosition {
  const written = text.slice(part.offset, part.offset + part.length);
  const occurrence = text.slice(0, part.offset).split(written).length - 1;
  return source.partPosition(path, [written, part.reference], occurrence);
}

function toProblem(fault: ReferenceFault, where: SourcePosition): Problem {
  return new Problem({ code: 'config.unknown-variable', where, ...fault });
}
