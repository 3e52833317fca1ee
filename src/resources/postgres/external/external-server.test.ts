import { execFile, execFileSync } from 'node:child_process';
import { chownSync, statSync } from 'node:fs';
import { connect as connectSocket, createServer } from 'node:net';
import path from 'node:path';
import { inspect, promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  plainSpec,
  startUsersServer,
  type UsersServer,
} from '../../../../test/conformance/postgres-variants.ts';
import {
  createTestContext,
  type TestContext,
  type TestContextOptions,
} from '../../../../test/conformance/resource-context.ts';
import { cannotRun, findOnPath } from '../../../../test/harness/needs.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { formatProblem, Problem } from '../../../kernel/problem.ts';
import type { OutsideThing, ProvisionedResource } from '../../resource.ts';
import { postgresDriver } from '../driver/postgres-driver.ts';

const chef = { kind: 'service', name: 'chef' } as const;
const spec = (url: string) => ({ ...plainSpec, url, share: 'database-per-service' }) as const;

let server: UsersServer;
const contexts: TestContext[] = [];

beforeAll(async () => {
  server = await startUsersServer();
});
afterEach(() => {
  for (const context of contexts.splice(0)) context.clear();
});
afterAll(() => server.close());

function newContext(options: TestContextOptions = {}): TestContext {
  const context = createTestContext({ consumers: [chef], ...options });
  contexts.push(context);
  return context;
}

async function problemOf(work: Promise<unknown>): Promise<Problem> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Problem);
  return error as Problem;
}

function serverUrl(change: (url: URL) => void): string {
  const url = new URL(server.url);
  change(url);
  return url.href;
}

describe('what is made on a server of the user’s', () => {
  test('is written to the ledger first, has our mark and the label, and starts no process here', async () => {
    const before: (readonly string[])[] = [];
    const context = newContext({ label: 'k3f9' });
    const watched = {
      ...context,
      intend: async (thing: OutsideThing) => void before.push(await server.marked(), thing.databases),
    };
    const resource = await postgresDriver.provision(spec(server.url), watched);
    expect(before).toEqual([[], ['shk_k3f9_db_chef', 'shk_k3f9_db_main']]);
    expect(await server.marked()).toEqual(
      expect.arrayContaining([
        'database shk_k3f9_db_chef',
        'role shk_k3f9_db_chef',
        'role shk_k3f9_db_owner',
      ]),
    );
    expect(context.started).toEqual([]);
    expect(resource.summary).toMatch(/^PostgreSQL 18\.\d+, yours at 127\.0\.0\.1:\d+$/);
    await resource.stop();
    expect(await server.marked()).toEqual([]);
  });

  test('is swept after a crash, under open connections, twice without harm, and nothing else is touched', async () => {
    await server.query('CREATE DATABASE precious');
    await server.query('CREATE ROLE treasurer');
    const context = newContext();
    const resource = await postgresDriver.provision(spec(server.url), context);
    const client = await session(resource);
    const [thing] = context.intended;
    expect(await server.marked()).not.toEqual([]);
    const greedy = {
      ...(thing as OutsideThing),
      databases: [...(thing?.databases ?? []), 'precious'],
      roles: [...(thing?.roles ?? []), 'treasurer'],
    };
    await postgresDriver.sweep(greedy, spec(server.url), {}, systemClock);
    expect(await server.marked()).toEqual([]);
    await expect(client.query('SELECT 1')).rejects.toThrow();
    await postgresDriver.sweep(greedy, spec(server.url), {}, systemClock);
    const rows = await server.query("SELECT datname FROM pg_database WHERE datname = 'precious'");
    expect(rows).toHaveLength(1);
    expect(await server.query("SELECT rolname FROM pg_roles WHERE rolname = 'treasurer'")).toHaveLength(1);
    await server.query('DROP DATABASE precious');
    await server.query('DROP ROLE treasurer');
  });

  test('is swept by the name of its environment where no ledger is left, and what others made stays', async () => {
    const [lost, other] = [newContext({ label: 'lost0001' }), newContext({ label: 'lost00012' })];
    await postgresDriver.provision(spec(server.url), lost);
    const resource = await postgresDriver.provision(spec(server.url), other);
    const thing = {
      kind: 'postgres',
      resource: 'db',
      databases: [],
      roles: [],
      environment: 'lost0001',
    } as const;
    await postgresDriver.sweep(thing, spec(server.url), {}, systemClock);
    expect((await server.marked()).filter((name) => !name.includes(' shk_lost00012_'))).toEqual([]);
    expect(await server.marked()).toContain('database shk_lost00012_db_main');
    await resource.stop();
  });

  test('is swept through a url that is looked up in the environment again', async () => {
    const context = newContext();
    await postgresDriver.provision(spec(server.url), context);
    expect(await server.marked()).not.toEqual([]);
    const env = { THE_DATABASE: server.url };
    const [thing] = context.intended as OutsideThing[];
    await postgresDriver.sweep(thing as OutsideThing, spec('${env.THE_DATABASE}'), env, systemClock);
    expect(await server.marked()).toEqual([]);
  });

  test('is named when it cannot be removed', async () => {
    const context = newContext({ label: 'stuck' });
    const resource = await postgresDriver.provision(spec(server.url), context);
    await server.query('CREATE TABLE keepsake (n int)');
    await server.query('GRANT SELECT ON keepsake TO shk_stuck_db_chef');
    const problem = await problemOf(resource.stop());
    expect(problem.code).toBe('left.behind');
    expect(problem.next).toContain('DROP ROLE shk_stuck_db_chef;');
    expect(problem.evidence.join('\n')).toContain('keepsake');
    await server.query('DROP TABLE keepsake');
    await resource.stop();
    expect(await server.marked()).toEqual([]);
  });

  test('a sweep without the url says what is where', async () => {
    const thing: OutsideThing = {
      kind: 'postgres',
      resource: 'db',
      databases: ['shk_a_db_main'],
      roles: ['shk_a_db_owner'],
    };
    const problem = await problemOf(postgresDriver.sweep(thing, plainSpec, {}, systemClock));
    expect(problem.code).toBe('left.behind');
    expect(problem.what).toContain('shk_a_db_main');
  });
});

describe('a server that cannot be used', () => {
  const secret = 'hunter2-correct-horse';

  /** Nothing that a person, a log or a report could be shown holds the password. */
  function expectNoPassword(problem: Problem): void {
    expect(inspect(problem, { depth: 10, showHidden: true })).not.toContain(secret);
    expect(formatProblem(problem)).toMatch(/what .*allowed .*next /s);
  }

  test('wrong password', async () => {
    const url = serverUrl((parts) => {
      parts.password = secret;
    });
    const problem = await problemOf(postgresDriver.provision(spec(url), newContext()));
    expect(problem.code).toBe('world.not-permitted');
    expect(problem.what).toContain('password authentication failed for user "shakedown"');
    expectNoPassword(problem);
  });

  test('nothing listens', async () => {
    const url = serverUrl((parts) => {
      parts.password = secret;
      parts.port = '1';
    });
    const problem = await problemOf(postgresDriver.provision(spec(url), newContext()));
    expect(problem.code).toBe('world.unreachable');
    expect(problem.next).toBe('check that it is running: pg_isready -h 127.0.0.1 -p 1');
    expectNoPassword(problem);
  });

  test('a host that does not exist', async () => {
    const url = `postgresql://someone:${secret}@no-such-host.invalid/db`;
    const problem = await problemOf(postgresDriver.provision(spec(url), newContext()));
    expect(problem.code).toBe('world.unreachable');
    expect(problem.what).toContain('no-such-host.invalid:5432');
    expectNoPassword(problem);
  });

  test('a server that speaks another protocol', async () => {
    const chatter = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>((resolve) => chatter.listen(0, '127.0.0.1', resolve));
    const { port } = chatter.address() as { port: number };
    const url = `postgresql://someone:${secret}@127.0.0.1:${port}/db`;
    const problem = await problemOf(postgresDriver.provision(spec(url), newContext()));
    expect(problem.code).toBe('world.unreachable');
    expectNoPassword(problem);
    chatter.close();
  });

  test('a role without the right to make databases and roles', async () => {
    await server.query(`CREATE ROLE guest LOGIN CREATEDB PASSWORD '${secret}'`);
    const url = serverUrl((parts) => {
      parts.username = 'guest';
      parts.password = secret;
    });
    const context = newContext();
    const problem = await problemOf(postgresDriver.provision(spec(url), context));
    expect(problem.code).toBe('world.not-permitted');
    expect(problem.next).toContain('ALTER ROLE "guest" CREATEDB CREATEROLE;');
    expect(context.intended).toEqual([]);
    expectNoPassword(problem);
    await server.query('DROP ROLE guest');
  });

  test('no url of a PostgreSQL server', async () => {
    for (const url of [
      `mysql://root:${secret}@localhost/db`,
      `postgres://x:${secret}%@h/db`,
      `${secret}`,
      `postgres:///${secret}`,
    ]) {
      const problem = await problemOf(postgresDriver.provision(spec(url), newContext()));
      expect(problem.code).toBe('config.bad-value');
      expectNoPassword(problem);
    }
  });
});

describe('a server that speaks TLS', () => {
  test('is checked by us, and its consumers reach it encrypted through a tap', async (t) => {
    needOnPath('openssl', 'psql');
    let authority = '';
    const secure = await startUsersServer({
      settings: (folder, dataFolder) => {
        const certificate = makeCertificate(folder, statSync(dataFolder));
        authority = certificate.ssl_cert_file;
        return { ssl: 'on', ...certificate };
      },
    });
    t.onTestFinished(() => secure.close());
    const tap = await startTap(new URL(secure.url).port);
    t.onTestFinished(tap.close);
    const checks = {
      require: '',
      'verify-ca': `&sslrootcert=${authority}`,
      'verify-full': `&sslrootcert=${authority}`,
    };
    for (const [mode, more] of Object.entries(checks)) {
      const resource = await postgresDriver.provision(
        spec(`${secure.url}?sslmode=${mode}${more}`),
        newContext(),
      );
      const url = resource.references(chef, { host: 'localhost', port: tap.port }).url ?? '';
      expect(new URL(url).searchParams.get('sslmode')).toBe(mode === 'verify-full' ? 'verify-ca' : mode);
      const question = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
      expect(await psql(url, question)).toBe('t\n');
      await resource.stop();
    }
    const strangers = await problemOf(
      postgresDriver.provision(spec(`${secure.url}?sslmode=verify-full`), newContext()),
    );
    expect(strangers.code).toBe('world.unreachable');
    expect(strangers.what).toMatch(/certificate/);
    expect(await secure.marked()).toEqual([]);
  });
});

test('the url serves a client made of libpq', async () => {
  needOnPath('psql');
  const resource = await postgresDriver.provision(spec(server.url), newContext());
  const url = resource.references(chef, resource.endpoint).url ?? '';
  expect(
    execFileSync('psql', ['-Atc', 'SELECT current_user, current_database()', url], { encoding: 'utf8' }),
  ).toMatch(/^shk_\w+_db_chef\|shk_\w+_db_chef\n$/);
  await resource.stop();
});

async function session(resource: ProvisionedResource): Promise<Client> {
  const client = new Client({ connectionString: resource.references(chef, resource.endpoint).url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

function needOnPath(...commands: readonly string[]): void {
  for (const command of commands) {
    if (findOnPath(command).length === 0)
      cannotRun(`needs ${command}, and it is not on PATH`, 'apt-get install openssl postgresql-client');
  }
}

/** Not synchronous: the tap works in this process. */
async function psql(url: string, statement: string): Promise<string> {
  return (await promisify(execFile)('psql', ['-Atc', statement, url], { timeout: 10_000 })).stdout;
}

/** For 127.0.0.1, vouched for by itself. */
function makeCertificate(
  folder: string,
  owner: { uid: number; gid: number },
): { ssl_cert_file: string; ssl_key_file: string } {
  const files = {
    ssl_cert_file: path.join(folder, 'server.crt'),
    ssl_key_file: path.join(folder, 'server.key'),
  };
  const words =
    'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=users-server -addext subjectAltName=IP:127.0.0.1';
  const out = ['-keyout', files.ssl_key_file, '-out', files.ssl_cert_file];
  execFileSync('openssl', [...words.split(' '), ...out], { stdio: 'ignore' });
  chownSync(files.ssl_key_file, owner.uid, owner.gid);
  return files;
}

/** Bytes through, untouched. */
async function startTap(to: string): Promise<{ port: number; close: () => void }> {
  const tap = createServer((consumer) => {
    const provider = connectSocket({ host: '127.0.0.1', port: Number(to) });
    consumer.pipe(provider).pipe(consumer);
    consumer.on('error', () => provider.destroy());
    provider.on('error', () => consumer.destroy());
  });
  await new Promise<void>((resolve) => tap.listen(0, '127.0.0.1', resolve));
  return { port: (tap.address() as { port: number }).port, close: () => void tap.close() };
}
