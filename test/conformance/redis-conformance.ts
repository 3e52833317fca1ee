/** What every form of the redis resource must do, whichever party runs the server. */
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import { problemsIn } from '../../src/kernel/problem.ts';
import { resourceKinds } from '../../src/kinds/resource-kinds.ts';
import { openRedisLink, type RedisLink } from '../../src/resources/redis/client/redis-link.ts';
import { redisLimits } from '../../src/resources/redis/redis-limits.ts';
import { redisTarget } from '../../src/resources/redis/redis-target.ts';
import type { ProvisionedResource } from '../../src/resources/resource.ts';
import { needs } from '../harness/needs.ts';
import type { TestContext } from './resource-context.ts';

export interface RedisVariant {
  provision(): Promise<{ readonly resource: ProvisionedResource; readonly context: TestContext }>;
  /** Processes, keys: whatever is still there of what was provisioned. */
  leftovers(): Promise<readonly string[]>;
  clear(): Promise<void>;
}

const service = { kind: 'service', name: 'api' } as const;

/** A connection made from nothing but a `url`. */
export async function connectTo(url = ''): Promise<RedisLink> {
  return openRedisLink(redisTarget('test', url), systemClock, redisLimits);
}

export function redisConformance(name: string, open: () => Promise<RedisVariant>): void {
  describe(`redis, ${name}`, () => {
    let variant: RedisVariant;
    const links: RedisLink[] = [];
    const as = async (resource: ProvisionedResource): Promise<RedisLink> => {
      const link = await connectTo(resource.references(service, resource.endpoint).url);
      links.push(link);
      return link;
    };

    beforeAll(async () => {
      variant = await open();
    });
    afterEach(async () => {
      for (const link of links.splice(0)) link.close();
      await variant.clear();
    });

    test('two at once share nothing, and each is empty', async () => {
      needs('redis-server');
      const [one, other] = [await variant.provision(), await variant.provision()];
      const [first, second] = [await as(one.resource), await as(other.resource)];
      await first.do('SET', 'letter', 'soup');
      expect(await second.do('GET', 'letter')).toBeNull();
      await one.resource.stop();
      await second.do('SET', 'still', 'up');
      await other.resource.stop();
      expect(await variant.leftovers()).toEqual([]);
    });

    test('references go through the address that is given, and are exactly the declared ones', async () => {
      needs('redis-server');
      const { resource } = await variant.provision();
      const references = resource.references(service, { host: 'tap.test', port: 4321 });
      expect(Object.keys(references).sort()).toEqual([...resourceKinds.redis.references].sort());
      expect(references).toMatchObject({ host: 'tap.test', port: '4321' });
      const { address, database } = redisTarget('test', references.url ?? '');
      expect([address, String(database)]).toEqual([{ host: 'tap.test', port: 4321 }, references.database]);
    });

    test('goes back to its snapshot, whatever was done since, and again', async () => {
      needs('redis-server');
      const { resource } = await variant.provision();
      const link = await as(resource);
      await link.ask([
        ['SET', 'text', Buffer.from([0, 255, 13, 10])],
        ['RPUSH', 'queue', 'a', 'b'],
        ['HSET', 'map', 'x', 1],
        ['ZADD', 'scores', 1.5, 'm'],
        ['XADD', 'jobs', '1-1', 'n', 1],
        ['XGROUP', 'CREATE', 'jobs', 'workers', '0'],
        ['XREADGROUP', 'GROUP', 'workers', 'w1', 'STREAMS', 'jobs', '>'],
        ['SET', 'lasting', 'a while', 'PX', 3_600_000],
      ]);
      await resource.snapshot?.();
      for (let round = 0; round < 2; round += 1) {
        const writing = await as(resource);
        await writing.ask([['FLUSHDB'], ['SET', 'queue', 'another type'], ['SET', 'new', 1]]);
        await resource.restore?.();
        const reading = await as(resource);
        const ask = async (...command: readonly string[]): Promise<unknown> =>
          JSON.parse(JSON.stringify(texts(await reading.do(...command))));
        expect(await reading.do('GET', 'text')).toEqual(Buffer.from([0, 255, 13, 10]));
        expect(await ask('LRANGE', 'queue', '0', '-1')).toEqual(['a', 'b']);
        expect(await ask('HGETALL', 'map')).toEqual(['x', '1']);
        expect(await ask('XPENDING', 'jobs', 'workers')).toEqual([1, '1-1', '1-1', [['w1', '1']]]);
        expect(await reading.do('GET', 'new')).toBeNull();
        expect(Number(await reading.do('PTTL', 'lasting'))).toBeGreaterThan(3_000_000);
        expect(Number(await reading.do('PTTL', 'queue'))).toBe(-1);
      }
    });

    test('a stop in the middle of work leaves nothing', async () => {
      needs('redis-server');
      const { resource } = await variant.provision();
      const link = await as(resource);
      await link.do('SET', 'left', 'behind');
      expect(await variant.leftovers()).not.toEqual([]);
      const waiting = link.do('BLPOP', 'never', 60).catch((error: Error) => error.message);
      await resource.stop();
      expect(await variant.leftovers()).toEqual([]);
      link.close();
      await waiting;
    });
  });
}

/** Bytes as texts. */
function texts(reply: unknown): unknown {
  if (Buffer.isBuffer(reply)) return reply.toString();
  return Array.isArray(reply) ? reply.map(texts) : reply;
}

export async function problemOf(
  work: Promise<unknown>,
): Promise<{ code: string; what: string; next: string }> {
  const [problem] = await work.then(
    () => [],
    (error: unknown) => problemsIn(error),
  );
  if (!problem) throw new Error('it did not fail');
  return problem;
}
