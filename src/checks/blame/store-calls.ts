/** Statements and commands as blame sees them: what they are about, and whether the store itself failed. Pure. */
import { type CallEvent, isStoreCall } from '../../journal/call-event.ts';
import { isMap } from '../../kernel/is-map.ts';
import type { SeenCall } from '../seen-call.ts';
import { withoutDrawn } from './reference/compare-values.ts';

/** The tables of a statement, or the key of a command without its ids; undefined for any other call. */
export function subjectsOf(call: CallEvent): readonly string[] | undefined {
  if (!isStoreCall(call)) return undefined;
  return call.protocol === 'postgres' ? tablesIn(call.statement ?? '') : [withoutDrawn(call.path)];
}

/** Without schema and quotes; a name that is none, as in a subquery, does no harm. */
export function tablesIn(statement: string): readonly string[] {
  const lists = statement.matchAll(
    /\b(?:from|join|into|update|table|only|copy|truncate|using)\s+([\w."]+(?:(?:\s+(?:as\s+)?\w+)?\s*,\s*[\w."]+)*)/gi,
  );
  const names = [...lists].flatMap(([, list = '']) => list.split(','));
  return [...new Set(names.map((name) => plainName(name.trim().split(/\s/, 1)[0] ?? '')))];
}

export function plainName(name: string): string {
  return name.replaceAll('"', '').split('.').at(-1)?.toLowerCase() ?? '';
}

/** Literals are values, as parameters are. */
export function statementName({ protocol, method, path, statement = '' }: CallEvent): string {
  if (protocol !== 'postgres') return `${method} ${path}`;
  return statement
    .replaceAll(/'(?:[^']|'')*'/g, '?')
    .replaceAll(/\b\d+(?:\.\d+)?\b/g, '?')
    .replaceAll(/\s+/g, ' ');
}

/** Reads of which one more or less has no effect; those that take something are none. */
export function isStoreRead(call: CallEvent): boolean {
  const { protocol, method, statement = '' } = call;
  if (protocol !== 'postgres') return reads.test(method) || wasVain(call);
  if (/^(?:SELECT|SHOW|VALUES|TABLE)$/.test(method)) return !isFunctionCall(statement);
  return wasVain(call);
}

/** `UPDATE jobs … RETURNING`, as a worker asks for the next job, and there was none; a lock that was not free. */
function wasVain({ protocol, method, statement = '', error, result = null }: CallEvent): boolean {
  if (error !== undefined) return false;
  if (protocol === 'postgres')
    return isMap(result) && changedNothing.test(String(result.command)) && !writingPart.test(statement);
  if (result === null) return /^(?:SET|EVAL\w*|FCALL\w*)$/.test(method);
  return result === 0 && /^(?:SETNX|DEL|UNLINK|HDEL|[LSZ]REM)$/.test(method);
}

const changedNothing = /^(?:UPDATE|DELETE|MERGE|INSERT 0) 0$/;

const writingPart = /\bas\s*(?:(?:not\s+)?materialized\s*)?\(\s*(?:insert|update|delete|merge)\b/i;

/** The ends of transactions in which nothing was written: there are as many as reads. */
export function vainEnds(calls: readonly SeenCall[]): ReadonlySet<SeenCall> {
  const statements = calls.filter(({ call }) => call.protocol === 'postgres');
  const connections = Map.groupBy(statements, ({ call }) => `${call.from} ${call.to} ${call.connection}`);
  return new Set([...connections.values()].flatMap(vainEndsOf));
}

function vainEndsOf(calls: readonly SeenCall[]): readonly SeenCall[] {
  let hasWritten = false;
  return calls
    .toSorted((a, b) => a.call.startedAt - b.call.startedAt)
    .filter(({ call }) => {
      const isEnd = /^\s*(?:commit|end|rollback|abort)\b(?!.*\bto\b)/i.test(call.statement ?? '');
      const isVainEnd = isEnd && !hasWritten;
      hasWritten = isEnd ? false : hasWritten || !(isStoreRead(call) || isStoreTalk(call));
      return isVainEnd;
    });
}

/** `SELECT enqueue($1)` and `SELECT pg_notify(…)` are asked for what they do. */
function isFunctionCall(statement: string): boolean {
  return (
    /^\s*select\s+(?!now\b|pg_(?!notify\b))[\w."]+\s*\(/i.test(statement) && !/\bfrom\b/i.test(statement)
  );
}

const reads =
  /^(?:GET|MGET|STRLEN|EXISTS|TTL|PTTL|TYPE|KEYS|SCAN|LRANGE|LLEN|LINDEX|SMEMBERS|SISMEMBER|SCARD|HGET|HGETALL|HMGET|HKEYS|HVALS|HLEN|HEXISTS|ZRANGE\w*|ZCARD|ZSCORE|ZRANK|XRANGE|XREVRANGE|XLEN|XREAD|XPENDING|XINFO|XREADGROUP|B?LPOP|B?RPOP|MESSAGE|PMESSAGE|SMESSAGE|DBSIZE|INFO)$/;

/** Between a client and its store, whatever the trial is about: once for each connection, or around every statement. */
export function isStoreTalk({ protocol, method, statement = '' }: CallEvent): boolean {
  if (protocol === 'tcp') return true;
  if (protocol === 'resp') return talk.test(method);
  return (
    /^(?:BEGIN|START|SET|RESET|DISCARD|DEALLOCATE|SHOW|LISTEN|UNLISTEN|SAVEPOINT|RELEASE|CANCEL|SYNC)$/.test(
      method,
    ) ||
    /^\s*select\s+(?:1|version\(\)|pg_catalog\.|current_\w+|set_config)/i.test(statement) ||
    /\bfrom\s+"?(?:pg_catalog|information_schema|pg_\w+)\b/i.test(statement)
  );
}

const talk =
  /^(?:PING|HELLO|AUTH|CLIENT|SELECT|INFO|COMMAND|CONFIG|READONLY|QUIT|RESET|ECHO|SUBSCRIBE|PSUBSCRIBE|UNSUBSCRIBE|PUNSUBSCRIBE|SCRIPT|TIME)$/;

/** It reports trouble of its own; anything else is about what it was asked. */
export function hasStoreFailed({ error, response }: CallEvent): boolean {
  if (response === undefined) return true;
  if (!isMap(error)) return false;
  return /^(?:08|53|57|58|XX|F0)/.test(String(error.code ?? '')) || ownTrouble.test(String(error.message));
}

const ownTrouble = /^(?:LOADING|OOM|READONLY|MASTERDOWN|CLUSTERDOWN|MISCONF|BUSY|TRYAGAIN|ERR max number)\b/;
