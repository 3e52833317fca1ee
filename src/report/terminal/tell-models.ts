/** What is known of a call to a model beside what crossed the edge: the line of the script that answered, and what it cost. */
import type { CallEvent } from '../../journal/call-event.ts';
import type { AttemptEvent } from '../../journal/trial-event.ts';
import { type EventOf, eventsOf } from './attempt-parts.ts';
import { tellUsd } from './tell-cost.ts';
import { tellTurn } from './tell-turn.ts';

/** One line below the call; undefined for one that is no model's. */
export function modelTeller(
  events: readonly AttemptEvent[],
  columns: number,
): (call: CallEvent) => string | undefined {
  const played = eventsOf(events, 'model.called');
  return (call) => {
    // One that was given up may still be played when the next begins.
    const far = ({ startedAt }: EventOf<'model.called'>): number => Math.abs(startedAt - call.startedAt);
    const [known] = played.filter((event) => isOf(event, call)).toSorted((a, b) => far(a) - far(b));
    if (!known && !call.turn) return undefined;
    const parts = [
      ...(call.turn ? [tellTurn(call.turn, columns)] : []),
      ...(known ? [tellPrice(known)] : []),
      ...(known?.fault ? [known.fault.what] : []),
    ].filter((part) => part !== '');
    const line = known?.line === undefined ? '' : `line ${known.line}: `;
    return parts.length === 0 ? undefined : `${line}${parts.join(', ')}`;
  };
}

function isOf({ caller, resource, startedAt, endedAt }: EventOf<'model.called'>, call: CallEvent): boolean {
  return (
    call.from === caller && call.to === resource && call.startedAt <= endedAt && call.endedAt >= startedAt
  );
}

function tellPrice({ costUsd, usage, model }: EventOf<'model.called'>): string {
  if (costUsd !== null) return costUsd > 0 ? tellUsd(costUsd) : '';
  return usage ? `no price for ${model ?? 'its model'}` : '';
}
