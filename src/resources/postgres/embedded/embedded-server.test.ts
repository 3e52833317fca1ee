import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  connect,
  failureOf,
  job,
  programs,
  useEmbedded,
} from '../../../../test/conformance/embedded-harness.ts';
import { listens } from '../../../../test/conformance/postgres-conformance.ts';
import { plainSpec, readLog } from '../../../../test/conformance/postgres-variants.ts';
import { createTestContext } from '../../../../test/conformance/resource-context.ts';
import { needs } from '../../../../test/harness/needs.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { waitFor, within } from '../../../kernel/deadline.ts';
import type { ResourceProcess, ResourceProcessOptions } from '../../resource.ts';
import { postgresDriver } from '../driver/postgres-driver.ts';

const { newContext, warm, cacheEntry } = useEmbedded();

describe('the life of an embedded server', () => {
  test('it says what it is, and its own log shows no error', async () => {
    const context = newContext();
    const resource = await postgresDriver.provision(plainSpec, context);
    expect(resource.summary).toMatch(/^PostgreSQL 18\.\d+, embedded$/);
    expect(resource.endpoint.host).toBe('127.0.0.1');
    expect(readFileSync(`/proc/${resource.pid}/cmdline`, 'utf8')).toContain('postgres');
    expect(readLog(context)).toContain('ready to accept connections');
    expect(readLog(context)).not.toMatch(/ERROR|FATAL|PANIC|WARNING/);
    await resource.stop();
  });

  test('it listens on 127.0.0.1 alone, on no socket file, and refuses connections without the password', async () => {
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
    const context = newContext();
    const resource = await postgresDriver.provision(plainSpec, context);
    expect(sharedMemoryOf(resource.pid)).toHaveLength(1);
    const client = await connect(resource);
    // Counts without ever looking whether its parent is alive.
    void client.query('SELECT count(*) FROM generate_series(1, 1000000000000)').catch(() => undefined); // killed, as meant
    await systemClock.sleep(50);
    process.kill(resource.pid as number, 'SIGKILL');
    expect(await within(systemClock, 5_000, resource.died)).toMatch(/SIGKILL/);
    expect(context.processesLeft()).not.toEqual([]);
    await resource.stop();
    expect(context.processesLeft()).toEqual([]);
    expect(await listens(resource.endpoint.port)).toBe(false);
    expect(sharedMemoryOf(resource.pid)).toEqual([]);
  });

  test('stopped by us, it has not died', async () => {
    const resource = await postgresDriver.provision(plainSpec, newContext());
    await resource.stop();
    expect(await within(systemClock, 100, resource.died)).toBeUndefined();
  });

  test('a port that is already taken is given up for another', async () => {
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

  test('a server that gets no process for its first session is a matter of the machine', async () => {
    needs('linux');
    const context = createTestContext(); // with a cache of its own, in which no template is yet
    onTestFinished(context.clear);
    const start = async (wanted: ResourceProcessOptions): Promise<ResourceProcess> => {
      const running = await context.start(wanted);
      const data = wanted.argv[wanted.argv.indexOf('-D') + 1] as string;
      if (!wanted.argv.includes('-D')) return running;
      const pidFile = path.join(data, 'postmaster.pid');
      const isReady = () => existsSync(pidFile) && /^ready\s*$/m.test(readFileSync(pidFile, 'utf8'));
      await waitFor(systemClock, { withinMs: 10_000 }, () => isReady() || undefined);
      execFileSync('prlimit', ['--pid', String(running.pid), '--nproc=1:1'], { ...wanted.as });
      return running;
    };
    const problem = await failureOf(postgresDriver.provision(plainSpec, { ...context, start }));
    expect(problem.code).toBe('world.exhausted');
    expect(problem.what).toContain('could not fork');
    expect(context.processesLeft()).toEqual([]);
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
  test('a bad value is reported with the server’s own message as evidence', async () => {
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

/** The segments that a process has made, ignoring those of others. */
function sharedMemoryOf(pid: number | undefined): readonly string[] {
  return readFileSync('/proc/sysvipc/shm', 'utf8')
    .split('\n')
    .filter((line) => line.trim().split(/\s+/)[4] === String(pid));
}
