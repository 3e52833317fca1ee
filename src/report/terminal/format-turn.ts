/** A turn of a model on one line: what it said, which tools it called, how it ended, and what is wrong with it. */

import { isDeepStrictEqual } from 'node:util';
import type { CallEvent } from '../../journal/call-event.ts';
import { isModelCall } from '../../journal/is-model-call.ts';
import { type AttemptEvent, type EventOf, eventsOf } from '../../journal/trial-event.ts';
import type { TurnEvidence } from '../../journal/turn-evidence.ts';
import { oneLineValue } from './fit-text.ts';
import { formatUsd } from './format-cost.ts';

const mostCalls = 3;

export function formatTurn(turn: TurnEvidence, room: number): string {
  const { text, reasoning, calls, stop, usage, error, complete } = turn;
  const parts = [
    ...(reasoning === undefined || reasoning === '' ? [] : ['thinks']),
    ...(text === '' ? [] : [`says ${oneLineValue(text, Math.min(room, 60))}`]),
    ...formatToolCalls(calls, room),
    ...(error ? [`fails: ${error.type}: ${error.message}`] : []),
    ...(complete || error ? [] : ['incomplete']),
    ...(stop === null || stop === 'end' || stop === 'tool-calls' ? [] : [`stops by ${stop}`]),
    ...(usage ? [`${usage.input} + ${usage.output} tokens`] : []),
  ];
  return parts.length === 0 ? 'says nothing' : parts.join(', ');
}

function formatToolCalls(calls: TurnEvidence['calls'], room: number): readonly string[] {
  const shown = calls
    .slice(0, mostCalls)
    .map(({ name, arguments: given, argumentsText }) =>
      given === undefined
        ? `calls ${name} with incomplete arguments: ${oneLineValue(argumentsText ?? '', Math.min(room, 40))}`
        : `calls ${name} ${oneLineValue(given, Math.min(room, 60))}`,
    );
  return calls.length > mostCalls ? [...shown, `and calls ${calls.length - mostCalls} more`] : shown;
}

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
