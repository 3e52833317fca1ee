/** Sees the keys of a store and what they hold: `redis: cache`. */
import { plainKey } from '../../kinds/redis/key-glob.ts';
import { keepMatching, refuseBadWhere } from '../keep-matching.ts';
import { type Observer, watching } from '../observer.ts';
import { refuseUnknownKeys } from '../spoken-keys.ts';
import { findStore } from './find-store.ts';
import { readKeys, type Wanted } from './read-keys.ts';
import { showKey, type TextAs } from './show-key.ts';
import { openStoreLinks } from './store-links.ts';

export interface RedisQuery {
  /** A resource, or a service that speaks the protocol. */
  readonly store: string;
  /** A key, or a glob of Redis; all keys when absent. */
  readonly key?: string;
  readonly database?: number;
  /** What a text that is a JSON object or list is shown as; `json` when absent. */
  readonly as?: TextAs;
  readonly where?: unknown;
}

export const redisObserver: Observer<RedisQuery> = {
  name: 'redis',
  open: async ({ clock, signal, facts }) => {
    const links = openStoreLinks(clock, signal);
    const look = async ({ store, key, database, as = 'json', where }: RedisQuery): Promise<unknown> => {
      refuseBadWhere(where);
      refuseUnknownKeys(where, ['key', 'type', 'value', 'ttlMs', 'groups'], 'an element of `redis`');
      const found = findStore(await facts(), store, database);
      const read = await links.use(found, (link) => readKeys(link, wantedBy(key)));
      return keepMatching(
        clock,
        signal,
        where,
        read.map((one) => showKey(one, as)),
      );
    };
    return watching({ signal }, look, links.close);
  },
};

function wantedBy(glob = '*'): Wanted {
  const key = plainKey(glob);
  return key === undefined ? { glob } : { key };
}
