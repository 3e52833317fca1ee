/** Reads JSON-RPC messages from a text; what breaks a rule is told with the rule, never thrown. */
import { isMap, type JsonMap } from './is-map.ts';
import { isTooDeep, mostJsonLevels } from './json-depth.ts';
import type { Incoming, RpcError } from './message.ts';

const mostBatch = 1_000;
const shownChars = 120;

export interface ReadMessages {
  readonly messages: readonly Incoming[];
  /** Several messages came in one list, which only some versions of a protocol allow. */
  readonly isBatch: boolean;
}

export function readMessages(text: string): ReadMessages {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return one(broken('is no JSON', text));
  }
  if (isTooDeep(value)) return one(broken(`has more than ${mostJsonLevels} levels`, text));
  if (!Array.isArray(value)) return one(readMessage(value));
  if (value.length === 0) return { messages: [broken('is an empty list', text)], isBatch: true };
  const messages = value.slice(0, mostBatch).map(readMessage);
  if (value.length > mostBatch) messages.push(broken(`is a list of ${value.length} messages`, text));
  return { messages, isBatch: true };
}

function one(message: Incoming): ReadMessages {
  return { messages: [message], isBatch: false };
}

function broken(what: string, text: string): Incoming {
  const shown = text.length > shownChars ? `${text.slice(0, shownChars)}…` : text;
  return { kind: 'broken', why: `${what}: ${JSON.stringify(shown)}` };
}

function readMessage(value: unknown): Incoming {
  const bad = (what: string): Incoming => broken(what, JSON.stringify(value) ?? '');
  if (!isMap(value)) return bad('is no object');
  if (value.jsonrpc !== '2.0') return bad('does not say `jsonrpc: "2.0"`');
  if ('method' in value) return readCall(value, bad);
  return readAnswer(value, bad);
}

function readCall(value: JsonMap, bad: (what: string) => Incoming): Incoming {
  const { id, method, params } = value;
  if (typeof method !== 'string') return bad('has a method that is no text');
  const rest = params === undefined ? {} : { params };
  if (id === undefined) return { kind: 'notification', method, ...rest };
  if (!isId(id)) return bad('is a request whose id is neither text nor a whole number');
  return { kind: 'request', id, method, ...rest };
}

function readAnswer(value: JsonMap, bad: (what: string) => Incoming): Incoming {
  const { id = null, result, error } = value;
  if (id !== null && !isId(id)) return bad('has an id that is neither text nor a whole number');
  if (result !== undefined && error !== undefined) return bad('has a result and an error');
  if (result !== undefined) return { kind: 'result', id, result };
  if (error === undefined) return bad('has neither a method, nor a result, nor an error');
  if (!isRpcError(error)) return bad('has an error without a whole-number code and a message');
  return { kind: 'error', id, error };
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || Number.isInteger(id);
}

function isRpcError(error: unknown): error is RpcError {
  return isMap(error) && Number.isInteger(error.code) && typeof error.message === 'string';
}
