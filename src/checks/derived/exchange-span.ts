/** When a step began and ended, on the clock of the calls: by its own calls where the edge is read, else by the two journals' clocks. */
import { outside } from '../../journal/topology.ts';
import type { AttemptView } from '../attempt-view.ts';

export interface ExchangeSpan {
  readonly beganAt: number;
  readonly endedAt: number;
  readonly seqs: readonly number[];
}

export function exchangeSpan(step: string, view: AttemptView): ExchangeSpan | undefined {
  const times = stepTimes(view);
  const own = times.find(({ name }) => name === step);
  if (!own) return undefined;
  const calls = view.calls.filter(
    ({ call }) => call.from === outside && stepOf(call.startedAt, call.endedAt, times)?.name === step,
  );
  if (calls.length === 0) return { beganAt: own.beganAt, endedAt: own.endedAt, seqs: [own.seq] };
  return {
    beganAt: Math.min(...calls.map(({ call }) => call.startedAt)),
    endedAt: Math.max(...calls.map(({ call }) => call.endedAt)),
    seqs: [own.seq, ...calls.map(({ seq }) => seq)],
  };
}

interface StepTime {
  readonly name: string;
  readonly seq: number;
  readonly beganAt: number;
  readonly endedAt: number;
}

function stepTimes({ events, steps, keeperAt }: AttemptView): readonly StepTime[] {
  return events.flatMap((event) => {
    const ended = event.type === 'step.started' ? steps.get(event.step) : undefined;
    if (event.type !== 'step.started' || !ended) return [];
    return [{ name: event.step, seq: ended.seq, beganAt: event.at + keeperAt, endedAt: ended.at + keeperAt }];
  });
}

/** The step during which most of a call happened; the two clocks may differ slightly. */
function stepOf(startedAt: number, endedAt: number, times: readonly StepTime[]): StepTime | undefined {
  const overlap = (step: StepTime): number =>
    Math.min(endedAt, step.endedAt) - Math.max(startedAt, step.beganAt);
  return times.reduce<StepTime | undefined>(
    (best, step) => (overlap(step) > (best ? overlap(best) : -slackMs) ? step : best),
    undefined,
  );
}

const slackMs = 20;
