/** The `.shakedown` of a project is not trusted: nothing outside is written or removed, and damage is explained. */
import { execFileSync } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { needs } from './harness/needs.ts';
import { makeProject, type Project } from './harness/project.ts';
import { trialsProject } from './harness/trials-project.ts';

const simple =
  'name: simple\nservices: { web: { run: [node, services/answers.mjs], listen: { env: PORT } } }\n';
const oldRun = '20260101-000000-abcd';
const nobody = 65_534;

function state(project: Project, ...names: readonly string[]): string {
  return path.join(realpathSync(project.folder), '.shakedown', ...names);
}

/** More folders than the number of runs that are kept. */
function makeVictim(project: Project): string {
  const victim = path.join(project.folder, 'victim');
  for (let index = 0; index < 66; index += 1)
    mkdirSync(path.join(victim, `folder-${index}`), { recursive: true });
  return victim;
}

test.each(['.', 'runs', 'cache', 'cache/snapshots', 'cache/green'])(
  '%s in .shakedown as a link is refused before anything is written',
  async (name) => {
    const project = trialsProject('services: {}', {
      says: 'steps: [{ command: echo hello }]',
    });
    const victim = makeVictim(project);
    if (name !== '.') mkdirSync(path.dirname(state(project, name)), { recursive: true });
    symlinkSync(victim, state(project, name));
    for (const words of [['up', '--', 'true'], ['run'], ['down'], ['logs']]) {
      if (name !== '.' && (words[0] === 'down' || words[0] === 'logs')) continue;
      const result = await project.run(words);
      expect(result.code, result.output).toBe(3);
      expect(result.output).toMatch(/what +\.shakedown\S*: it is a link/);
    }
    expect(readdirSync(victim)).toHaveLength(66);
  },
);

test('a .shakedown of another user is refused', async () => {
  needs('linux', 'root');
  const project = makeProject({ 'shakedown.yaml': simple });
  mkdirSync(state(project));
  chownSync(state(project), nobody, nobody);
  for (const words of [['up', '--', 'true'], ['down'], ['status']]) {
    const result = await project.run(words);
    expect(result.code, result.output).toBe(3);
    expect(result.output).toContain(`belongs to user ${nobody}, not to us`);
  }
  expect(readdirSync(state(project))).toEqual([]);
});

test('a misspelt config removes nothing of the user’s, and leaves nothing of ours', async () => {
  const project = makeProject({ 'shakedown.yaml': simple.replace('services', 'servicse') });
  expect((await project.run(['up'])).code).toBe(2);
  expect(existsSync(state(project))).toBe(false);
  mkdirSync(state(project, 'mine'), { recursive: true });
  writeFileSync(state(project, 'notes.txt'), 'x');
  expect((await project.run(['up'])).code).toBe(2);
  expect(readdirSync(state(project)).sort()).toEqual(expect.arrayContaining(['mine', 'notes.txt']));
});

test('a project with its own lock, plan and silent keeper cannot name an environment to end', async () => {
  const project = makeProject({ 'shakedown.yaml': simple });
  const other = makeProject({ 'shakedown.yaml': simple });
  await other.run(['up', '--detach']);
  const runFolder = state(project, 'runs', oldRun);
  mkdirSync(runFolder, { recursive: true, mode: 0o700 });
  const theirs = state(other, 'runs', readdirSync(state(other, 'runs'))[0] ?? '');
  cpSync(path.join(theirs, 'plan.json'), path.join(runFolder, 'plan.json'));
  writeFileSync(path.join(runFolder, 'keeper.token'), 'x', { mode: 0o600 });
  writeFileSync(state(project, 'up.json'), JSON.stringify({ run: oldRun, bootId: '' }), { mode: 0o600 });
  const server = createServer();
  const before = process.cwd();
  process.chdir(runFolder);
  server.listen('keeper.sock');
  await new Promise((resolve) => server.once('listening', resolve));
  process.chdir(before);
  onTestFinished(() => void server.close());
  const down = await project.run(['down']);
  expect(down.code, down.output).toBe(2);
  expect(down.output).toContain('its plan belongs to another folder');
  expect((await other.run(['status'])).code).toBe(0);
  expect((await other.run(['down'])).code).toBe(0);
});

const shell = (script: string) => (project: Project) =>
  void execFileSync('sh', ['-c', script], { cwd: state(project) });
const damages: ReadonlyArray<readonly [string, (project: Project) => void]> = [
  ...['{}', '[]', '"x"', 'null', '{"run":5}', '{"run":"a\\u0000b"}', '{"run":"../.."}'].map(
    (text) => [text, (project: Project) => writeFileSync(state(project, 'up.json'), text)] as const,
  ),
  ['a fifo', shell('mkfifo up.json')],
  ['a looping link', shell('ln -s up.json up.json')],
  ['a link to /dev/zero', shell('ln -s /dev/zero up.json')],
  [
    'a socket',
    shell("node -e \"const s=require('net').createServer().listen('up.json',()=>process.exit())\""),
  ],
];

test.each(damages)('a lock that is %s counts as none', async (_name, damage) => {
  const project = makeProject({ 'shakedown.yaml': simple });
  mkdirSync(state(project));
  damage(project);
  const codes: Record<string, number | null> = {};
  for (const verb of ['status', 'down']) {
    codes[verb] = (await project.run([verb], { withinMs: 20_000 })).code;
  }
  expect(codes).toEqual({ status: 2, down: 0 });
  expect(existsSync(state(project, 'up.json'))).toBe(false);
});

test('a lock that is a folder is reported, and one that is a fifo does not block `up`', async () => {
  const project = makeProject({ 'shakedown.yaml': simple });
  mkdirSync(state(project, 'up.json'), { recursive: true });
  for (const verb of ['up', 'down', 'doctor', 'logs']) {
    const result = await project.run([verb]);
    expect(result.code, result.output).toBe(3);
  }
  execFileSync('sh', ['-c', 'rmdir up.json; mkfifo up.json'], { cwd: state(project) });
  const up = await project.run(['up', '--', 'true']);
  expect(up.code, up.output).toBe(0);
});

test.each(['{', '{}', '[]', 'null', '{"runFolder":"HERE","workspace":"/nowhere"}'])(
  'a stale lock with the plan %s is reported by `down`, and `up` continues',
  async (plan) => {
    const project = makeProject({ 'shakedown.yaml': simple });
    const runFolder = state(project, 'runs', oldRun);
    const leave = (): void => {
      mkdirSync(runFolder, { recursive: true, mode: 0o700 });
      writeFileSync(path.join(runFolder, 'plan.json'), plan.replace('HERE', runFolder));
      writeFileSync(state(project, 'up.json'), JSON.stringify({ run: oldRun, bootId: '' }));
    };
    leave();
    const down = await project.run(['down']);
    expect(down.code, down.output).toBe(7);
    expect(down.output).toContain(runFolder);
    expect(down.output).not.toContain('undefined');
    expect((await project.run(['down'])).code).toBe(0);
    leave();
    const up = await project.run(['up', '--', 'true']);
    expect(up.code, up.output).toBe(0);
  },
);

test('a copy of a project that is up: `down` reports the copied plan', async () => {
  const project = makeProject({ 'shakedown.yaml': simple });
  const copy = makeProject({ 'shakedown.yaml': simple });
  await project.run(['up', '--detach']);
  execFileSync('cp', ['-a', state(project), copy.folder]);
  const down = await copy.run(['down', '--json']);
  expect(down.code, down.output).toBe(7);
  expect(JSON.parse(down.stdout).leftBehind).toEqual([
    expect.stringMatching(/^run folder .*: its plan belongs to another folder/),
  ]);
  expect((await project.run(['down'])).code).toBe(0);
});
