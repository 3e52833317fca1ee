import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { listens } from '../../../../test/conformance/postgres-conformance.ts';
import { plainSpec, readLog } from '../../../../test/conformance/postgres-variants.ts';
import {
  createTestContext,
  type TestContext,
  type TestContextOptions,
} from '../../../../test/conformance/resource-context.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { waitFor, within } from '../../../kernel/deadline.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { ProvisionedResource } from '../../resource.ts';
import { postgresDriver } from '../postgres-driver.ts';

const isRoot = process.getuid?.() === 0;
const job = { kind: 'job', name: 'look' } as const;

let cacheFolder: string;
const contexts: TestContext[] = [];

beforeAll(() => {
  cacheFolder = mkdtempSync(path.join(tmpdir(), 'shakedown-cache-'));
});
afterEach(() => {
  for (const context of contexts.splice(0)) context.clear();
});
afterAll(() => rmSync(cacheFolder, { recursive: true, force: true }));

function newContext(options: TestContextOptions = {}): TestContext {
  const context = createTestContext({ cacheFolder, ...options });
  contexts.push(context);
  return context;
}

async function connect(
  resource: ProvisionedResource,
  url = resource.references(job, resource.endpoint).url,
): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function failureOf(work: Promise<unknown>): Promise<Problem> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Problem);
  return error as Problem;
}

/** The programs that were started, by their last path part: `initdb`, `cp`, `postgres`. */
function programs(context: TestContext): readonly string[] {
  const words = context.started.map(({ argv }) => (argv[0] === 'unshare' ? argv.slice(3) : argv));
  return words.map((argv) => path.basename(argv[0] ?? ''));
}

function cacheEntry(): string {
  const [entry, ...others] = readdirSync(cacheFolder);
  expect(others).toEqual([]);
  return path.join(cacheFolder, entry as string);
}

describe('the life of an embedded server', () => {
  test('it says what it is, and its own log tells of no error', async () => {
    const context = newContext();
    const resource = await postgresDriver.provision(plainSpec, context);
    expect(resource.summary).toMatch(/^PostgreSQL 18\.\d+, embedded$/);
    expect(resource.endpoint.host).toBe('127.0.0.1');
    expect(readFileSync(`/proc/${resource.pid}/cmdline`, 'utf8')).toContain('postgres');
    expect(readLog(context)).toContain('ready to accept connections');
    expect(readLog(context)).not.toMatch(/ERROR|FATAL|PANIC|WARNING/);
    await resource.stop();
  });

  test('it listens on 127.0.0.1 alone, on no socket file, and lets nobody in without the password', async () => {
    const resource = await postgresDriver.provision(plainSpec, newContext());
    const admin = await connect(resource, resource.references(job, resource.endpoint).adminUrl);
    const { rows } = await admin.query(
      "SELECT current_setting('listen_addresses') AS at, current_setting('unix_socket_directories') AS files, current_setting('fsync') AS fsync",
    );
    expect(rows).toEqual([{ at: '127.0.0.1', files: '', fsync: 'off' }]);
    await admin.end();
    const guess = new URL(resource.references(job, resource.endpoint).adminUrl ?? '');
    guess.password = 'guessed';
    await expect(connect(resource, guess.href)).rejects.toThrow(/password authentication failed/);
    await resource.stop();
  });

  test('the password that opened the template opens no server', async () => {
    const resource = await postgresDriver.provision(plainSpec, newContext());
    const { password } = JSON.parse(readFileSync(path.join(cacheEntry(), 'template.json'), 'utf8')) as {
      password: string;
    };
    const old = new URL(resource.references(job, resource.endpoint).adminUrl ?? '');
    expect(old.password).not.toBe(password);
    old.password = password;
    await expect(connect(resource, old.href)).rejects.toThrow(/password authentication failed/);
    await resource.stop();
  });

  test('no password is in its log', async () => {
    const context = newContext({ consumers: [{ kind: 'service', name: 'chef' }] });
    const spec = { ...plainSpec, share: 'schema-per-service', settings: { log_statement: 'all' } } as const;
    const resource = await postgresDriver.provision(spec, context);
    const passwords = [job, { kind: 'service', name: 'chef' } as const].map(
      (consumer) => resource.references(consumer, resource.endpoint).password,
    );
    await resource.stop();
    expect(readLog(context)).toContain('CREATE ROLE');
    for (const password of passwords) expect(readLog(context)).not.toContain(password);
  });

  test('killed from outside, it is reported as died, and stop leaves no child, no port and no shared memory', async () => {
    const memoryBefore = sharedMemory();
    const context = newContext();
    const resource = await postgresDriver.provision(plainSpec, context);
    expect(sharedMemory()).not.toEqual(memoryBefore);
    const client = await connect(resource);
    // Counts without ever looking whether its parent is alive.
    void client.query('SELECT count(*) FROM generate_series(1, 1000000000000)').catch(() => {});
    await systemClock.sleep(50);
    process.kill(resource.pid as number, 'SIGKILL');
    expect(await within(systemClock, 5_000, resource.died)).toMatch(/SIGKILL/);
    expect(context.processesLeft()).not.toEqual([]);
    await resource.stop();
    expect(context.processesLeft()).toEqual([]);
    expect(await listens(resource.endpoint.port)).toBe(false);
    expect(sharedMemory()).toEqual(memoryBefore);
  });

  test('stopped by us, it has not died', async () => {
    const resource = await postgresDriver.provision(plainSpec, newContext());
    await resource.stop();
    expect(await within(systemClock, 100, resource.died)).toBeUndefined();
  });

  test('a port on which somebody already listens is given up for another', async () => {
    const squatter = createServer();
    await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve));
    const taken = (squatter.address() as { port: number }).port;
    await warm();
    const context = newContext({ ports: [taken] });
    const resource = await postgresDriver.provision(plainSpec, context);
    expect(resource.endpoint.port).not.toBe(taken);
    expect(programs(context).filter((name) => name === 'postgres')).toHaveLength(2);
    await resource.stop();
    await new Promise((resolve) => squatter.close(resolve));
  });

  test('an environment that is given up in the middle of it leaves no process', async () => {
    for (const afterMs of [5, 20, 60, 90]) {
      const controller = new AbortController();
      const context = newContext({ signal: controller.signal });
      const work = postgresDriver.provision(plainSpec, context).then(
        (resource) => resource.stop(),
        (error: unknown) => error,
      );
      await systemClock.sleep(afterMs);
      controller.abort(new Error('given up'));
      const outcome = await work;
      if (outcome !== undefined) expect(outcome).toMatchObject({ message: 'given up' });
      expect(
        await waitFor(systemClock, { withinMs: 2_000 }, () =>
          context.processesLeft().length === 0 ? true : undefined,
        ),
      ).toBe(true);
    }
  });
});

describe('settings', () => {
  test('a bad value is told with the server’s own words as evidence', async () => {
    const problem = await failureOf(
      postgresDriver.provision({ ...plainSpec, settings: { work_mem: 'plenty' } }, newContext()),
    );
    expect(problem.code).toBe('boot.resource-failed');
    expect(problem.what).toContain('work_mem');
    expect(problem.evidence.join('\n')).toMatch(/invalid value for parameter "work_mem": "plenty"/);
  });

  test('what the environment decides cannot be set', async () => {
    const problem = await failureOf(
      postgresDriver.provision({ ...plainSpec, settings: { port: '5432' } }, newContext()),
    );
    expect(problem.code).toBe('config.bad-value');
    expect(problem.what).toContain('"5432"');
  });

  test('replication can be turned on', async () => {
    const resource = await postgresDriver.provision(
      { ...plainSpec, settings: { wal_level: 'logical' } },
      newContext(),
    );
    const client = await connect(resource);
    const { rows } = await client.query(
      "SELECT current_setting('wal_level') AS level, current_setting('max_wal_senders')::int AS senders",
    );
    expect(rows).toEqual([{ level: 'logical', senders: 10 }]);
    await client.end();
    await resource.stop();
  });
});

describe('the template in the cache', () => {
  test('is made once and used again, each time with other data', async () => {
    await warm();
    const context = newContext();
    const resource = await postgresDriver.provision(plainSpec, context);
    expect(programs(context)).not.toContain('initdb');
    const client = await connect(resource);
    expect(
      (await client.query("SELECT count(*)::int AS n FROM pg_class WHERE relname = 'made_before'")).rows,
    ).toEqual([{ n: 0 }]);
    await client.query('CREATE TABLE made_before (n int)');
    await client.end();
    await resource.stop();
    const second = await postgresDriver.provision(plainSpec, newContext());
    const again = await connect(second);
    expect(
      (await again.query("SELECT count(*)::int AS n FROM pg_class WHERE relname = 'made_before'")).rows,
    ).toEqual([{ n: 0 }]);
    await again.end();
    await second.stop();
  });

  const damages: Readonly<Record<string, (entry: string) => void>> = {
    'a file is missing': (entry) => rmSync(path.join(entry, 'data', 'global', 'pg_control')),
    'a file is cut short': (entry) => truncateSync(path.join(entry, 'data', 'global', '1260'), 0),
    'a file of the right size holds something else': (entry) => {
      const file = path.join(entry, 'data', 'global', 'pg_control');
      writeFileSync(file, Buffer.alloc(readFileSync(file).length, 7));
    },
    // Nothing reads these two before somebody creates a database.
    'a file is cut short that no first session reads': (entry) =>
      truncateSync(path.join(entry, 'data', 'base', '1', '1255'), 0),
    'an empty file is missing': (entry) => {
      const folder = path.join(entry, 'data', 'base', '1');
      const empty = readdirSync(folder).find((name) => statSync(path.join(folder, name)).size === 0);
      rmSync(path.join(folder, empty as string));
    },
    'its description is missing': (entry) => rmSync(path.join(entry, 'template.json')),
    'its description is half written': (entry) =>
      writeFileSync(path.join(entry, 'template.json'), '{"files": 1'),
  };
  for (const [damage, inflict] of Object.entries(damages)) {
    test(`is made again when ${damage}`, async () => {
      await warm();
      inflict(cacheEntry());
      const context = newContext();
      const resource = await postgresDriver.provision(plainSpec, context);
      await (await connect(resource)).end();
      await resource.stop();
      expect(programs(context)).toContain('initdb');
      const next = newContext();
      await (await postgresDriver.provision(plainSpec, next)).stop();
      expect(programs(next)).not.toContain('initdb');
    });
  }

  test('four environments at once on an empty cache all come up, and leave one template', async () => {
    rmSync(cacheFolder, { recursive: true, force: true });
    const resources = await Promise.all(
      [1, 2, 3, 4].map(() => postgresDriver.provision(plainSpec, newContext())),
    );
    for (const resource of resources) {
      await (await connect(resource)).end();
      await resource.stop();
    }
    expect(existsSync(path.join(cacheEntry(), 'template.json'))).toBe(true);
  });

  test('half of one that a crash left is not used, and is removed when it is old', async () => {
    rmSync(cacheFolder, { recursive: true, force: true });
    const half = path.join(cacheFolder, 'postgres-18.4-abc-u0.making-gone');
    mkdirSync(path.join(half, 'data'), { recursive: true });
    execFileSync('touch', ['-d', '2 hours ago', half]);
    await warm();
    expect(existsSync(half)).toBe(false);
    expect(existsSync(path.join(cacheEntry(), 'template.json'))).toBe(true);
  });

  test('a cache that cannot be written to only costs time', async () => {
    const file = path.join(cacheFolder, '..', `${path.basename(cacheFolder)}.file`);
    writeFileSync(file, 'not a folder');
    const context = newContext({ cacheFolder: path.join(file, 'cache') });
    const resource = await postgresDriver.provision(plainSpec, context);
    await (await connect(resource)).end();
    await resource.stop();
    expect(programs(context)).toContain('initdb');
    rmSync(file);
  });
});

describe('as whom it runs', () => {
  test('as root, as somebody else who can reach everything', async (t) => {
    if (!isRoot) t.skip('these tests do not run as root');
    const context = newContext();
    const resource = await postgresDriver.provision(plainSpec, context);
    const status = readFileSync(`/proc/${resource.pid}/status`, 'utf8');
    expect(status).toMatch(/^Uid:\s+[1-9]/m);
    expect(context.started.at(-1)?.argv[0]).toMatch(/postgres$/);
    await resource.stop();
  });

  test('as root where nobody else can reach, in a user namespace', async (t) => {
    if (!isRoot) t.skip('these tests do not run as root');
    if (!namespacesPermitted()) t.skip('unshare --map-user is not permitted here');
    const context = newContext({ parentMode: 0o700, cacheFolder: path.join(cacheFolder, 'private') });
    const resource = await postgresDriver.provision(plainSpec, context);
    expect(context.started.at(-1)?.argv[0]).toBe('unshare');
    const client = await connect(resource);
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await client.end();
    await resource.stop();
    expect(context.processesLeft()).toEqual([]);
    expect(await listens(resource.endpoint.port)).toBe(false);
  });

  test('as root where neither works, a problem that lists what was tried', async (t) => {
    if (!isRoot) t.skip('these tests do not run as root');
    const tools = mkdtempSync(path.join(tmpdir(), 'shakedown-tools-'));
    writeFileSync(path.join(tools, 'unshare'), '#!/bin/sh\necho "unshare: not today" >&2\nexit 1\n', {
      mode: 0o755,
    });
    chmodSync(tools, 0o755);
    const context = newContext({ parentMode: 0o700, hostEnv: { PATH: `${tools}:${process.env.PATH}` } });
    const problem = await failureOf(postgresDriver.provision(plainSpec, context));
    expect(problem.code).toBe('world.not-permitted');
    expect(problem.evidence).toHaveLength(2);
    expect(problem.evidence[0]).toContain('as user nobody: ');
    expect(problem.evidence[1]).toContain('not today');
    rmSync(tools, { recursive: true });
  });

  test('as an ordinary user, as itself', (t) => {
    if (!isRoot) t.skip('the other tests are this one: they run as an ordinary user');
    const user = ordinaryUser();
    if (user === undefined) return t.skip('no ordinary user, or no setpriv, on this machine');
    const script = path.resolve('test/conformance/provision-once.ts');
    const env = { PATH: process.env.PATH, HOME: '/tmp' };
    const words = [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', process.execPath, script];
    const said = execFileSync('setpriv', words, { encoding: 'utf8', cwd: '/tmp', env });
    const { uid, rows, left, argv } = JSON.parse(said) as Record<string, unknown>;
    expect({ uid, rows, left }).toEqual({ uid: user, rows: [{ role: 'owner', one: 1 }], left: [] });
    expect(argv).toMatch(/postgres$/);
  });
});

/** Fills the cache. */
async function warm(): Promise<void> {
  await (await postgresDriver.provision(plainSpec, newContext())).stop();
}

function sharedMemory(): readonly string[] {
  return readFileSync('/proc/sysvipc/shm', 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/).slice(0, 2).join(' '));
}

function namespacesPermitted(): boolean {
  try {
    execFileSync('unshare', ['--map-user=65534', '--map-group=65534', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function ordinaryUser(): number | undefined {
  if (!existsSync('/usr/bin/setpriv')) return undefined;
  // Not nobody, where there is another: root's servers run as nobody.
  const uids = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => Number(line.split(':')[2]))
    .filter((uid) => uid >= 1000);
  return uids.find((uid) => uid !== 65534) ?? uids[0];
}
