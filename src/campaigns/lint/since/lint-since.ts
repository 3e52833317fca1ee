/** What changed since a revision: a boundary whose code changed needs a trial and a contract that changed with it. */
import { isDeepStrictEqual } from 'node:util';
import type { LintFinding } from '../../../checks/lint-finding.ts';
import { Problem } from '../../../kernel/problem.ts';
import { type BoundariesDocument, boundariesDocument } from '../../../system/document/boundaries-document.ts';
import type { System } from '../../../system/system.ts';
import type { Trial } from '../../../trials/trial.ts';
import { folderMatcher } from '../matching-globs.ts';
import { slashed } from '../place-of-part.ts';
import {
  type Boundary,
  type BoundaryRegistry,
  registryNoun,
  trialsOf,
} from '../registry/boundary-registry.ts';
import { parseDocument } from '../registry/read-document.ts';
import { type GitHistory, openHistory } from './git-history.ts';

export interface SinceLint {
  readonly findings: readonly LintFinding[];
  /** Boundaries whose sources changed. */
  readonly changed: readonly string[];
}

export async function lintSince(
  revision: string,
  system: System,
  registry: BoundaryRegistry | undefined,
  trials: readonly Trial[],
): Promise<SinceLint> {
  if (!registry) throw noRegistry(system, revision);
  const history = await openHistory(system.folder, revision);
  const then = await registryThen(history, registry, revision);
  const { boundaries } = registry;
  const changed = boundaries.flatMap((boundary) => {
    const files = changedSources(boundary, history);
    return files.length === 0 ? [] : [{ boundary, files }];
  });
  return {
    changed: changed.map(({ boundary }) => boundary.id),
    findings: changed.flatMap(({ boundary, files }) => [
      ...withoutTrial(boundary, files, revision, trials, history),
      ...withoutNote(boundary, files, revision, then),
    ]),
  };
}

function changedSources({ written }: Boundary, { changed }: GitHistory): readonly string[] {
  const matchers = (written.sources ?? []).map(folderMatcher);
  return changed.filter((file) => matchers.some((matches) => matches(file)));
}

function withoutTrial(
  boundary: Boundary,
  files: readonly string[],
  revision: string,
  trials: readonly Trial[],
  { changed }: GitHistory,
): readonly LintFinding[] {
  const own = [...new Set(trialsOf(boundary, trials).map(({ record }) => slashed(record.file)))];
  if (own.some((file) => changed.includes(file))) return [];
  return [
    {
      kind: 'changed-without-trial',
      level: 'finding',
      ...boundary.place(),
      text: `\`${boundary.id}\` changed since ${revision} (${shown(files)}), and ${
        own.length === 0 ? 'no trial belongs to it' : 'none of its trials did'
      }`,
      why: 'what is new at a boundary is tried by nobody until a trial says what it must do',
      next:
        own.length === 0
          ? `write one that says \`attacks: { boundary: ${boundary.id}, tier: … }\``
          : `say it in one of its trials (${shown(own)}), or in a new one`,
    },
  ];
}

function withoutNote(
  boundary: Boundary,
  files: readonly string[],
  revision: string,
  then: ReadonlyMap<string, unknown>,
): readonly LintFinding[] {
  if (!isDeepStrictEqual(then.get(boundary.id), boundary.written)) return [];
  return [
    {
      kind: 'changed-without-note',
      level: 'finding',
      ...boundary.place(),
      text: `\`${boundary.id}\` changed since ${revision} (${shown(files)}), and its entry in the registry did not`,
      why: 'the contract is what the next reader relies on: either it changed, or somebody looked and says that it did not',
      next: 'say in `bounded`, `unbounded`, `invalid` or `valid` what is different now, or that it is not',
    },
  ];
}

/** Entries by id as they were; none where there was no registry. */
async function registryThen(
  history: GitHistory,
  { file }: BoundaryRegistry,
  revision: string,
): Promise<ReadonlyMap<string, unknown>> {
  const text = await history.textThen(file);
  if (text === undefined) return new Map();
  try {
    const { document } = parseDocument<BoundariesDocument>(file, text, boundariesDocument, registryNoun);
    return new Map(document.boundaries.map((entry) => [entry.id, entry]));
  } catch (error) {
    throw new Problem({
      code: 'config.syntax',
      where: `${file} at ${revision}`,
      what: `the registry of that revision cannot be read, so that nobody knows what changed: ${error instanceof Error ? error.message : String(error)}`,
      allowed: 'a revision whose registry of boundaries is well-formed',
      next: 'compare with a revision in which it is, or lint without --since',
      cause: error,
    });
  }
}

function noRegistry({ file }: System, revision: string): Problem {
  return new Problem({
    code: 'usage.bad-value',
    where: `--since ${revision}`,
    what: 'the config names no registry of boundaries, so that no change can be held against one',
    allowed: `\`boundaries: shakedown/boundaries.yaml\` in ${file}`,
    next: 'register the boundaries of the system: docs/guides/lint.md',
  });
}

const mostShown = 3;

function shown(files: readonly string[]): string {
  const rest = files.length - mostShown;
  return `${files.slice(0, mostShown).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
