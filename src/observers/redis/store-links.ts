/** The connections of one attempt to stores of keys: one for each database, opened again when it was lost. */
import type { Clock } from '../../kernel/clock.ts';
import { LinkError } from '../../resources/redis/client/link-error.ts';
import { openRedisLink, type RedisLink } from '../../resources/redis/client/redis-link.ts';
import { Refused } from '../../resources/redis/client/reply.ts';
import { redisUrl } from '../../resources/redis/redis-target.ts';
import { ObservationError } from '../observer.ts';
import { observerLimits } from '../observer-limits.ts';
import type { Store } from './find-store.ts';

export interface StoreLinks {
  /** Rejects with an `ObservationError` where there is no answer, or a refusal. */
  use<T>(store: Store, work: (link: RedisLink) => Promise<T>): Promise<T>;
  close(): void;
}

const linkLimits = { answerMs: observerLimits.statementMs, answerBytes: observerLimits.storeBytes };

export function openStoreLinks(clock: Clock, signal: AbortSignal): StoreLinks {
  const links = new Map<string, Promise<RedisLink>>();
  let isClosed = false;
  const forget = (key: string): void => {
    const link = links.get(key);
    links.delete(key);
    void link?.then((open) => open.close()).catch(() => undefined); // what was never open need not be closed
  };
  const close = (): void => {
    isClosed = true;
    signal.removeEventListener('abort', close);
    for (const key of [...links.keys()]) forget(key);
  };
  // Nothing waits for an answer that is no longer needed.
  signal.addEventListener('abort', close);
  const attempt = async <T>(store: Store, work: (link: RedisLink) => Promise<T>): Promise<T> => {
    const key = redisUrl(store.target);
    const isOld = links.has(key);
    const link = links.get(key) ?? openRedisLink(store.target, clock, linkLimits);
    links.set(key, link);
    try {
      return await work(await link);
    } catch (error) {
      if (error instanceof Refused || error instanceof ObservationError) {
        if (!isOld) await link.catch(() => forget(key)); // refused before it was open
        throw error;
      }
      forget(key);
      // A server that was started again has ended a connection that this side took for open.
      if (isOld && error instanceof LinkError && error.why === 'unreachable') return attempt(store, work);
      throw error;
    }
  };
  return {
    use: async (store, work) => {
      if (isClosed) throw new ObservationError('the attempt is over');
      try {
        return await attempt(store, work);
      } catch (error) {
        throw explained(error, store);
      }
    },
    close,
  };
}

/** A password in a file or a variable is not known here. */
const whereFrom =
  'a password is taken from `--requirepass` in the command of a service, or from the `url` or `settings` of a resource (`replace: { NAME: redis }` for a service of a compose file)';

function explained(error: unknown, { name }: Store): unknown {
  if (error instanceof Refused) {
    const isFinal = /^(?:NOAUTH|WRONGPASS|NOPERM)\b|DB index is out of range|invalid DB index/.test(
      error.said,
    );
    const next = /^NOAUTH\b/.test(error.said) ? `; ${whereFrom}` : '';
    return new ObservationError(`${name} refuses: ${error.message}${next}`, isFinal ? 'never' : 'later');
  }
  if (!(error instanceof LinkError)) return error;
  if (error.why === 'too-large') {
    const most = `${observerLimits.storeBytes / 1024 ** 2} MB`;
    return new ObservationError(`${name} holds more than ${most} there; narrow it with key`);
  }
  if (error.why === 'not-redis')
    return new ObservationError(`${name} does not speak the protocol of Redis: ${error.message}`);
  return new ObservationError(`${name} does not answer: ${error.message}`, 'later');
}
