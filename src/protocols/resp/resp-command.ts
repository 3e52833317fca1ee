/** What a command of Redis is about: its name, the key, whether it waits, and what of it is a credential. Pure. */
import { notRead } from '../../kernel/not-kept.ts';

/** Without a key, or with something else in its place. */
const keyless = new Set(
  'PING AUTH HELLO CLIENT INFO SELECT MULTI EXEC DISCARD UNWATCH SCRIPT QUIT RESET COMMAND CONFIG ACL ECHO TIME WAIT FLUSHALL FLUSHDB DBSIZE KEYS SCAN RANDOMKEY SAVE BGSAVE LATENCY MODULE ROLE SLOWLOG SWAPDB CLUSTER READONLY READWRITE ASKING'.split(
    ' ',
  ),
);
const second = new Set('XGROUP XINFO OBJECT MEMORY DEBUG BITOP'.split(' '));
const behindNumber = new Set('EVAL EVALSHA EVAL_RO EVALSHA_RO FCALL FCALL_RO'.split(' '));
const waiting = new Set('BLPOP BRPOP BLMOVE BRPOPLPUSH BLMPOP BZPOPMIN BZPOPMAX BZMPOP'.split(' '));

export interface RespCommand {
  readonly method: string;
  readonly path: string;
  readonly statement: string;
  readonly params: readonly unknown[];
  readonly isWaiting: boolean;
}

/** Undefined for what is not a list of words. */
export function readCommand(value: unknown): RespCommand | undefined {
  if (!Array.isArray(value) || typeof value[0] !== 'string') return undefined;
  const [name, ...words] = value as [string, ...unknown[]];
  const method = name.toUpperCase();
  const params = withoutCredentials(method, words);
  const path = keyOf(method, words);
  return {
    method,
    path: typeof path === 'string' ? path : '',
    statement: [method, ...params.map(shown)].join(' '),
    params,
    isWaiting: waiting.has(method) || (/^XREAD/.test(method) && optionAt(words, 'BLOCK') >= 0),
  };
}

function keyOf(method: string, words: readonly unknown[]): unknown {
  if (keyless.has(method)) return '';
  if (second.has(method)) return words[1];
  if (behindNumber.has(method)) return words[1] === '0' ? '' : words[2];
  if (/^XREAD/.test(method)) return words[optionAt(words, 'STREAMS') + 1];
  return method === 'BLMPOP' || method === 'BZMPOP' ? words[2] : words[0];
}

function optionAt(words: readonly unknown[], option: string): number {
  return words.findIndex((word) => typeof word === 'string' && word.toUpperCase() === option);
}

function shown(word: unknown): string {
  if (typeof word !== 'string') return '…';
  return /^[^\s"'\\]+$/.test(word) ? word : JSON.stringify(word);
}

/** Whatever follows one of these is not kept. */
function withoutCredentials(method: string, words: readonly unknown[]): readonly unknown[] {
  const from = credentialsAt(method, words);
  return from === undefined
    ? words
    : words.map((word, index) => (index < from ? word : notRead('credentials are not kept')));
}

function credentialsAt(method: string, words: readonly unknown[]): number | undefined {
  if (method === 'AUTH') return 0;
  if (method === 'ACL') return 2;
  const after = ['AUTH', 'AUTH2', 'REQUIREPASS', 'MASTERAUTH'].map((option) => optionAt(words, option));
  const found = after.find((at) => at >= 0);
  return ['HELLO', 'MIGRATE', 'CONFIG'].includes(method) && found !== undefined ? found + 1 : undefined;
}
