/** A trial with shorter waits: how long it waited in the run bounds how long it must wait under a mutant. Pure. */
import type { AttemptView } from '../../../checks/attempt-view.ts';
import type { CheckRecord } from '../../../checks/trial-record.ts';
import { eventsOf } from '../../../journal/trial-event.ts';
import { limits } from '../../../kernel/limits.ts';
import { stepKind } from '../../../kinds/step-kinds.ts';
import type { Trial } from '../../../trials/trial.ts';

const times = 3;
const leastMs = 500;
const leastWholeMs = 5_000;
/** A program must start before it can meet a mutant, which takes time on a loaded machine. */
const leastProgramMs = 2_000;

/** Never more than the trial itself allows. `slowness` is that of the machine now: on a busy one all takes longer than in the run. */
export function shortenedTrial(trial: Trial, view: AttemptView, slowness = 1): Trial {
  const steps = stepTimes(view);
  const shorter = (ownMs: number, observedMs: number | undefined, least = leastMs): number =>
    observedMs === undefined ? ownMs : Math.min(ownMs, slowness * Math.max(times * observedMs, least));
  const shortenedCheck = (check: CheckRecord, name: string): CheckRecord =>
    check.withinMs === undefined
      ? check
      : { ...check, withinMs: shorter(check.withinMs, probedMs(view, name)) };
  const { record, timeoutMs } = trial;
  return {
    ...trial,
    timeoutMs: shorter(timeoutMs, view.ended?.durationMs, leastWholeMs),
    unusedLineMs: shorter(limits.unusedLineMs, lateMs(trial, view), 0),
    record: { ...record, checks: record.checks.map((check) => shortenedCheck(check, check.id)) },
    steps: trial.steps.map((step) => ({
      ...step,
      timeoutMs: shorter(
        step.timeoutMs,
        steps.get(step.name),
        stepKind(step.kind).startsProgram ? leastProgramMs : leastMs,
      ),
      ...(step.when ? { when: shortenedCheck(step.when, `when ${step.name}`) } : {}),
    })),
  };
}

function stepTimes({ events, steps }: AttemptView): ReadonlyMap<string, number> {
  return new Map(
    eventsOf(events, 'step.started').flatMap(({ step, at }) => {
      const ended = steps.get(step);
      return ended ? [[step, Math.max(0, ended.at - at)] as const] : [];
    }),
  );
}

/** How much longer than the settle time it took to become quiet, because of a line that was used late, say. */
function lateMs({ settleMs }: Trial, { events }: AttemptView): number {
  return Math.max(0, ...eventsOf(events, 'quiet').map(({ waitedMs }) => waitedMs - settleMs));
}

/** From the first sample to the one that held, which is the last. */
function probedMs({ probes }: AttemptView, name: string): number | undefined {
  const samples = probes.get(name)?.samples ?? [];
  const [first] = samples;
  const last = samples.at(-1);
  return first && last ? last.from - first.from : undefined;
}
