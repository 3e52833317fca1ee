/** What of a failed trial is shown first: its failing checks, where they looked, and who is to blame. */
import { type CheckVerdict, judgedBadly, type TrialVerdict } from '../../../checks/verdict.ts';
import type { Marks } from '../evidence/json-view.tsx';
import type { Item } from '../sequence/items.ts';
import { laneOf } from '../sequence/lanes.ts';
import type { Emphasis } from './attempt-story.ts';

/** What proves the blame, or is named as the cause, first. */
export function badChecks({ checks, blame, cause }: TrialVerdict): readonly CheckVerdict[] {
  const isLead = ({ id, evidence }: CheckVerdict): boolean =>
    cause?.text.startsWith(`${id}: `) || evidence.some((seq) => blame?.evidence.includes(seq));
  const rank = (check: CheckVerdict): number =>
    ['failed', 'unstable', 'unknown'].indexOf(check.verdict) * 2 + (isLead(check) ? 0 : 1);
  return checks.filter(({ verdict }) => judgedBadly(verdict)).toSorted((a, b) => rank(a) - rank(b));
}

/** Where the observed value differs; paths of a check are those of its evidence. */
export function marksOf(check: CheckVerdict | undefined): Marks {
  return new Map((check?.mismatches ?? []).map(({ path, expected }) => [path, expected]));
}

const ends = ['node.exited', 'node.failed'];

/** The event that explains most: what was done wrong, before what was not done, before what a check saw of it. */
export function firstToLookAt(
  { blame }: TrialVerdict,
  check: CheckVerdict | undefined,
  items: readonly Item[],
  { blamed, pairings }: Emphasis,
): number | undefined {
  const done = items.filter(({ kind }) => !['check', 'held', 'span'].includes(kind));
  const isTheirs = ({ from, to }: Item): boolean =>
    blamed.size === 0 || blamed.has(laneOf(from)) || blamed.has(laneOf(to));
  const proof = blame?.evidence ?? [];
  const proven = done.filter(({ seq }) => proof.includes(seq));
  const theirs = done.filter(isTheirs);
  const explaining =
    proven.find(({ isBad }) => isBad) ??
    proven.at(-1) ??
    theirs.find(({ seq, isBad }) => isBad && pairings.get(seq) === 'only-here') ??
    theirs.find(({ seq }) => pairings.get(seq) === 'only-here') ??
    theirs.find(({ seq }) => seq < 0) ??
    theirs.find(({ seq, isBad }) => isBad && check?.evidence.includes(seq)) ??
    theirs.find(({ event, isBad }) => isBad && ends.includes(event.type));
  return explaining?.seq ?? proof[0] ?? check?.evidence.at(-1) ?? theirs.find(({ isBad }) => isBad)?.seq;
}
