/** Keys that changed since the attempt began. */
import { isDeepStrictEqual } from 'node:util';
import type { EnvironmentFacts } from '../../journal/environment-facts.ts';
import { bytesIn } from '../../resources/redis/client/reply.ts';
import { type Changes, ObservationError } from '../observer.ts';
import { declaredStores, type Store } from './find-store.ts';
import { readKeys } from './read-keys.ts';
import { type ShownKey, showKey } from './show-key.ts';
import { openStoreLinks, type StoreLinks } from './store-links.ts';

interface Place {
  readonly kind: 'key';
  readonly store: string;
  readonly database: number;
}

type KeyChange = Place &
  (
    | { readonly op: 'created' | 'changed' | 'deleted'; readonly key: string; readonly type: string }
    /** Something is different, or may be, but it is unknown what. */
    | { readonly op: 'unknown'; readonly because: string }
  );

/** By key; or why it is not known. */
type Contents = ReadonlyMap<string, ShownKey> | ObservationError;

type AllContents = ReadonlyMap<string, { readonly place: Place; readonly contents: Contents }>;

export const keyChanges: Changes = {
  kind: 'redis',
  open: async ({ clock, signal, facts }, begin) => {
    const links = openStoreLinks(clock, signal);
    // A later look must fail: what was there before is unknown.
    const before = await readAll(links, begin).catch((error: unknown) => unknownBegin(error));
    return {
      look: async () => {
        const now = await facts();
        if (declaredStores(now).length === 0)
          throw new ObservationError('there is no store of keys in this system');
        if (before instanceof ObservationError) throw before;
        return compare(before, await readAll(links, now));
      },
      close: async () => links.close(),
    };
  },
};

function unknownBegin(error: unknown): ObservationError {
  const because = error instanceof Error ? error.message : String(error);
  return new ObservationError(`what was in the stores before is not known: ${because}`);
}

async function readAll(links: StoreLinks, facts: EnvironmentFacts): Promise<AllContents> {
  const found: (readonly [string, { readonly place: Place; readonly contents: Contents }])[] = [];
  for (const store of declaredStores(facts))
    for (const database of await databasesIn(links, store)) {
      const place = { kind: 'key', store: store.name, database } as const;
      const contents = await contentsOf(links, { ...store, target: { ...store.target, database } });
      found.push([`${store.name} ${database}`, { place, contents }]);
    }
  return new Map(found);
}

/** Those that hold something. */
async function databasesIn(links: StoreLinks, store: Store): Promise<readonly number[]> {
  if (!store.isWhole) return [store.target.database];
  const text = await links.use(store, async (link) => bytesIn(await link.do('INFO', 'keyspace')).toString());
  return [...text.matchAll(/^db(\d+):/gm)].map(([, number]) => Number(number));
}

async function contentsOf(links: StoreLinks, store: Store): Promise<Contents> {
  try {
    const keys = await links.use(store, (link) => readKeys(link, { glob: '*' }));
    return new Map(keys.map((key) => [key.key.toString('latin1'), showKey(key, 'json')]));
  } catch (error) {
    if (error instanceof ObservationError && !error.retryable) return error; // too many to be compared
    throw error;
  }
}

const nothing: Contents = new Map();

function compare(before: AllContents, now: AllContents): readonly KeyChange[] {
  const names = [...new Set([...before.keys(), ...now.keys()])].sort();
  return names.flatMap((name): readonly KeyChange[] => {
    const place = (now.get(name) ?? before.get(name))?.place as Place;
    const old: Contents = before.get(name)?.contents ?? nothing;
    const young: Contents = now.get(name)?.contents ?? nothing;
    if (old instanceof ObservationError || young instanceof ObservationError) {
      const [first] = [old, young].filter((one) => one instanceof ObservationError);
      return [{ ...place, op: 'unknown', because: first?.message ?? '' }];
    }
    return compareKeys(place, old, young);
  });
}

type Keys = ReadonlyMap<string, ShownKey>;

function compareKeys(place: Place, old: Keys, young: Keys): readonly KeyChange[] {
  const come = [...young].flatMap(([name, key]): KeyChange[] => {
    const earlier = old.get(name);
    if (!earlier) return [{ ...place, op: 'created', ...lasting(key) }];
    const isSame = isDeepStrictEqual(lasting(earlier), lasting(key));
    return isSame ? [] : [{ ...place, op: 'changed', ...lasting(key), ...{ before: earlier.value } }];
  });
  const gone = [...old].flatMap(([name, key]): KeyChange[] =>
    young.has(name) ? [] : [{ ...place, op: 'deleted', ...lasting(key) }],
  );
  return [...come, ...gone];
}

/** The time that is left passes by itself; that there is one, does not. */
function lasting({ ttlMs, ...rest }: ShownKey): Omit<ShownKey, 'ttlMs'> & { readonly expires?: true } {
  return ttlMs === undefined ? rest : { ...rest, expires: true };
}
