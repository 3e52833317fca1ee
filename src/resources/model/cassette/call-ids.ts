/** The ids of tool calls in a history: some clients choose them anew in every run. Pure. */
import { isMap } from '../../../kernel/is-map.ts';

/** In their order. */
export function callIdsIn(messages: readonly unknown[]): readonly string[] {
  const ids: string[] = [];
  const note = (id: string): string => {
    ids.push(id);
    return id;
  };
  for (const message of messages) changed(message, note);
  return ids;
}

export function withoutCallIds(messages: readonly unknown[]): readonly unknown[] {
  return messages.map((message) => changed(message, () => '‹call›'));
}

/** A message, a block or a call, and those in it, by the name of its place; arguments and results may have the same names for something else. */
function changed(value: unknown, change: (id: string) => string, place = ''): unknown {
  if (Array.isArray(value))
    return value.map((inner) => (isMap(inner) ? changed(inner, change, place) : inner));
  if (!isMap(value)) return value;
  const isCall = ofCalls.has(place) || (typeof value.type === 'string' && callTypes.test(value.type));
  const entries = Object.entries(value).map(([name, inner]) => {
    if (typeof inner === 'string')
      return [name, idNames.has(name) || (name === 'id' && isCall) ? change(inner) : inner];
    return [name, places.has(name) ? changed(inner, change, name) : inner];
  });
  return Object.fromEntries(entries);
}

const idNames = new Set(['tool_call_id', 'tool_use_id', 'call_id']);
const ofCalls = new Set([
  'tool_calls',
  'functionCall',
  'functionResponse',
  'function_call',
  'function_response',
]);
const places = new Set([...ofCalls, 'content', 'parts']);
const callTypes = /(?:tool_use|_call)$/;
