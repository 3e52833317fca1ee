/** A turn of a model on one line: what it said, which tools it called, how it ended, and what is wrong with it. */
import type { CallEvent } from '../../journal/call-event.ts';
import type { TurnEvidence } from '../../journal/turn-evidence.ts';
import { oneLineValue } from './one-line-value.ts';

const mostCalls = 3;

export function tellTurn(turn: TurnEvidence, room: number): string {
  const { text, reasoning, calls, stop, usage, error, complete } = turn;
  const parts = [
    ...(reasoning === undefined || reasoning === '' ? [] : ['thinks']),
    ...(text === '' ? [] : [`says ${oneLineValue(text, Math.min(room, 60))}`]),
    ...tellToolCalls(calls, room),
    ...(error ? [`fails: ${error.type}: ${error.message}`] : []),
    ...(complete || error ? [] : ['breaks off']),
    ...(stop === null || stop === 'end' || stop === 'tool-calls' ? [] : [`stops by ${stop}`]),
    ...(usage ? [`${usage.input} + ${usage.output} tokens`] : []),
  ];
  return parts.length === 0 ? 'says nothing' : parts.join(', ');
}

function tellToolCalls(calls: TurnEvidence['calls'], room: number): readonly string[] {
  const told = calls
    .slice(0, mostCalls)
    .map(({ name, arguments: given, argumentsText }) =>
      given === undefined
        ? `calls ${name} with half of its arguments: ${oneLineValue(argumentsText ?? '', Math.min(room, 40))}`
        : `calls ${name} ${oneLineValue(given, Math.min(room, 60))}`,
    );
  return calls.length > mostCalls ? [...told, `and calls ${calls.length - mostCalls} more`] : told;
}

const mostBreaches = 3;

/** Rules that one of the two broke, one sentence each. */
export function tellBreaches({ turn, faults, from, to }: CallEvent): readonly string[] {
  const told = [
    ...(faults ?? []).map(({ by, rule, what }) => `${by === 'provider' ? to : from} broke ${rule}: ${what}`),
    ...(turn?.faults ?? []).map(({ rule, what }) => `the turn broke ${rule}: ${what}`),
  ];
  const rest = told.length > mostBreaches ? [`… and ${told.length - mostBreaches} more rules`] : [];
  return [...told.slice(0, mostBreaches), ...rest];
}
