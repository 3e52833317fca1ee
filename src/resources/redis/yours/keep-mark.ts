/** Sets the mark of a database again where a service has emptied it: without one, another environment could take it. */
import type { Clock } from '../../../kernel/clock.ts';
import type { RedisLink } from '../client/redis-link.ts';
import { redisLimits } from '../redis-limits.ts';
import { markAgain } from './database-mark.ts';

/** Returns how to end that; it ends by itself when the connection is lost. */
export function keepMark(link: RedisLink, label: string, clock: Clock): () => void {
  let isOver = false;
  let cancel = (): void => undefined;
  const look = async (): Promise<void> => {
    const isThere = await markAgain(link, label).then(
      () => true,
      () => false,
    );
    if (!isOver && isThere) cancel = clock.after(redisLimits.markEveryMs, look);
  };
  cancel = clock.after(redisLimits.markEveryMs, look);
  return () => {
    isOver = true;
    cancel();
  };
}
