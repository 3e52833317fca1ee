/** Recognizes a JSON-RPC call by the beginning of a body that is not there as a whole. Pure. */
import { defined } from '../../kernel/defined.ts';
import { parseExactJson } from '../../kernel/exact-json.ts';
import { orElse } from '../../kernel/or-else.ts';
import { keyOf, type RpcCall } from './rpc-calls.ts';

const plain = /[^\s,:{}[\]"]+/y;
const space = /\s*/y;

const known = new Set(['jsonrpc', 'id', 'method', 'params']);

/** Undefined where it is not a call, is a batch, or has its method later. */
export function rpcBeginning(body: string): RpcCall | undefined {
  const seen = new Map<string, unknown>();
  for (const { name, value } of membersIn(body)) {
    if (!known.has(name)) return undefined;
    seen.set(name, value);
  }
  const method = seen.get('method');
  // Some write the version last: then a method with its parameters, and nothing that is foreign, has to do.
  const isRpc = seen.has('jsonrpc') ? seen.get('jsonrpc') === '2.0' : seen.has('params');
  if (typeof method !== 'string' || !isRpc) return undefined;
  return { method, isPartial: true, ...defined({ key: keyOf(seen.get('id')) }) };
}

const lastId = /"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/** The id of a message of which only the beginning and the end are there; undefined where neither shows it. */
export function idOfCut(beginning: string, end: string): unknown {
  for (const { name, value } of membersIn(beginning)) if (name === 'id') return value;
  const written = lastId.exec(end)?.[1];
  return written === undefined ? undefined : read(written);
}

/** Whether a message is an answer, by its beginning: what the other side asks has ids of its own. */
export function isAnswerBeginning(beginning: string): boolean {
  for (const { name } of membersIn(beginning)) if (name === 'result' || name === 'error') return true;
  return false;
}

interface Member {
  readonly name: string;
  /** Undefined for a list, a map, and what is not there as a whole. */
  readonly value: unknown;
}

/** The members of the outermost map, as far as the text goes. */
function* membersIn(body: string): Generator<Member> {
  let at = skip(space, body, 0);
  if (body[at] !== '{') return;
  do {
    at = skip(space, body, at + 1);
    const nameEnd = endOfText(body, at);
    const colon = skip(space, body, nameEnd);
    if (nameEnd === at || body[colon] !== ':') return;
    const name = read(body.slice(at, nameEnd));
    const valueAt = skip(space, body, colon + 1);
    const valueEnd = endOfValue(body, valueAt);
    if (typeof name !== 'string') return;
    yield { name, value: valueEnd < body.length ? read(body.slice(valueAt, valueEnd)) : undefined };
    at = skip(space, body, valueEnd);
  } while (body[at] === ',');
}

/** The end of the body when that comes first. */
function endOfValue(body: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < body.length) {
    const char = body[at] as string;
    if (char === '"') {
      const end = endOfText(body, at);
      if (end === at) return body.length;
      at = end;
    } else if (char === '{' || char === '[') {
      depth += 1;
      at += 1;
    } else if (char === '}' || char === ']') {
      depth -= 1;
      at += 1;
    } else if (depth > 0) at += 1;
    else return skip(plain, body, at);
    if (depth <= 0) return at;
  }
  return body.length;
}

/** Where it began if it is not text, or if its end is missing. */
function endOfText(body: string, from: number): number {
  if (body[from] !== '"') return from;
  for (let at = from + 1; at < body.length; at += 1) {
    if (body[at] === '\\') at += 1;
    else if (body[at] === '"') return at + 1;
  }
  return from;
}

function skip(what: RegExp, body: string, from: number): number {
  what.lastIndex = from;
  return what.test(body) ? what.lastIndex : from;
}

/** Lists and maps are not needed here. */
function read(part: string): unknown {
  // What is not JSON is not a call.
  return /^[{[]/.test(part) ? undefined : orElse(() => parseExactJson(part), undefined);
}
