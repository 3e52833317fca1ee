/** The mark of an environment in a database that it uses: only an empty one gets it, and only a marked one is emptied. */
import type { RedisLink } from '../client/redis-link.ts';
import { isRefusal, Refused, type Reply } from '../client/reply.ts';

/** A key in the database, which observers do not show; its value is the label of the environment. */
export const markKey = 'shakedown:environment';

/** False where the database holds something, or became somebody else's in the meantime. */
export async function claimDatabase(link: RedisLink, label: string): Promise<boolean> {
  await link.do('WATCH', markKey);
  if (Number(await link.do('DBSIZE')) !== 0) {
    await link.do('UNWATCH');
    return false;
  }
  if ((await transact(link, ['SET', markKey, label])) === null) return false;
  if (Number(await link.do('DBSIZE')) === 1) return true;
  // Another client wrote at the same moment: what it wrote stays.
  await link.do('DEL', markKey);
  return false;
}

/** Whose mark it has; undefined where it has none. */
export async function markIn(link: RedisLink): Promise<string | undefined> {
  const mark = await link.do('GET', markKey);
  return mark === null ? undefined : String(mark);
}

/** While the environment is up, a database without a mark is one that a service has emptied. */
export async function markAgain(link: RedisLink, label: string): Promise<void> {
  await link.do('SET', markKey, label, 'NX');
}

/** Emptied, and marked again where more is to come; false where the mark is another one. */
export async function emptyDatabase(link: RedisLink, label: string, more: 'mark' | 'end'): Promise<boolean> {
  await link.do('WATCH', markKey);
  if ((await markIn(link)) !== label) {
    await link.do('UNWATCH');
    return false;
  }
  const again = more === 'mark' ? [['SET', markKey, label]] : [];
  return (await transact(link, ['FLUSHDB'], ...again)) !== null;
}

/** Null where what is watched has changed. */
async function transact(link: RedisLink, ...commands: readonly (readonly string[])[]): Promise<Reply> {
  const replies = await link.ask([['MULTI'], ...commands, ['EXEC']]);
  const refusal = replies.find(isRefusal);
  if (refusal) throw new Refused(refusal);
  return replies.at(-1) ?? null;
}
