/** An engine that does what it is asked for only when the environment is going down: that is removed, or named. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { atEngine, shellImage } from './harness/container-image.ts';
import { type EngineTrouble, engineInTrouble } from './harness/engine-front.ts';
import { makeProject, type Project } from './harness/project.ts';
import { startRunning } from './harness/running.ts';
import { isNothing, nothing, until } from './harness/until.ts';

/** Two containers with a volume, and a process that lives as long as `seconds`. */
function project(seconds: number): Project {
  const image = shellImage();
  return makeProject({
    'shakedown.yaml': `name: late
services:
  box: { image: ${image}, command: [sh, -c, 'echo up; exec sleep 600'], mounts: [{ volume: kept, to: /kept }], ready: { log: up } }
  other: { image: ${image}, command: [sh, -c, 'echo up; exec sleep 600'], ready: { log: up } }
  weak: { run: [sh, -c, 'sleep ${seconds}; exit 1'], ready: { log: never } }
`,
  });
}

function environmentOf({ folder }: Project): string {
  const runs = path.join(folder, '.shakedown/runs');
  const plan = path.join(runs, readdirSync(runs)[0] as string, 'plan.json');
  return JSON.parse(readFileSync(plan, 'utf8')).environment;
}

/** By name: an engine makes a volume that a late container wants once more, and without a label. */
function volumesOf(one: Project): string {
  const name = `name=shakedown-${environmentOf(one)}`;
  return execFileSync('docker', ['volume', 'ls', '--quiet', '--filter', name]).toString();
}

/** Front of an engine that is late with making containers; and how many such requests came, and are still open. */
async function late() {
  let asked = 0;
  let open = 0;
  const comes = (): void => {
    asked += 1;
    open += 1;
  };
  const done = (): void => {
    open -= 1;
  };
  const slow: EngineTrouble = { at: /^POST \/containers\/create/, lateMs: 4_000, comes, done };
  const DOCKER_HOST = await engineInTrouble([slow]);
  const all = (): Promise<number> =>
    until(
      'the engine has done it',
      30_000,
      () => open,
      (count) => count === 0,
    );
  return { env: { DOCKER_HOST }, asked: () => asked, all };
}

test('another service fails meanwhile: they are removed', async () => {
  const one = project(0);
  const { env, asked, all } = await late();
  const up = await one.run(['up'], { withinMs: 90_000, env });
  expect(asked()).toBeGreaterThan(0);
  await all();
  expect(up.code, up.output).toBe(3);
  expect(up.output).toContain('service weak');
  expect(atEngine(environmentOf(one))).toEqual([]);
  expect(volumesOf(one)).toBe('');
  expect(one.left()).toEqual(nothing);
});

test.each([
  ['Ctrl-C', 'SIGINT', 'cli'],
  ['kill -9', 'SIGKILL', 'cli'],
  ['kill -9 of the keeper', 'SIGKILL', 'keeper'],
] as const)('%s: they are removed', async (_, signal, whom) => {
  const one = project(60);
  const { env, asked, all } = await late();
  const up = startRunning(one, ['up'], env);
  await until('it is asked', 60_000, asked, (count) => count > 0);
  const { keeper } = JSON.parse((await one.run(['status', '--json'])).stdout);
  process.kill(whom === 'cli' ? Number(up.child.pid) : keeper.pid, signal);
  await up.ended;
  await until('nothing is left', 30_000, () => one.left(), isNothing);
  await all();
  expect(atEngine(environmentOf(one))).toEqual([]);
  expect(volumesOf(one)).toBe('');
});

test('a volume of which the engine has lost the label is removed by its name', async () => {
  const one = project(60);
  let isAsked = false;
  const hangs = (): void => {
    isAsked = true;
  };
  const DOCKER_HOST = await engineInTrouble([{ at: /^POST \/volumes\/create/, hangs }]);
  const up = startRunning(one, ['up'], { DOCKER_HOST });
  await until('it is asked', 60_000, () => isAsked, Boolean);
  const volume = `shakedown-${environmentOf(one)}-v-kept`;
  execFileSync('docker', ['volume', 'create', volume]);
  up.child.kill('SIGINT');
  expect(await up.ended, up.text()).toBe(130);
  expect(volumesOf(one)).toBe('');
  expect(one.left()).toEqual(nothing);
});
