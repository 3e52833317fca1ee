/** A trial with less patience: what it waited for in the run tells how long it need wait while somebody lies. Pure. */
import type { AttemptView, EventOf } from '../../../checks/attempt-view.ts';
import type { CheckRecord } from '../../../checks/trial-record.ts';
import type { Trial } from '../../../trials/trial.ts';

const times = 3;
const leastMs = 500;
const leastWholeMs = 5_000;
/** A program has to be started before it can be lied to, and on a crowded machine that takes its time. */
const leastProgramMs = 2_000;

/** Never more than the trial itself allows. */
export function hurriedTrial(trial: Trial, view: AttemptView): Trial {
  const steps = stepTimes(view);
  const shorter = (ownMs: number, observedMs: number | undefined, least = leastMs): number =>
    observedMs === undefined ? ownMs : Math.min(ownMs, Math.max(times * observedMs, least));
  const hurriedCheck = (check: CheckRecord, name: string): CheckRecord =>
    check.withinMs === undefined
      ? check
      : { ...check, withinMs: shorter(check.withinMs, probedMs(view, name)) };
  const { record, timeoutMs } = trial;
  return {
    ...trial,
    timeoutMs: shorter(timeoutMs, view.ended?.durationMs, leastWholeMs),
    record: { ...record, checks: record.checks.map((check) => hurriedCheck(check, check.id)) },
    steps: trial.steps.map((step) => ({
      ...step,
      timeoutMs: shorter(
        step.timeoutMs,
        steps.get(step.name),
        step.kind === 'command' ? leastProgramMs : leastMs,
      ),
      ...(step.when ? { when: hurriedCheck(step.when, `when ${step.name}`) } : {}),
    })),
  };
}

function stepTimes({ events, steps }: AttemptView): ReadonlyMap<string, number> {
  const begun = events.filter((event): event is EventOf<'step.started'> => event.type === 'step.started');
  return new Map(
    begun.flatMap(({ step, at }) => {
      const ended = steps.get(step);
      return ended ? [[step, Math.max(0, ended.at - at)] as const] : [];
    }),
  );
}

/** From the first look to the one that held, which is the last. */
function probedMs({ probes }: AttemptView, name: string): number | undefined {
  const samples = probes.get(name)?.samples ?? [];
  const [first] = samples;
  const last = samples.at(-1);
  return first && last ? last.from - first.from : undefined;
}
