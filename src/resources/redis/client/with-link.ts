/** Asks a server on a connection that is closed afterwards. */
import type { Clock } from '../../../kernel/clock.ts';
import { redisLimits } from '../redis-limits.ts';
import type { RedisTarget } from '../redis-target.ts';
import { openRedisLink, type RedisLink } from './redis-link.ts';

export async function withLink<T>(
  target: RedisTarget,
  clock: Clock,
  work: (link: RedisLink) => Promise<T>,
  answerMs: number = redisLimits.answerMs,
): Promise<T> {
  const link = await openRedisLink(target, clock, { ...redisLimits, answerMs });
  try {
    return await work(link);
  } finally {
    link.close();
  }
}
