/** Details of a model call beside its traffic: the script line that answered, and its cost. */
import { isDeepStrictEqual } from 'node:util';
import type { CallEvent } from '../../journal/call-event.ts';
import { isModelCall } from '../../journal/is-model-call.ts';
import type { AttemptEvent } from '../../journal/trial-event.ts';
import { type EventOf, eventsOf } from './attempt-parts.ts';
import { formatUsd } from './format-cost.ts';
import { formatTurn } from './format-turn.ts';

/** One line below the call; undefined if it is not a call to a model. */
export function modelFormatter(
  events: readonly AttemptEvent[],
  columns: number,
): (call: CallEvent) => string | undefined {
  const played = eventsOf(events, 'model.called');
  return (call) => {
    // An abandoned call may still be played when the next begins.
    const far = ({ startedAt }: EventOf<'model.called'>): number => Math.abs(startedAt - call.startedAt);
    const other = ({ usage }: EventOf<'model.called'>): number =>
      isDeepStrictEqual(usage, call.turn?.usage ?? null) ? 0 : 1;
    const [known] = played
      .filter((event) => isModelCall(event, call))
      .toSorted((a, b) => other(a) - other(b) || far(a) - far(b));
    if (!known && !call.turn) return undefined;
    const parts = [
      ...(call.turn ? [formatTurn(call.turn, columns)] : []),
      ...(known ? [formatPrice(known)] : []),
      ...(known?.fault ? [known.fault.what] : []),
    ].filter((part) => part !== '');
    const line = known?.line === undefined ? '' : `line ${known.line}: `;
    return parts.length === 0 ? undefined : `${line}${parts.join(', ')}`;
  };
}

function formatPrice({ costUsd, usage, model }: EventOf<'model.called'>): string {
  if (costUsd !== null) return costUsd > 0 ? formatUsd(costUsd) : '';
  return usage ? `no price for ${model ?? 'its model'}` : '';
}
