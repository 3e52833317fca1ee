/** What a command of Redis is about: its name, the key, whether it waits, and what of it is a credential. Pure. */
import { cutMark } from '../../kernel/cut-mark.ts';
import { notRead } from '../../kernel/not-kept.ts';

/** Without a key, or with something else in its place. */
const keyless = new Set(
  'PING AUTH HELLO CLIENT INFO SELECT MULTI EXEC DISCARD UNWATCH SCRIPT QUIT RESET COMMAND CONFIG ACL ECHO TIME WAIT FLUSHALL FLUSHDB DBSIZE KEYS SCAN RANDOMKEY SAVE BGSAVE LATENCY MODULE ROLE SLOWLOG SWAPDB CLUSTER READONLY READWRITE ASKING FUNCTION PUBSUB SENTINEL WAITAOF REPLICAOF SLAVEOF FAILOVER SHUTDOWN'.split(
    ' ',
  ),
);
const second = new Set('XGROUP XINFO OBJECT MEMORY DEBUG BITOP'.split(' '));
const behindNumber = new Set('EVAL EVALSHA EVAL_RO EVALSHA_RO FCALL FCALL_RO'.split(' '));
/** Keys, behind how many there are. */
const counted = new Set('LMPOP ZMPOP SINTERCARD ZINTERCARD ZUNION ZINTER ZDIFF'.split(' '));
const waiting = new Set('BLPOP BRPOP BLMOVE BRPOPLPUSH BLMPOP BZPOPMIN BZPOPMAX BZMPOP'.split(' '));

export interface RespCommand {
  readonly method: string;
  readonly path: string;
  readonly statement: string;
  readonly params: readonly unknown[];
  readonly isWaiting: boolean;
  /** A part of it is not kept, and must not be in an answer that repeats it. */
  readonly isSecret: boolean;
}

/** Undefined for what is not a list of words. */
export function readCommand(value: unknown): RespCommand | undefined {
  if (!Array.isArray(value) || typeof value[0] !== 'string') return undefined;
  const method = value[0].toUpperCase();
  const words: readonly unknown[] = value.slice(1);
  const secretFrom = credentialsAt(method, words);
  const params = secretFrom === undefined ? words : withoutCredentials(words, secretFrom);
  return {
    method,
    path: shownKey(keyOf(method, words)),
    statement: [method, ...params.map(shown)].join(' '),
    params,
    isWaiting: waiting.has(method) || (method.startsWith('XREAD') && blocks(words)),
    isSecret: secretFrom !== undefined,
  };
}

function keyOf(method: string, words: readonly unknown[]): unknown {
  if (keyless.has(method)) return '';
  if (second.has(method) || counted.has(method)) return words[1];
  if (behindNumber.has(method)) return words[1] === '0' ? '' : words[2];
  if (method.startsWith('XREAD')) return words[optionAt(words, 'STREAMS') + 1];
  return method === 'BLMPOP' || method === 'BZMPOP' ? words[2] : words[0];
}

/** One that is too long to be kept is unknown, and not absent. */
export function shownKey(key: unknown): string {
  return typeof key === 'string' ? key : key === undefined ? '' : cutMark;
}

/** Behind `STREAMS`, it is a key. */
function blocks(words: readonly unknown[]): boolean {
  const at = optionAt(words, 'BLOCK');
  return at >= 0 && at < optionAt(words, 'STREAMS');
}

function optionAt(words: readonly unknown[], option: string): number {
  return words.findIndex((word) => typeof word === 'string' && word.toUpperCase() === option);
}

function shown(word: unknown): string {
  if (typeof word !== 'string') return cutMark;
  return /^[^\s"'\\]+$/.test(word) ? word : JSON.stringify(word);
}

function withoutCredentials(words: readonly unknown[], from: number): readonly unknown[] {
  return words.map((word, index) => (index < from ? word : notRead('credentials are not kept')));
}

/** A server that does not know a command repeats its words. */
export function withoutWords(message: unknown): unknown {
  return typeof message === 'string'
    ? message.replace(/(with args beginning with:)[\s\S]*/, `$1 ${cutMark}`)
    : message;
}

/** Whatever follows one of these is not kept. */
function credentialsAt(method: string, words: readonly unknown[]): number | undefined {
  if (method === 'AUTH') return 0;
  if (method === 'ACL') return 2;
  if (!takesCredentials.has(method)) return undefined;
  const at = words.findIndex((word) => typeof word === 'string' && secretOption.test(word));
  return at < 0 ? undefined : at + 1;
}

const takesCredentials = new Set(['HELLO', 'MIGRATE', 'CONFIG', 'SENTINEL']);
const secretOption =
  /^(?:auth2?|requirepass|masterauth|tls-(?:client-)?key-file-pass|auth-pass|sentinel-pass)$/i;
