/** A turn of a model on one line: what it said, which tools it called, how it ended, and what is wrong with it. */
import type { CallEvent } from '../../journal/call-event.ts';
import type { TurnEvidence } from '../../journal/turn-evidence.ts';
import { oneLineValue } from './fit-text.ts';

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

const mostBreaches = 3;

/** Rules that one of the two sides broke, one sentence each. */
export function formatBreaches({ turn, faults, from, to }: CallEvent): readonly string[] {
  const shown = [
    ...(faults ?? []).map(({ by, rule, what }) => `${by === 'provider' ? to : from} broke ${rule}: ${what}`),
    ...(turn?.faults ?? []).map(({ rule, what }) => `the turn broke ${rule}: ${what}`),
  ];
  const rest = shown.length > mostBreaches ? [`… and ${shown.length - mostBreaches} more rules`] : [];
  return [...shown.slice(0, mostBreaches), ...rest];
}
