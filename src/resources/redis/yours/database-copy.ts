/** The keys of a database, copied to memory and laid back: on a server of the user, nothing else is ours. */
import type { RedisLink } from '../client/redis-link.ts';
import { isRefusal, Refused } from '../client/reply.ts';
import { scanKeys } from '../client/scan-keys.ts';
import { redisLimits } from '../redis-limits.ts';
import { markKey } from './database-mark.ts';

export interface KeyCopy {
  readonly key: Buffer;
  readonly value: Buffer;
  /** When it expires, in milliseconds since 1970; undefined where it does not. */
  readonly expiresAt?: number;
}

export async function copyKeys(link: RedisLink, now: () => number): Promise<readonly KeyCopy[]> {
  const keys = (await scanKeys(link, '*')).filter((key) => key.toString() !== markKey);
  const copies: KeyCopy[] = [];
  let bytes = 0;
  for (let from = 0; from < keys.length; from += redisLimits.keysAtOnce) {
    const some = keys.slice(from, from + redisLimits.keysAtOnce);
    const replies = await link.ask(
      some.flatMap((key) => [
        ['PTTL', key],
        ['DUMP', key],
      ]),
    );
    const refusal = replies.find(isRefusal);
    if (refusal) throw new Refused(refusal);
    for (const [index, key] of some.entries()) {
      const [left, value] = [Number(replies[2 * index]), replies[2 * index + 1]];
      if (!Buffer.isBuffer(value)) continue; // it has expired since it was found
      bytes += key.length + value.length;
      copies.push({ key, value, ...(left < 0 ? {} : { expiresAt: Math.round(now() + left) }) });
    }
    if (bytes > redisLimits.copyBytes)
      throw new Error(`it holds more than ${redisLimits.copyBytes / 1024 ** 2} MB`);
  }
  return copies;
}

/** Into an empty database; what has expired since is not there. */
export async function layBackKeys(
  link: RedisLink,
  copies: readonly KeyCopy[],
  now: () => number,
): Promise<void> {
  const current = copies.filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now());
  for (let from = 0; from < current.length; from += redisLimits.keysAtOnce) {
    const some = current.slice(from, from + redisLimits.keysAtOnce);
    const replies = await link.ask(
      some.map(({ key, value, expiresAt }) => [
        ...['RESTORE', key, expiresAt === undefined ? 0 : Math.max(1, Math.round(expiresAt - now()))],
        value,
        'REPLACE',
      ]),
    );
    const refusal = replies.find(isRefusal);
    if (refusal) throw new Refused(refusal);
  }
}
