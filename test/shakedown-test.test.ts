/** `shakedown/test`: a case for each trial, and a booted system, in node:test and in Vitest. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, inject, test } from 'vitest';
import { notesProject } from './harness/notes-system.ts';
import type { Project } from './harness/project.ts';
import { projectFolder } from './harness/project-files.ts';
import { runCommand } from './harness/run-command.ts';
import { trialsProject } from './harness/trials-project.ts';
import { isNothing, nothing, until } from './harness/until.ts';

const config = `isolation: shared
services:
  hall: { run: [node, services/meets-others.mjs], listen: { env: PORT }, env: { PLACE: "\${config.dir}" } }`;
const asks = 'steps: [{ http: GET hall/, as: page }]\nchecks: { answers: { exchange: page, expect:';
const right = `${asks} { status: 200 } } }`;

const oneOfEach = {
  'a-proven': `steps: [{ http: GET hall/, as: page }]\nchecks: { silent: { logs: hall, count: 0, provenBy: fine } }`,
  empty: 'steps: [{ http: GET hall/ }]',
  fine: right,
  skipped: `needs: [{ env: NOT_SET_ANYWHERE }]\n${right}`,
  wrong: `${asks} { status: 404 } } }`,
};

const registers = {
  'node:test': `import { after, test } from 'node:test';
import { trials } from 'shakedown/test';
await trials({ test, after, select: process.env.SELECT?.split(' ') });`,
  vitest: `import { afterAll, test } from 'vitest';
import { trials } from 'shakedown/test';
await trials({ test, after: afterAll, select: process.env.SELECT?.split(' ') });`,
};

const words = {
  'node:test': [process.execPath, '--test', '--test-reporter=spec', 'cases.test.mjs'],
  vitest: [
    process.execPath,
    path.join(projectFolder, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=verbose',
  ],
};

type Runner = keyof typeof words;
const runners = Object.keys(words) as Runner[];

function installed(project: Project): Project {
  const modules = path.join(project.folder, 'node_modules');
  mkdirSync(modules);
  symlinkSync(inject('builtPackage'), path.join(modules, 'shakedown'));
  symlinkSync(path.join(projectFolder, 'node_modules/vitest'), path.join(modules, 'vitest'));
  return project;
}

const cases = (runner: Runner): Project =>
  installed(trialsProject(config, oneOfEach, { 'cases.test.mjs': registers[runner] }));

function runTests(project: Project, runner: Runner, env: Readonly<Record<string, string>> = {}) {
  return runCommand(words[runner], { cwd: project.folder, env: { ...project.env, ...env } });
}

test.each(runners)(
  '%s: each trial is a case of one run, with its checks in the text of its failure',
  async (runner) => {
    const project = cases(runner);
    const { code, output } = await runTests(project, runner);
    expect(code, output).toBe(1);
    expect(output).toMatch(/[✔✓].* fine\b/);
    expect(output).toMatch(/[✖×].* wrong\b/);
    expect(output).toMatch(/[✖×].* a-proven\b/);
    expect(output).toMatch(/(?:﹣|↓).* skipped\b.*needs the environment variable NOT_SET_ANYWHERE/);
    expect(output).toMatch(/expected {2}404\n +observed {2}200/);
    expect(output).toMatch(/\? empty.+it checks nothing/);
    expect(project.left()).toEqual(nothing);
  },
);

test.each(runners)('%s: only what is selected becomes a case', async (runner) => {
  const project = cases(runner);
  const { code, output } = await runTests(project, runner, { SELECT: 'fine' });
  expect(code, output).toBe(0);
  expect(output).not.toMatch(/wrong|empty/);
});

test('what the run as a whole did not hold fails the file', async () => {
  const files = { 'cases.test.mjs': registers['node:test'] };
  const project = installed(trialsProject(config, { fine: right, skipped: oneOfEach.skipped }, files));
  const { code, output } = await runTests(project, 'node:test', { SELECT: '--no-skips' });
  expect(code, output).toBe(1);
  expect(output).toMatch(/skipped was skipped .*no skip is allowed/);
});

test.each(runners)('%s: a system that does not boot is explained once', async (runner) => {
  const broken = 'services: { hall: { run: [sh, -c, "echo no hall today; exit 3"], listen: { env: PORT } } }';
  const files = { 'cases.test.mjs': registers[runner] };
  const project = installed(trialsProject(broken, { anna: right, berta: right }, files));
  const { code, output } = await runTests(project, runner);
  expect(code, output).toBe(1);
  expect(output).toMatch(/boot\.process-exited[\s\S]*no hall today[\s\S]*anna {2}unknown/);
  expect(project.left()).toEqual(nothing);
});

const uses = `const url = environment.url('notes');
  assert.equal(url, environment.env.SHAKEDOWN_NOTES_URL);
  assert.ok(environment.edges.some((edge) => edge.from === 'outside' && edge.url === url));
  await fetch(url + '/note?text=hello');
  assert.ok((await environment.journal()).some(({ path }) => path === '/note?text=hello'));
  assert.deepEqual(await environment.rows('db.notes', { text: 'hello' }), [{ id: 101, text: 'hello' }]);
  assert.throws(() => environment.url('nobody'), /allowed +db, notes/);
  await assert.rejects(environment.rows('db.novels'), /shakedown rows db.novels/);`;

const owns = {
  'node:test': `import assert from 'node:assert';
import { after, test } from 'node:test';
import { openEnvironment } from 'shakedown/test';
const environment = await openEnvironment({ after });
test('own', async () => {
  ${uses}
});`,
  vitest: `import assert from 'node:assert';
import { test as base } from 'vitest';
import { environmentFixture } from 'shakedown/test';
const test = base.extend({ environment: environmentFixture() });
test('own', { timeout: 40_000 }, async ({ environment }) => {
  ${uses}
});`,
};

test.each(runners)(
  '%s: the environment has addresses, edges, rows and the journal, and goes down',
  async (runner) => {
    const project = installed(notesProject());
    writeFileSync(path.join(project.folder, 'cases.test.mjs'), owns[runner]);
    const { code, output } = await runTests(project, runner);
    expect(code, output).toBe(0);
    expect(project.left()).toEqual(nothing);
  },
);

test.each(['SIGINT', 'SIGKILL'] as const)('after %s no environment is left', async (signal) => {
  const holds = `import { openEnvironment } from 'shakedown/test';
import { writeFileSync } from 'node:fs';
const environment = await openEnvironment();
writeFileSync('held', environment.runFolder);
setInterval(() => {}, 1000);`;
  const project = installed(trialsProject(config, { fine: right }, { 'holds.mjs': holds }));
  const running = spawn(process.execPath, ['holds.mjs'], {
    cwd: project.folder,
    env: { ...process.env, ...project.env },
  });
  const held = path.join(project.folder, 'held');
  await until('it is held', 40_000, () => existsSync(held), Boolean);
  running.kill(signal);
  await until('nothing is left', 20_000, () => project.left(), isNothing);
});
