/** What of a failed trial is shown first: its failing checks, where they looked, and who is to blame. */
import type { CheckVerdict, TrialVerdict } from '../../../checks/verdict.ts';
import { type AttemptEvent, type EventOf, eventsOf } from '../../../journal/trial-event.ts';
import { isMap } from '../../../kernel/is-map.ts';
import type { Marks } from '../evidence/json-view.tsx';
import type { Emphasis } from '../sequence/diagram-row.tsx';
import type { Item } from '../sequence/items.ts';
import { laneOf } from '../sequence/lanes.ts';

export function badChecks({ checks }: TrialVerdict): readonly CheckVerdict[] {
  const rank = ({ verdict }: CheckVerdict): number => ['failed', 'unstable', 'unknown'].indexOf(verdict);
  return checks.filter((check) => rank(check) >= 0).toSorted((a, b) => rank(a) - rank(b));
}

/** Where the observed value differs; paths of a check are those of its evidence. */
export function marksOf(check: CheckVerdict | undefined): Marks {
  return new Map((check?.mismatches ?? []).map(({ path, expected }) => [path, expected]));
}

/** A check or a step as the trial declares it. */
export function declarationOf(
  events: readonly AttemptEvent[],
  event: EventOf<'probe.sampled' | 'step.ended'>,
): unknown {
  const [started] = eventsOf(events, 'attempt.started');
  const trial = isMap(started?.trial) ? started.trial : {};
  const declared = eventsOf(events, 'check.declared').map(({ check }) => check);
  const lists = [trial.checks, trial.steps, declared].flatMap((list) =>
    Array.isArray(list) ? (list as unknown[]) : [],
  );
  const name = event.type === 'step.ended' ? event.step : event.probe;
  return lists.find((one) => isMap(one) && (one.id === name || one.name === name));
}

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
    theirs.find(({ kind, isBad }) => isBad && kind === 'process');
  return explaining?.seq ?? proof[0] ?? check?.evidence.at(-1) ?? theirs.find(({ isBad }) => isBad)?.seq;
}
