/** Whatever is killed, and whenever: the engine has nothing of an environment that is gone. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { atEngine, shellImage } from './harness/container-image.ts';
import { makeProject, type Project } from './harness/project.ts';
import { startRunning } from './harness/running.ts';
import { isNothing, until } from './harness/until.ts';

function project(image: string): Project {
  return makeProject({
    'app/Dockerfile': `FROM ${image}\nRUN echo built > /built\nRUN sleep 1\n`,
    'data/a.txt': 'a',
    'shakedown.yaml': `name: killed
services:
  box:
    image: ${image}
    command: [sh, -c, 'echo up; exec sleep 600']
    mounts: [{ volume: kept, to: /kept }, { bind: data, to: /data, writes: copy }]
    ready: { log: up, within: 60s }
  built:
    build: app
    command: [sh, -c, 'echo up; exec sleep 600']
    ready: { log: up, within: 60s }
`,
  });
}

interface Pids {
  readonly environment: string;
  readonly keeper: { readonly pid: number; readonly guardPid: number };
}

async function statusOf(one: Project): Promise<Pids> {
  return JSON.parse((await one.run(['status', '--json'])).stdout) as Pids;
}

async function isGone(one: Project, environment: string, withinMs: number): Promise<void> {
  await until(
    'the engine has nothing of it',
    withinMs,
    () => atEngine(environment),
    (left) => left.length === 0,
  );
  await until('nothing is left', 20_000, () => one.left(), isNothing);
}

test('the keeper: its guard removes everything within 10 s', async () => {
  const one = project(shellImage());
  const up = startRunning(one, ['up']);
  await until(
    'it is up',
    120_000,
    () => up.text(),
    (text) => text.includes('Held open'),
  );
  const { environment, keeper } = await statusOf(one);
  expect(atEngine(environment).map((name) => name.split(' ')[0])).toEqual(
    expect.arrayContaining(['container', 'network', 'volume', 'image']),
  );
  process.kill(keeper.pid, 'SIGKILL');
  await isGone(one, environment, 10_000);
  await up.ended;
});

test('keeper and guard: the next command does, and the log has what was printed meanwhile', async () => {
  const one = makeProject({
    'shakedown.yaml': `name: killed\nservices: { box: { image: ${shellImage()}, command: [sh, -c, 'echo up; while :; do sleep 0.2; echo tick; done'], ready: { log: up } } }\n`,
  });
  await one.run(['up', '--detach', '--containment', 'ledger'], { withinMs: 120_000 });
  const { environment, keeper } = await statusOf(one);
  for (const pid of [keeper.guardPid, keeper.pid]) process.kill(pid, 'SIGKILL');
  const container = `shakedown-${environment}-box-1`;
  const printed = (): number =>
    spawnSync('docker', ['logs', container]).stdout.toString().split('tick').length;
  const before = printed();
  await until('it prints on', 20_000, printed, (now) => now > before + 3);
  await one.run(['status']);
  await isGone(one, environment, 10_000);
  const runs = path.join(one.folder, '.shakedown/runs');
  const log = readFileSync(path.join(runs, readdirSync(runs)[0] as string, 'services/box.log'), 'utf8');
  expect(log.split('tick').length).toBeGreaterThan(before + 3);
  expect(log.match(/up/g)).toHaveLength(1);
});

/** Moments of a boot, from the first request to the last container. */
test.each([200, 700, 1_500, 2_500, 4_000])('everything at once, %i ms after the start', async (afterMs) => {
  const one = project(shellImage());
  const up = startRunning(one, ['up']);
  const startedAt = performance.now();
  await until(
    'the moment',
    60_000,
    () => performance.now() - startedAt,
    (ms) => ms >= afterMs,
  );
  const pids = one.left().processes.map(({ pid }) => pid);
  for (const pid of [up.child.pid ?? 0, ...pids].filter(Boolean)) spawnSync('kill', ['-9', String(pid)]);
  await until(
    'they are dead',
    20_000,
    () => one.left().processes.length,
    (count) => count === 0,
  );
  await one.run(['status'], { withinMs: 60_000 });
  const runs = path.join(one.folder, '.shakedown/runs');
  // It may have been killed before it had made anything.
  const plans = (existsSync(runs) ? readdirSync(runs) : [])
    .map((run) => path.join(runs, run, 'plan.json'))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'));
  for (const plan of plans) await isGone(one, JSON.parse(plan).environment, 10_000);
  expect(one.left().folders).toEqual([]);
});
