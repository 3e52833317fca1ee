import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeObserverSetup, type ObserverSetup } from '../../../test/conformance/observer-setup.ts';
import { connectTo } from '../../../test/conformance/redis-conformance.ts';
import { startUsersRedis, type UsersRedis } from '../../../test/conformance/redis-variants.ts';
import { findOnPath, needs } from '../../../test/harness/needs.ts';
import type { RedisLink } from '../../resources/redis/client/redis-link.ts';
import { ObservationError, type Watch } from '../observer.ts';
import { observerLimits } from '../observer-limits.ts';
import { keyChanges } from './key-changes.ts';
import { type RedisQuery, redisObserver } from './redis-observer.ts';

let server: UsersRedis;
let link: RedisLink;
let setup: ObserverSetup;
let watch: Watch<RedisQuery>;

const isThere = findOnPath('redis-server').length > 0;
beforeAll(async () => {
  if (isThere) server = await startUsersRedis();
});
beforeEach(async () => {
  if (!isThere) return;
  link = await connectTo(server.url);
  await link.do('FLUSHALL');
  setup = makeObserverSetup();
  setup.stores.push({ resource: 'cache', url: server.url, isWhole: true });
  watch = await redisObserver.open(setup.context);
});
afterEach(async () => {
  link?.close();
  await watch?.close();
  setup?.clear();
});
afterAll(() => server?.close());

const look = (query: Partial<RedisQuery> = {}): Promise<unknown> => watch.look({ store: 'cache', ...query });

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ObservationError);
  return `${(error as ObservationError).retryable ? 'later' : 'never'}: ${(error as ObservationError).message}`;
}

/** Answers every command line with one text. */
async function answering(text: string): Promise<() => void> {
  const peer = createServer((socket) => socket.on('data', () => socket.write(text)).on('error', () => {}));
  await new Promise<void>((resolve) => void peer.listen(0, '127.0.0.1', resolve));
  const { port } = peer.address() as { port: number };
  const url = `redis://127.0.0.1:${port}`;
  setup.service('health').listeners = [{ name: 'main', scheme: 'redis', host: '127.0.0.1', port, url }];
  return () => peer.close();
}

test('every type is shown in full, in an order that is always the same', async () => {
  needs('redis-server');
  await link.ask([
    ['SET', 'text', 'soup'],
    ['SET', 'number', 12],
    ['SET', 'json', '{ "a": [1, 12345678901234567890] }'],
    ['SET', 'twice', '{"a":1,"a":2}'],
    ['SET', 'bytes', Buffer.from([0x61, 0xff])],
    ['RPUSH', 'list', 'b', '{"n":1}', 'a'],
    ['SADD', 'set', 'b', 'c', 'a'],
    ['HSET', 'hash', 'y', '[1]', 'x', ''],
    ['ZADD', 'zset', 2, 'two', 1.5, 'half', '+inf', 'most'],
    ['XADD', 'stream', '1-1', 'f', 'v', 'g', '{}'],
    ['XADD', 'stream', '1-2', 'f', '1', 'f', '2'],
    ['SET', 'ending', 'x', 'PX', 60_000],
  ]);
  const shown = (await look()) as { key: string; ttlMs?: number }[];
  expect(shown.map(({ key }) => key)).toEqual(shown.map(({ key }) => key).toSorted());
  const byKey = Object.fromEntries(shown.map(({ key, ttlMs: _left, ...rest }) => [key, rest]));
  expect(byKey).toEqual({
    text: { type: 'string', value: 'soup' },
    number: { type: 'string', value: '12' },
    json: { type: 'string', value: { a: [1, 12345678901234567890n] } },
    twice: { type: 'string', value: '{"a":1,"a":2}' },
    bytes: { type: 'string', value: 'a‹no-utf8›' },
    list: { type: 'list', value: ['b', { n: 1 }, 'a'] },
    set: { type: 'set', value: ['a', 'b', 'c'] },
    hash: { type: 'hash', value: { x: '', y: [1] } },
    zset: {
      type: 'zset',
      value: [
        { member: 'half', score: 1.5 },
        { member: 'two', score: 2 },
        { member: 'most', score: 'inf' },
      ],
    },
    stream: {
      type: 'stream',
      value: [
        { id: '1-1', fields: { f: 'v', g: {} } },
        {
          id: '1-2',
          fields: [
            ['f', '1'],
            ['f', '2'],
          ],
        },
      ],
      groups: [],
    },
    ending: { type: 'string', value: 'x' },
  });
  const [ending] = shown.filter(({ key }) => key === 'ending');
  expect(ending?.ttlMs).toBeGreaterThan(1_000);
  expect(await look({ key: 'json', as: 'text' })).toMatchObject([
    { value: '{ "a": [1, 12345678901234567890] }' },
  ]);
});

test('of a stream, each group has the entries that its consumers hold', async () => {
  needs('redis-server');
  await link.ask([
    ['XADD', 'jobs', '1-1', 'n', 1],
    ['XADD', 'jobs', '2-1', 'n', 2],
    ['XADD', 'jobs', '3-1', 'n', 3],
    ['XGROUP', 'CREATE', 'jobs', 'workers', '0'],
    ['XREADGROUP', 'GROUP', 'workers', 'w1', 'COUNT', 1, 'STREAMS', 'jobs', '>'],
    ['XREADGROUP', 'GROUP', 'workers', 'w2', 'COUNT', 1, 'STREAMS', 'jobs', '>'],
    ['XACK', 'jobs', 'workers', '1-1'],
  ]);
  expect(await look({ key: 'jobs' })).toMatchObject([
    { groups: [{ name: 'workers', lastId: '2-1', pending: [{ id: '2-1', consumer: 'w2', deliveries: 1 }] }] },
  ]);
});

test('keys are selected by a name, a glob, a database and a condition', async () => {
  needs('redis-server');
  await link.ask([
    ['SET', 'a:1', 1],
    ['SET', 'a:2', 2],
    ['SET', 'a*', 3],
    ['SET', 'b', 4],
  ]);
  const keys = async (query: Partial<RedisQuery>): Promise<unknown> =>
    ((await look(query)) as { key: string }[]).map(({ key }) => key);
  expect(await keys({ key: 'a:*' })).toEqual(['a:1', 'a:2']);
  expect(await keys({ key: 'a:[^1]' })).toEqual(['a:2']);
  expect(await keys({ key: 'a\\*' })).toEqual(['a*']);
  expect(await keys({ key: 'a:3' })).toEqual([]);
  expect(await keys({ where: { value: '4' } })).toEqual(['b']);
  expect(await keys({ database: 5 })).toEqual([]);
  await link.ask([
    ['SELECT', 5],
    ['SET', 'five', 1],
  ]);
  expect(await keys({ database: 5 })).toEqual(['five']);
});

test('what moves from one key to another is in exactly one of them at every look', async () => {
  needs('redis-server');
  await link.do('RPUSH', 'from', ...Array.from({ length: 50 }, (_, n) => n));
  const mover = await connectTo(server.url);
  let isOver = false;
  const moving = (async () => {
    while (!isOver)
      await mover.ask([
        ['LMOVE', 'from', 'to', 'LEFT', 'RIGHT'],
        ['LMOVE', 'to', 'from', 'LEFT', 'RIGHT'],
      ]);
  })();
  for (let round = 0; round < 40; round += 1) {
    const shown = (await look()) as { value: unknown[] }[];
    expect(shown.flatMap(({ value }) => value)).toHaveLength(50);
  }
  isOver = true;
  await moving;
  mover.close();
});

test('more than the limits is no look at all', async () => {
  needs('redis-server');
  const many = Array.from({ length: observerLimits.elements + 1 }, (_, n) => n);
  await link.ask(many.map((n) => ['SET', `k${n}`, n]));
  expect(await refusal(look())).toMatch(/^never: more than 10000 keys are there; narrow it with key/);
  await link.ask([['FLUSHALL'], ['SADD', 'big', ...many]]);
  expect(await refusal(look())).toMatch(/^never: more than 10000 elements/);
  await link.ask([
    ['FLUSHALL'],
    ['SET', 'huge', 'x'],
    ['SETRANGE', 'huge', observerLimits.storeBytes + 2 ** 20, 'y'],
  ]);
  expect(await refusal(look())).toMatch(/^never: cache holds more than 32 MB there/);
  await link.do('FLUSHALL');
  expect(await look()).toEqual([]);
});

test('a store that refuses everything, hangs, is not one, or wants a password is never an empty list', async () => {
  needs('redis-server');
  const health = () => refusal(watch.look({ store: 'health' }));
  for (const [text, says] of [
    [
      '-ERR everything is wrong\r\n'.repeat(9),
      /^(?:later|never): health (?:refuses: ERR everything is wrong|does not speak)/,
    ],
    ['-LOADING it is\r\n', /^later: health refuses: LOADING/],
    ['HTTP/1.1 200 OK\r\n\r\n', /^never: health does not speak the protocol of Redis/],
    [
      '-NOAUTH Authentication required.\r\n',
      /^never: health refuses: NOAUTH .*; a password is taken from `--requirepass`/,
    ],
  ] as const) {
    const close = await answering(text);
    expect(await health()).toMatch(says);
    close();
  }
  process.kill(server.resource.pid as number, 'SIGSTOP');
  try {
    expect(await refusal(look())).toMatch(/^later: cache does not answer: no answer within 5 s/);
  } finally {
    process.kill(server.resource.pid as number, 'SIGCONT');
  }
  expect(await look()).toEqual([]);
});

test('changes are keys that were created, changed or deleted, in every database; time that passes is none', async () => {
  needs('redis-server');
  await link.ask([
    ['SET', 'stays', 1],
    ['SET', 'ends', 1, 'PX', 60_000],
    ['RPUSH', 'queue', 'a', 'b'],
    ['SET', 'goes', '{"x":1}'],
  ]);
  const changes = await keyChanges.open(setup.context, await setup.context.facts());
  await link.ask([
    ['LPOP', 'queue'],
    ['DEL', 'goes'],
    ['PEXPIRE', 'ends', 50_000],
    ['SELECT', 3],
    ['SET', 'new', 1],
  ]);
  expect(await changes.look()).toEqual([
    {
      kind: 'key',
      store: 'cache',
      database: 0,
      op: 'changed',
      key: 'queue',
      type: 'list',
      value: ['b'],
      before: ['a', 'b'],
    },
    { kind: 'key', store: 'cache', database: 0, op: 'deleted', key: 'goes', type: 'string', value: { x: 1 } },
    { kind: 'key', store: 'cache', database: 3, op: 'created', key: 'new', type: 'string', value: '1' },
  ]);
  await changes.close?.();
});
