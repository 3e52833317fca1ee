/** Checks every `${…}` of a system: in its programs, their templates and its resources. */
import { Problem } from '../../kernel/problem.ts';
import { isReference, parseReferences, type ReferencePart } from '../../kernel/references.ts';
import { positionAt, type SourcePosition } from '../../kernel/source-position.ts';
import type { ResourceDocument } from '../document/resource-documents.ts';
import type { SystemDocument } from '../document/system-document.ts';
import type { ProgramDraft } from '../program-draft.ts';
import { programTexts } from '../program-texts.ts';
import type { ConfigSource } from '../source/config-source.ts';
import { type DocumentPath, formatPath } from '../source/document-path.ts';
import type { KnownNames } from './known-names.ts';
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
  return [...known.resources.keys()].filter((resource) => heads.includes(resource));
}

function resourceProblems({ document, known, hostEnv, source }: ReferenceCheck): Problem[] {
  return Object.entries(document.resources ?? {}).flatMap(([name, resource]) =>
    resourceTexts(resource).flatMap(({ path, text, callsServices }) => {
      const user = callsServices ? { user: { kind: 'job', name } as const } : {};
      return faultsIn(text, (part) => referenceFault(part, { known, hostEnv, role: 'start', ...user })).map(
        ({ part, fault }) => toProblem(fault, partPosition(source, ['resources', name, ...path], text, part)),
      );
    }),
  );
}

/** A value of the matrix is handed on as it is written. */
function matrixProblems({ document, source }: ReferenceCheck): Problem[] {
  return Object.entries(document.matrix ?? {}).flatMap(([name, values]) =>
    values.flatMap((value, index) =>
      faultsIn(String(value), (part) => ({
        what: `\`\${${part.reference}}\` stands where nothing is filled in`,
        allowed: 'plain values; references in run, cwd, env, files and ready.command',
        next: 'let the value be a name, and write the references where `${matrix.NAME}` stands beside them',
      })).map(({ part, fault }) =>
        toProblem(fault, partPosition(source, ['matrix', name, index], String(value), part)),
      ),
    ),
  );
}

interface ResourceText {
  readonly path: DocumentPath;
  readonly text: string;
  /** It may name services, because the resource calls them. */
  readonly callsServices: boolean;
}

function resourceTexts(resource: ResourceDocument): ResourceText[] {
  if (resource.kind === 'postgres')
    return resource.url === undefined ? [] : [{ path: ['url'], text: resource.url, callsServices: false }];
  if (resource.kind === 'model')
    return Object.entries(resource.upstreams ?? {}).flatMap(([name, upstream]) =>
      upstream ? [{ path: ['upstreams', name, 'url'], text: upstream.url, callsServices: false }] : [],
    );
  if (resource.kind === 'http')
    return [
      ...Object.entries(resource.callbacks ?? {}).map(([name, text]) => ({
        path: ['callbacks', name],
        text,
        callsServices: true,
      })),
      ...(resource.upstream
        ? [{ path: ['upstream', 'url'], text: resource.upstream.url, callsServices: false }]
        : []),
    ];
  return [];
}

function programProblems(draft: ProgramDraft, { known, hostEnv, source }: ReferenceCheck): Problem[] {
  return programTexts(draft.document).flatMap(({ path, text, role }) => {
    const full = [...draft.path, ...path];
    const inPlace = (): string => (source.knows(full) ? '' : `, in \`${formatPath(full)}\``);
    return faultsIn(text, (part) => referenceFault(part, { known, hostEnv, user: draft, role })).map(
      ({ part, fault }) =>
        toProblem({ ...fault, what: fault.what + inPlace() }, partPosition(source, full, text, part)),
    );
  });
}

/** What a manifest was to fill in has been checked when it was filled in. */
function templateProblems(draft: ProgramDraft, { known, hostEnv }: ReferenceCheck): Problem[] {
  const isMember = draft.kind === 'service' && draft.member !== undefined;
  const judge = (part: ReferencePart): ReferenceFault | undefined =>
    isMember && part.path[0] === 'it'
      ? undefined
      : referenceFault(part, { known, hostEnv, user: draft, role: 'start' });
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
