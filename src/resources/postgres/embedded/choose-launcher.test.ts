import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { connect, failureOf, useEmbedded } from '../../../../test/conformance/embedded-harness.ts';
import { listens } from '../../../../test/conformance/postgres-conformance.ts';
import { plainSpec } from '../../../../test/conformance/postgres-variants.ts';
import { cannotRun, needs } from '../../../../test/harness/needs.ts';
import { postgresDriver } from '../driver/postgres-driver.ts';

const { cacheFolder, newContext } = useEmbedded();

describe('the user that it runs as', () => {
  test('as root, as another user that can reach everything', async () => {
    needs('root');
    const context = newContext();
    const resource = await postgresDriver.provision(plainSpec, context);
    const status = readFileSync(`/proc/${resource.pid}/status`, 'utf8');
    expect(status).toMatch(/^Uid:\s+[1-9]/m);
    expect(context.started.at(-1)?.argv[0]).toMatch(/postgres$/);
    await resource.stop();
  });

  test('as root where no other user can reach it, in a user namespace', async () => {
    needs('root');
    needNamespaces();
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

  test('as root where neither works, a problem that lists what was tried', async () => {
    needs('root');
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

  test('as an ordinary user, as itself', () => {
    // As an ordinary user, every other test is this one.
    needs('root');
    expect(provisionAs(ordinaryUser())).toMatch(/postgres$/);
  });

  test('as a user without a name, as containers may have, in a user namespace', () => {
    needs('root');
    needNamespaces();
    expect(provisionAs(54_321)).toBe('unshare');
  });
});

/** Starts a database, queries it, and stops it; returns the first word of the server's command line. */
function provisionAs(user: number): unknown {
  const script = path.resolve('test/conformance/provision-once.ts');
  const env = { PATH: process.env.PATH, HOME: '/tmp' };
  const words = [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', process.execPath, script];
  const said = execFileSync('setpriv', words, { encoding: 'utf8', cwd: '/tmp', env });
  const { uid, rows, left, argv } = JSON.parse(said) as Record<string, unknown>;
  expect({ uid, rows, left }).toEqual({ uid: user, rows: [{ role: 'owner', one: 1 }], left: [] });
  return argv;
}

function needNamespaces(): void {
  try {
    execFileSync('unshare', ['--map-user=65534', '--map-group=65534', 'true'], { stdio: 'ignore' });
  } catch {
    cannotRun(
      'needs user namespaces, and unshare --map-user is refused',
      'run where user namespaces are permitted',
    );
  }
}

/** Not the user nobody, where there is another: root's servers run as nobody. */
function ordinaryUser(): number {
  const uids = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => Number(line.split(':')[2]))
    .filter((uid) => uid >= 1000);
  return uids.find((uid) => uid !== 65534) ?? uids[0] ?? 65534;
}
