import { createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { connectTo, problemOf, redisConformance } from '../../../test/conformance/redis-conformance.ts';
import {
  binaryVariant,
  plainSpec,
  startUsersRedis,
  type UsersRedis,
  urlVariant,
} from '../../../test/conformance/redis-variants.ts';
import { createTestContext, type TestContext } from '../../../test/conformance/resource-context.ts';
import { findOnPath, needs } from '../../../test/harness/needs.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { OutsideThing } from '../resource.ts';
import { redisDriver } from './driver/redis-driver.ts';

let server: UsersRedis;
beforeAll(async () => {
  if (findOnPath('redis-server').length > 0) server = await startUsersRedis({ databases: '4' });
});
afterAll(() => server?.close());

redisConformance('a server of the environment’s own', binaryVariant);
redisConformance('a server of the user', () => urlVariant(() => server));

const contexts: TestContext[] = [];
const newContext = (options: Parameters<typeof createTestContext>[0] = {}): TestContext => {
  const context = createTestContext(options);
  contexts.push(context);
  return context;
};
afterEach(() => {
  for (const context of contexts.splice(0)) context.clear();
});

describe('a server of the environment’s own', () => {
  test('without a program on PATH, the problem says how to get one', async () => {
    const context = newContext({ hostEnv: { PATH: '/nowhere' } });
    const problem = await problemOf(redisDriver.provision(plainSpec, context));
    expect(problem.code).toBe('world.missing-binary');
    expect(problem.next).toMatch(/apt-get install redis-server.*`url: redis/s);
  });

  test('settings are applied, also a password; what the environment decides is refused', async () => {
    needs('redis-server');
    const provision = (settings: Readonly<Record<string, string>>) =>
      redisDriver.provision({ ...plainSpec, settings }, newContext());
    const resource = await provision({
      maxmemory: '7mb',
      requirepass: 'p@ss w?rd',
      'client-output-buffer-limit': 'pubsub 1mb 1mb 1',
    });
    const { url, password } = resource.references({ kind: 'service', name: 'api' }, resource.endpoint);
    expect(password).toBe('p@ss w?rd');
    const link = await connectTo(url);
    expect(String(await link.do('CONFIG', 'GET', 'maxmemory'))).toBe('maxmemory,7340032');
    link.close();
    await resource.stop();
    expect(await problemOf(provision({ port: '1' }))).toMatchObject({
      code: 'config.bad-value',
      what: expect.stringContaining('`port`'),
    });
    expect(await problemOf(provision({ maxmemory: '1\nport 1' }))).toMatchObject({
      code: 'config.bad-value',
    });
    const unknown = await problemOf(provision({ 'no-such-setting': '1' }));
    expect(unknown).toMatchObject({
      code: 'boot.resource-failed',
      what: expect.stringContaining('no-such-setting'),
    });
  });

  test('a port that is taken is replaced by another', async () => {
    needs('redis-server');
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    const resource = await redisDriver.provision(plainSpec, newContext({ ports: [port] }));
    expect(resource.endpoint.port).not.toBe(port);
    await resource.stop();
    taken.close();
  });

  test('what a service sets in the server itself, and a user that it makes, is gone after a restore', async () => {
    needs('redis-server');
    const resource = await redisDriver.provision(plainSpec, newContext({ snapshots: {} }));
    const { url } = resource.references({ kind: 'service', name: 'api' }, resource.endpoint);
    const before = await connectTo(url);
    await before.do('ACL', 'SETUSER', 'job', 'on', '>secret', '~*', '+@all');
    await before.do(
      'FUNCTION',
      'LOAD',
      "#!lua name=mine\nredis.register_function('f', function() return 1 end)",
    );
    await resource.snapshot?.();
    await before.do('CONFIG', 'SET', 'maxmemory', '5mb');
    await before.do('ACL', 'DELUSER', 'job');
    await before.do('FUNCTION', 'FLUSH');
    const { port } = resource.endpoint;
    await resource.restore?.();
    expect(resource.endpoint.port).toBe(port);
    await expect(before.do('PING')).rejects.toThrow(/close/); // it was another process
    const after = await connectTo(url);
    expect(String(await after.do('CONFIG', 'GET', 'maxmemory'))).toBe('maxmemory,0');
    expect(String(await after.do('ACL', 'USERS'))).toBe('default,job');
    expect(await after.do('FCALL', 'f', 0)).toBe(1);
    after.close();
    await resource.stop();
  });

  test('its death is reported, a stop and a restore are not; one that hangs is killed', async () => {
    needs('redis-server');
    const resource = await redisDriver.provision(plainSpec, newContext({ snapshots: {} }));
    await resource.snapshot?.();
    await resource.restore?.();
    process.kill(resource.pid as number, 'SIGKILL');
    expect(await resource.died).toBe('Redis was ended by SIGKILL');
    const hanging = await redisDriver.provision(plainSpec, newContext());
    process.kill(hanging.pid as number, 'SIGSTOP');
    await hanging.stop();
    expect(contexts.at(-1)?.processesLeft()).toEqual([]);
  });
});

describe('a server of the user', () => {
  const provision = (context: TestContext, url = server.url) =>
    redisDriver.provision({ ...plainSpec, url }, context);

  test('the last database that is empty is marked, after the ledger knows of it; others are left alone', async () => {
    needs('redis-server');
    const theirs = await connectTo(`${server.url}/3`);
    await theirs.do('SET', 'precious', 'thing');
    const context = newContext({ label: 'abc' });
    const resource = await provision(context);
    expect(context.intended).toEqual([
      { kind: 'redis', resource: 'cache', databases: ['2'], roles: [], environment: 'abc' },
    ]);
    expect(await server.contents()).toEqual({ 2: ['shakedown:environment'], 3: ['precious'] });
    await resource.stop();
    expect(await server.contents()).toEqual({ 3: ['precious'] });
    const named = await problemOf(provision(newContext(), `${server.url}/3`));
    expect(named).toMatchObject({ code: 'world.not-permitted', what: expect.stringContaining('database 3') });
    await theirs.do('DEL', 'precious');
    theirs.close();
  });

  test('many at once get a database each; where none is empty, that is a problem', async () => {
    needs('redis-server');
    const all = await Promise.all([1, 2, 3, 4].map(() => provision(newContext())));
    expect(Object.keys(await server.contents())).toEqual(['0', '1', '2', '3']);
    const problem = await problemOf(provision(newContext()));
    expect(problem).toMatchObject({
      code: 'world.not-permitted',
      what: expect.stringContaining('none of the 4'),
    });
    await Promise.all(all.map((resource) => resource.stop()));
    expect(await server.contents()).toEqual({});
  });

  test('a service that empties the database does not lose it to others', async () => {
    needs('redis-server');
    const resource = await provision(newContext());
    const { url } = resource.references({ kind: 'service', name: 'api' }, resource.endpoint);
    const link = await connectTo(url);
    await link.do('FLUSHDB');
    await link.do('SET', 'mine', 1);
    await expect.poll(() => link.do('DBSIZE'), { timeout: 10_000 }).toBe(2);
    link.close();
    await resource.stop();
    expect(await server.contents()).toEqual({});
  });

  test('after a crash it is swept by the ledger, or by its mark alone; what others have stays', async () => {
    needs('redis-server');
    for (const ledger of [true, false]) {
      const [lost, other] = [newContext({ label: 'lost1' }), newContext({ label: 'lost12' })];
      await provision(lost);
      const kept = await provision(other);
      const thing = { ...(lost.intended[0] as OutsideThing), ...(ledger ? {} : { databases: [] }) };
      const spec = { ...plainSpec, url: server.url };
      await redisDriver.sweep(thing, spec, {}, systemClock);
      await redisDriver.sweep(thing, spec, {}, systemClock);
      expect(await server.contents()).toEqual({ 2: ['shakedown:environment'] });
      await kept.stop();
    }
    const gone = await problemOf(
      redisDriver.sweep(
        { kind: 'redis', resource: 'cache', databases: ['1'], roles: [] },
        plainSpec,
        {},
        systemClock,
      ),
    );
    expect(gone.code).toBe('left.behind');
  });

  test('a wrong password, TLS, another URL, and nobody there are problems without the password', async () => {
    needs('redis-server');
    const guarded = await startUsersRedis({ requirepass: 'right' });
    const wrong = guarded.url.replace(':right@', ':wrong-one@');
    const problems = await Promise.all(
      [
        wrong,
        'rediss://:wrong-one@127.0.0.1:1',
        'http://:wrong-one@127.0.0.1',
        'redis://:wrong-one@127.0.0.1:1',
      ].map((url) => problemOf(provision(newContext(), url))),
    );
    expect(problems.map(({ code }) => code)).toEqual([
      'world.not-permitted',
      'config.bad-value',
      'config.bad-value',
      'world.unreachable',
    ]);
    expect(JSON.stringify(problems)).not.toContain('wrong-one');
    await guarded.close();
  });

  test('one that answers an error to everything, and one that is not a Redis, are problems', async () => {
    const answering = async (text: string): Promise<{ readonly url: string; readonly peer: Server }> => {
      const peer = createServer((socket) =>
        socket.on('data', () => socket.write(text)).on('error', () => {}),
      );
      await new Promise<void>((resolve) => void peer.listen(0, '127.0.0.1', resolve));
      return { peer, url: `redis://127.0.0.1:${(peer.address() as { port: number }).port}` };
    };
    const answers = ['-ERR everything is wrong\r\n', 'HTTP/1.1 400 Bad Request\r\n\r\n'];
    const found = [];
    for (const text of answers) {
      const { url, peer } = await answering(text);
      const context = newContext();
      found.push([(await problemOf(provision(context, url))).what, context.intended]);
      peer.close();
    }
    expect(found).toEqual([
      [expect.stringMatching(/refuses: ERR everything is wrong/), []],
      [expect.stringMatching(/is not a Redis/), []],
    ]);
  });
});
