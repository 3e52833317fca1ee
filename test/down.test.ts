import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fromFolderOf } from '../src/environment/keeper/keeper-socket.ts';
import { needs } from './harness/needs.ts';
import { makeProject, type Project } from './harness/project.ts';
import { startRunning } from './harness/running.ts';
import { isNothing, nothing, until } from './harness/until.ts';

const simple =
  'name: simple\nservices: { web: { run: [node, services/answers.mjs], listen: { env: PORT } } }\n';
const slow =
  'name: slow\nservices: { web: { run: [node, services/never-ready.mjs], ready: { log: never, within: 60s } } }\n';

async function keeperOf(project: Project): Promise<{ pid: number; guardPid: number }> {
  return JSON.parse((await project.run(['status', '--json'])).stdout).keeper;
}

test('a stopped keeper is killed by `down`, and its guard sweeps', async () => {
  const project = makeProject({ 'shakedown.yaml': simple });
  await project.run(['up', '--detach']);
  process.kill((await keeperOf(project)).pid, 'SIGSTOP');
  const down = await project.run(['down']);
  expect(down.code, down.output).toBe(0);
  expect(project.left()).toEqual(nothing);
});

test('a stopped client does not keep the keeper alive', async () => {
  const project = makeProject({ 'shakedown.yaml': simple });
  const up = startRunning(project, ['up']);
  await up.says('Held open');
  up.child.kill('SIGSTOP');
  const down = await project.run(['down']);
  expect(down.code, down.output).toBe(0);
  up.child.kill('SIGCONT');
  expect(await up.ended).toBe(0);
  expect(project.left()).toEqual(nothing);
});

test('when the run folder is deleted, everything goes down by itself', async () => {
  const project = makeProject({ 'shakedown.yaml': simple });
  await project.run(['up', '--detach']);
  rmSync(path.join(project.folder, '.shakedown'), { recursive: true });
  await until('nothing is left', 10_000, project.left, isNothing);
});

test('`down` during the boot fails `up`', async () => {
  const project = makeProject({ 'shakedown.yaml': slow });
  const up = startRunning(project, ['up', '--detach']);
  await up.says('service web starts');
  expect((await project.run(['down'])).code).toBe(0);
  expect(await up.ended).toBe(3);
  expect(up.text()).toContain('taken down before it was ready');
});

test('`down` waits for an `up` that has just begun', async () => {
  const project = makeProject({ 'shakedown.yaml': simple });
  const up = startRunning(project, ['up', '--detach']);
  await until(
    'the folder is taken',
    10_000,
    () => lockText(project),
    (text) => text !== '',
  );
  const down = await project.run(['down']);
  expect(down.stdout).toContain('is down; nothing is left');
  await up.ended;
  expect(project.left()).toEqual(nothing);
});

function lockText(project: Project): string {
  try {
    return readFileSync(path.join(project.folder, '.shakedown/up.json'), 'utf8');
  } catch {
    return '';
  }
}

test('a death while it is held counts, also when another process takes it down', async () => {
  const project = makeProject({
    'shakedown.yaml':
      'name: mortal\nservices: { web: { run: [node, services/ready-then-dies.mjs], listen: { env: PORT }, ready: { tcp: true } } }\n',
  });
  const up = startRunning(project, ['up']);
  await up.says('Held open');
  const status = JSON.parse((await project.run(['status', '--json'])).stdout);
  await fetch(status.services[0].url);
  await up.says('error[system.service-died]');
  await project.run(['down']);
  expect(await up.ended).toBe(1);
});

test('`down` works without the config', async () => {
  const project = makeProject({ 'shakedown.yaml': simple });
  await project.run(['up', '--detach']);
  renameSync(path.join(project.folder, 'shakedown.yaml'), path.join(project.folder, 'elsewhere.yaml'));
  expect((await project.run(['status'])).code).toBe(0);
  expect((await project.run(['down'])).code).toBe(0);
  expect(project.left()).toEqual(nothing);
});

test('a keeper that ends during a request is not a bug: another `down` was faster', async () => {
  const project = makeProject({
    'shakedown.yaml': simple,
    'trials/one.trial.yaml':
      'id: one\ntitle: one\nsteps: [{ http: GET web/, as: r, expect: { status: 200 } }]\n',
  });
  await project.run(['up', '--detach']);
  const lock = lockText(project);
  await project.run(['down']);
  const runFolder = realpathSync(path.join(project.folder, '.shakedown/latest'));
  const keeper = createServer((socket) => socket.on('data', () => socket.destroy()));
  fromFolderOf(path.join(runFolder, 'keeper.sock'), (name) => keeper.listen(name));
  onTestFinished(() => void keeper.close());
  const codes: Record<string, number | null> = {};
  for (const verb of ['status', 'run --attach', 'doctor', 'down']) {
    writeFileSync(path.join(project.folder, '.shakedown/up.json'), lock, { mode: 0o600 });
    codes[verb] = (await project.run(verb.split(' '))).code;
  }
  expect(codes).toEqual({ status: 2, 'run --attach': 2, doctor: 0, down: 0 });
});

test('a lock that was truncated by a full disk does not block `up`', async () => {
  const project = makeProject({ 'shakedown.yaml': simple });
  mkdirSync(path.join(project.folder, '.shakedown'));
  writeFileSync(path.join(project.folder, '.shakedown/up.json'), '');
  const up = await project.run(['up', '--', 'true']);
  expect(up.code, up.output).toBe(0);
});

test('an unreadable ledger does not affect other projects', async () => {
  const project = makeProject({ 'shakedown.yaml': simple });
  const broken = path.join(project.tmp, 'shakedown-abcdefgh');
  mkdirSync(broken);
  writeFileSync(path.join(broken, 'ledger.ndjson'), '{"entry":"environ\nnot json\n');
  const up = await project.run(['up', '--', 'true']);
  expect(up.code, up.output).toBe(0);
});

test('processes that the command left running are killed and reported', async () => {
  const project = makeProject({ 'shakedown.yaml': simple });
  const result = await project.run(['up', '--', 'sh', '-c', 'sleep 4321 >/dev/null 2>&1 & exit 0']);
  expect(result.code, result.output).toBe(0);
  expect(result.stderr).toContain('ended a process that outlived the command: sleep 4321');
  expect(project.left()).toEqual(nothing);
});

test('a crash is swept through the lock, even if the temporary folder has changed since', async () => {
  const project = makeProject({ 'shakedown.yaml': simple });
  await project.run(['up', '--detach', '--containment', 'ledger']);
  const { pid, guardPid } = await keeperOf(project);
  for (const victim of [guardPid, pid]) process.kill(victim, 'SIGKILL');
  const other = path.join(project.folder, 'other-tmp');
  mkdirSync(other);
  const down = await project.run(['down'], { env: { TMPDIR: other } });
  expect(down.code, down.output).toBe(0);
  await until('nothing is left', 5_000, project.left, isNothing);
});

test('a crash is swept even if .shakedown was deleted since', async () => {
  const project = makeProject({ 'shakedown.yaml': simple });
  await project.run(['up', '--detach', '--containment', 'ledger']);
  const { pid, guardPid } = await keeperOf(project);
  for (const signal of ['SIGSTOP', 'SIGKILL'] as const)
    for (const victim of [guardPid, pid]) process.kill(victim, signal);
  rmSync(path.join(project.folder, '.shakedown'), { recursive: true });
  const down = await project.run(['down']);
  expect(down.code, down.output).toBe(0);
  expect(down.output).toContain('(1 processes)');
  await until('nothing is left', 5_000, project.left, isNothing);
});

test('a crash is swept from a folder without a config, because its own may be gone', async () => {
  const project = makeProject({ 'shakedown.yaml': simple });
  await project.run(['up', '--detach', '--containment', 'ledger']);
  const { pid, guardPid } = await keeperOf(project);
  for (const victim of [guardPid, pid]) process.kill(victim, 'SIGKILL');
  for (const name of ['shakedown.yaml', '.shakedown'])
    rmSync(path.join(project.folder, name), { recursive: true });
  const down = await project.run(['down']);
  expect(down.code, down.output).toBe(2);
  expect(down.output).toContain('removed what the crashed environment');
  expect(project.left()).toEqual(nothing);
});

test('an environment on another machine that shares the folder is left alone', async () => {
  const project = makeProject({ 'shakedown.yaml': simple });
  await project.run(['up', '--detach', '--containment', 'ledger']);
  const { pid } = await keeperOf(project);
  const plan = path.join(project.folder, '.shakedown/latest/plan.json');
  const token = path.join(project.folder, '.shakedown/latest/keeper.token');
  const written = readFileSync(plan, 'utf8');
  // From another machine the socket cannot be reached; its modification time is visible.
  writeFileSync(plan, written.replace(/"machine":\s*"[^"]*"/, '"machine":"another"'));
  const key = readFileSync(token);
  rmSync(token);
  for (const words of [['down'], ['up', '--', 'true']]) {
    const there = await project.run(words);
    expect(there.code, there.output).toBe(2);
    expect(there.output).toContain('on another machine that shares this folder');
  }
  writeFileSync(plan, written);
  writeFileSync(token, key, { mode: 0o600 });
  expect((await keeperOf(project)).pid).toBe(pid);
  expect((await project.run(['down'])).code).toBe(0);
});

test('a process whose working folder is in the workspace is reported and not killed; a child without a mark is killed', async () => {
  needs('linux', 'setsid');
  const script = 'env -i "$(command -v setsid)" "$(command -v sleep)" 600 >/dev/null 2>&1 & echo up; wait';
  const project = makeProject({
    'shakedown.yaml': `name: scrubbed\nservices: { web: { run: [sh, web.sh], ready: { log: up } } }\n`,
    'web.sh': script,
  });
  await project.run(['up', '--detach', '--containment', 'ledger']);
  const [workspace = ''] = project.left().folders;
  const person = spawn('sleep', ['600'], { cwd: path.join(project.tmp, workspace, 'web/dir') });
  onTestFinished(() => void person.kill('SIGKILL'));
  const down = await project.run(['down']);
  expect(down.code, down.output).toBe(7);
  expect(down.output).toMatch(`process ${person.pid}: sleep 600: its working folder is in `);
  expect(project.left().processes.map(({ pid }) => pid)).toEqual([person.pid]);
  person.kill('SIGKILL');
  await once(person, 'exit');
  expect((await project.run(['down'])).code).toBe(0);
  expect(project.left()).toEqual(nothing);
});
