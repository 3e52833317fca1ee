/** Reads JSON-RPC messages from a text; a violation is reported with its rule, never thrown. */
import { cutText } from '../../kernel/cut-text.ts';
import { parseExactJson } from '../../kernel/exact-json.ts';
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { hasKeyTwice } from '../../kernel/strict-json.ts';
import { isTooDeep, mostJsonLevels } from './json-depth.ts';
import type { BrokenMessage, Incoming, RpcError } from './message.ts';

const mostBatch = 1_000;
const shownChars = 120;

export interface ReadMessages {
  readonly messages: readonly Incoming[];
  /** Several messages came in one list, which only some versions of a protocol allow. */
  readonly isBatch: boolean;
}

/** `strict` is for answers that are evidence: a key that is there twice means one thing to this reader, another to that. */
export function readMessages(text: string, strict?: 'strict'): ReadMessages {
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch {
    return one(broken('not-json', 'is not JSON', text));
  }
  if (isTooDeep(value)) return one(broken('too-deep', `has more than ${mostJsonLevels} levels`, text));
  if (strict && hasKeyTwice(text, value))
    return one(broken('not-json', 'has the same key twice in a map', text));
  return messagesOf(value);
}

/** From a value that was parsed already, and is not nested too deep. */
export function messagesOf(value: unknown): ReadMessages {
  if (!Array.isArray(value)) return one(readMessage(value));
  if (value.length === 0)
    return { messages: [broken('empty-batch', 'is an empty list', '[]')], isBatch: true };
  const messages = value.slice(0, mostBatch).map(readMessage);
  if (value.length > mostBatch)
    messages.push(broken('too-many', `is a list of ${value.length} messages`, ''));
  return { messages, isBatch: true };
}

function one(message: Incoming): ReadMessages {
  return { messages: [message], isBatch: false };
}

function broken(rule: BrokenMessage, what: string, text: string): Incoming {
  const shown = cutText(text, shownChars);
  return { kind: 'broken', rule, why: `${what}: ${JSON.stringify(shown)}` };
}

type Bad = (rule: BrokenMessage, what: string) => Incoming;

function readMessage(value: unknown): Incoming {
  const bad: Bad = (rule, what) => broken(rule, what, JSON.stringify(value) ?? '');
  if (!isMap(value)) return bad('not-object', 'is not an object');
  if (value.jsonrpc !== '2.0') return bad('version', 'does not say `jsonrpc: "2.0"`');
  if ('method' in value) return readCall(value, bad);
  return readAnswer(value, bad);
}

function readCall(value: JsonMap, bad: Bad): Incoming {
  const { id, method, params } = value;
  if (typeof method !== 'string') return bad('method', 'has a method that is not a string');
  const rest = params === undefined ? {} : { params };
  if (id === undefined) return { kind: 'notification', method, ...rest };
  if (!isId(id)) return bad('id', 'is a request whose id is neither text nor a whole number');
  return { kind: 'request', id, method, ...rest };
}

function readAnswer(value: JsonMap, bad: Bad): Incoming {
  const { id = null, result, error } = value;
  if (id !== null && !isId(id)) return bad('id', 'has an id that is neither text nor a whole number');
  if (result !== undefined && error !== undefined) return bad('result-or-error', 'has a result and an error');
  if (result !== undefined) return { kind: 'result', id, result };
  if (error === undefined) return bad('result-or-error', 'has neither a method, nor a result, nor an error');
  if (!isRpcError(error)) return bad('error', 'has an error without a whole-number code and a message');
  return { kind: 'error', id, error };
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || Number.isInteger(id);
}

function isRpcError(error: unknown): error is RpcError {
  return isMap(error) && Number.isInteger(error.code) && typeof error.message === 'string';
}
