/** A disturbance that was never felt proves nothing: the trial was performed as if it did not exist. */
import { edgeOf } from '../kernel/edge-name.ts';
import type { AttemptView } from './attempt-view.ts';
import type { DisturbRecord } from './trial-record.ts';
import type { SuiteFault } from './verdict.ts';

export function judgeDisturbs(view: AttemptView): SuiteFault[] {
  if (view.ended?.end !== 'done') return [];
  return unfeltDisturbs(view).map(({ name, edge, what }) => {
    const unfit = view.unfit.find((event) => event.disturbance === name && edgeOf(event) === edge);
    if (unfit !== undefined) return { kind: 'unfit-shape', text: `\`${name}\` on ${edge}: ${unfit.what}` };
    const crossings = new Set(view.calls.filter((call) => call.edge === edge).map(({ number }) => number))
      .size;
    const passed = crossings === 0 ? 'nothing' : crossings === 1 ? 'one call' : `${crossings} calls`;
    return {
      kind: 'unfelt-disturbance',
      text: `\`${name}\` on ${edge} was not felt (${what}): ${passed} crossed that edge; change \`crossing\`, \`where\` or the place, or have the steps call more`,
    };
  });
}

export function unfeltDisturbs({ record, felt }: AttemptView): readonly DisturbRecord[] {
  return (record.disturbs ?? []).filter(
    ({ name, edge, times = 1 }) =>
      felt.filter((event) => event.disturbance === name && edgeOf(event) === edge).length < times,
  );
}
