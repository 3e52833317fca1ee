/** A stopped keeper cannot clean up: its clients report that, and nothing is left. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeProject, type Project } from './harness/project.ts';
import { startRunning } from './harness/running.ts';
import { isNothing, nothing, until } from './harness/until.ts';

const simple =
  'name: simple\nservices: { web: { run: [node, services/answers.mjs], listen: { env: PORT } } }\n';

async function stopKeeper(project: Project): Promise<void> {
  const status = await project.run(['status', '--json']);
  process.kill(JSON.parse(status.stdout).keeper.pid, 'SIGSTOP');
}

async function sweptByTheGuard(containment: string): Promise<void> {
  const project = makeProject({ 'shakedown.yaml': simple });
  const up = startRunning(project, ['up', '--containment', containment]);
  await up.says('Held open');
  await stopKeeper(project);
  up.child.kill('SIGKILL');
  await until(`nothing is left of ${containment}`, 50_000, project.left, isNothing);
}

async function endsWithItsCommand(): Promise<void> {
  const project = makeProject({ 'shakedown.yaml': simple });
  const command = 'echo begun; until test -e go; do sleep 0.1; done';
  const up = startRunning(project, ['up', '--', 'sh', '-c', command]);
  await up.says('begun');
  await stopKeeper(project);
  writeFileSync(path.join(project.folder, 'go'), '');
  // The command passed, but it is unknown whether the services were alive.
  expect(await up.ended, up.text()).toBe(3);
  expect(up.text()).toContain('no sign of life');
  expect(project.left(), up.text()).toEqual(nothing);
}

async function staysUntilDown(): Promise<void> {
  const project = makeProject({ 'shakedown.yaml': simple });
  await project.run(['up', '--detach']);
  await stopKeeper(project);
  const status = await project.run(['status']);
  expect(status.output).toContain('did not answer');
  expect(status.code).toBe(3);
  expect(project.left().processes.length).toBeGreaterThan(0);
  const down = await project.run(['down']);
  expect(down.code, down.output).toBe(0);
  expect(project.left()).toEqual(nothing);
}

/** The keeper cannot end it from inside its namespace; the next command does. */
async function guardStopped(): Promise<void> {
  const project = makeProject({ 'shakedown.yaml': simple });
  const up = startRunning(project, ['up']);
  await up.says('Held open');
  const { keeper } = JSON.parse((await project.run(['status', '--json'])).stdout);
  process.kill(keeper.guardPid, 'SIGSTOP');
  up.child.kill('SIGKILL');
  const leftAfterDown = async () => {
    await project.run(['down']);
    return project.left();
  };
  await until('nothing is left of a guard that was stopped', 40_000, leftAfterDown, isNothing);
}

async function allStopped(keeperToo: boolean): Promise<void> {
  const project = makeProject({ 'shakedown.yaml': simple });
  await project.run(['up', '--detach', '--containment', 'namespace']);
  const { keeper } = JSON.parse((await project.run(['status', '--json'])).stdout);
  const [, init] = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${keeper.pid}/status`, 'utf8')) ?? [];
  for (const pid of [keeper.guardPid, Number(init), keeper.pid]) process.kill(pid, 'SIGSTOP');
  if (!keeperToo) process.kill(keeper.pid, 'SIGKILL');
  const down = await project.run(['down']);
  expect(down.code, down.output).toBe(0);
  expect(project.left(), down.output).toEqual(nothing);
}

/** All of them wait for seconds, so they run at the same time. */
test('its guard kills it when its launcher was killed, a command still ends, `status` reports it, `down` ends it', async () => {
  await Promise.all([
    sweptByTheGuard('namespace'),
    sweptByTheGuard('ledger'),
    endsWithItsCommand(),
    staysUntilDown(),
    guardStopped(),
    allStopped(true),
    allStopped(false),
  ]);
}, 90_000);
