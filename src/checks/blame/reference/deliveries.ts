/** What a store hands to a reader that has asked for whatever comes: piece by piece, because it may come in one answer or in several. */
import type { CallEvent } from '../../../journal/call-event.ts';
import { isMap } from '../../../kernel/is-map.ts';
import type { SeenCall } from '../../seen-call.ts';

/** Undefined for a call that asks for something of its own; none for one that got nothing. */
export function deliveriesOf({ call }: Pick<SeenCall, 'call'>): readonly unknown[] | undefined {
  const { protocol, method, result, params, error } = call;
  if (error !== undefined || call.response === undefined) return undefined;
  if (method === 'NOTIFICATION' || isMessage(call)) return [params ?? result ?? null];
  if (protocol === 'postgres' && isClaim(call) && isMap(result) && Array.isArray(result.rows))
    return result.rows;
  if (protocol !== 'resp') return undefined;
  if (method === 'XREAD' || method === 'XREADGROUP') return entriesIn(result);
  if (method === 'XAUTOCLAIM') return claimedIn(result);
  if (!takers.test(method)) return undefined;
  return isNothing(result) ? [] : [result];
}

const takers = /^(?:B?[LR]POP|BRPOPLPUSH|RPOPLPUSH|B?LMOVE|B?LMPOP|B?ZPOPM(?:IN|AX)|B?ZMPOP)$/;

/** The next job of a table, whichever it is: `SELECT … FOR UPDATE SKIP LOCKED`, `UPDATE … WHERE id = (SELECT … LIMIT 1) RETURNING …`. */
function isClaim({ statement = '' }: CallEvent): boolean {
  return /\bskip\s+locked\b|\b(?:update|delete)\b.*\blimit\b.*\breturning\b/is.test(statement);
}

function isMessage({ protocol, method }: CallEvent): boolean {
  return protocol === 'resp' && /^[PS]?MESSAGE$/.test(method);
}

/** Streams with their entries, as a list of pairs or as a map; what has another form counts as a whole. */
function entriesIn(result: unknown): readonly unknown[] {
  if (isNothing(result)) return [];
  const streams = isMap(result) ? Object.entries(result) : result;
  if (!Array.isArray(streams) || !streams.every(isStream)) return [result];
  return streams.flatMap(([key, entries]) => entries.map((entry) => ({ key, entry })));
}

/** After the place where to go on. */
function claimedIn(result: unknown): readonly unknown[] {
  const entries = Array.isArray(result) ? result[1] : undefined;
  return Array.isArray(entries) ? entries : [result];
}

function isStream(value: unknown): value is readonly [unknown, readonly unknown[]] {
  return Array.isArray(value) && value.length === 2 && Array.isArray(value[1]);
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}
