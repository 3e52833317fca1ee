/** What of a failed trial is shown first: its failing checks, where they looked, and who is to blame. */
import type { CheckVerdict, TrialVerdict } from '../../../checks/verdict.ts';
import { type AttemptEvent, eventsOf } from '../../../journal/trial-event.ts';
import { isMap } from '../../../kernel/is-map.ts';
import type { Marks } from '../evidence/json-view.tsx';

export function badChecks({ checks }: TrialVerdict): readonly CheckVerdict[] {
  const rank = ({ verdict }: CheckVerdict): number => ['failed', 'unstable', 'unknown'].indexOf(verdict);
  return checks.filter((check) => rank(check) >= 0).toSorted((a, b) => rank(a) - rank(b));
}

/** Where the observed value differs; paths of a check are those of its evidence. */
export function marksOf(check: CheckVerdict | undefined): Marks {
  return new Map((check?.mismatches ?? []).map(({ path, expected }) => [path, expected]));
}

/** A check or a step as the trial declares it. */
export function declarationOf(events: readonly AttemptEvent[], id: string): unknown {
  const [started] = eventsOf(events, 'attempt.started');
  const trial = isMap(started?.trial) ? started.trial : {};
  const declared = eventsOf(events, 'check.declared').map(({ check }) => check);
  const lists = [trial.checks, trial.steps, declared].flatMap((list) =>
    Array.isArray(list) ? (list as unknown[]) : [],
  );
  const name = id.replace(/^step /, '');
  return lists.find((one) => isMap(one) && (one.id === name || one.name === name));
}

/** The event to open first: what the check looked at last, or what proves the blame. */
export function firstEvidence(trial: TrialVerdict, check: CheckVerdict | undefined): number | undefined {
  return trial.blame?.evidence[0] ?? check?.evidence.at(-1);
}
