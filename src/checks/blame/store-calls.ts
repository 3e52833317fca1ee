/** Statements and commands as blame sees them: what they are about, and whether the store itself failed. Pure. */
import { type CallEvent, isStoreCall } from '../../journal/call-event.ts';
import { isMap } from '../../kernel/is-map.ts';

/** The tables of a statement, or the key of a command; undefined for any other call. */
export function subjectsOf(call: CallEvent): readonly string[] | undefined {
  if (!isStoreCall(call)) return undefined;
  return call.protocol === 'postgres' ? tablesIn(call.statement ?? '') : [call.path];
}

/** Without schema and quotes; a name that is none, as in a subquery, does no harm. */
export function tablesIn(statement: string): readonly string[] {
  const names = statement.matchAll(/\b(?:from|join|into|update|table|only|copy|truncate)\s+([\w."]+)/gi);
  return [...new Set([...names].map(([, name = '']) => plainName(name)))];
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
export function isStoreRead({ protocol, method }: CallEvent): boolean {
  return protocol === 'postgres'
    ? /^(?:SELECT|SHOW|VALUES|TABLE|NOTIFICATION)$/.test(method)
    : reads.test(method);
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
