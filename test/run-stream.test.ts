/** What other programs drive: `run --stream`, `up --apart` and `rows`. */
import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { notesProject } from './harness/notes-system.ts';
import { binary } from './harness/project.ts';
import { latestVerdict, trialsProject } from './harness/trials-project.ts';
import { nothing } from './harness/until.ts';

const config = 'services: { front: { run: [node, services/answers.mjs], listen: { env: PORT } } }';
const asks = 'steps: [{ http: GET front/, as: page }]\nchecks: { answers: { exchange: page, expect:';
const trials = {
  first: `attempts: 2\n${asks} { status: 200 } } }`,
  second: `${asks} { status: 404 } } }`,
  third: `${asks} { status: 200 } } }`,
};

test('each trial has a line once it is decided, and the verdict is the last', async () => {
  const project = trialsProject(config, trials);
  const { stdout, output } = await project.run(['run', '--json', '--stream', '--parallel', '1']);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(
    lines.map(({ type, trial }) => trial ?? type),
    output,
  ).toEqual([...['run', 'second', 'third', 'first', undefined]]);
  expect(lines[1].outcome).toEqual({
    junit: 'failure',
    ctrf: 'failed',
    type: 'check',
    message: expect.any(String),
  });
  expect(lines[1].text).toContain('expected  404');
  expect(lines[4]).toEqual(latestVerdict(project).verdict);
  expect((await project.run(['run', '--stream'])).stderr).toContain('add `--json`');
});

test('when its input closes, the run is interrupted and everything is taken down', async () => {
  const slow = "steps: [{ command: [sleep, '50'], as: slept, timeout: 60s, expect: { exitCode: 0 } }]";
  const project = trialsProject(config, { ...trials, slow });
  const child = spawn(process.execPath, [binary, 'run', '--json', '--stream', '--parallel', '1'], {
    cwd: project.folder,
    env: { ...process.env, ...project.env },
  });
  child.stdout.on('data', (text) => {
    if (String(text).includes('"trial":"second"')) child.stdin.end();
  });
  expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(130);
  expect(project.left()).toEqual(nothing);
});

test('rows are those of the environment that is up, or of the run that is named', async () => {
  const project = notesProject();
  expect((await project.run(['rows', 'db.notes'])).stderr).toContain('usage.not-up');
  const own = [process.execPath, binary, 'rows', 'db.notes'];
  const up = (...more: readonly string[]) => project.run(['up', ...more]);
  const shown = await up('--', ...own, '--where', '{"text":{"$regex":"job"}}');
  expect(shown.stdout, shown.output).toContain('{"id":1,"text":"from the job"}');
  const apart = await up('--apart', '--', ...own);
  expect(apart.stderr, 'it is not the one that is up here').toContain('usage.not-up');
  expect((await up('--apart')).stderr).toContain('there is no command after `--`');
  expect((await project.run(['rows', 'notes'])).stderr).toContain('shakedown rows db.orders');
  expect((await project.run(['rows', 'db.notes', '--where', '{'])).stderr).toContain('is not JSON');
  expect(project.left()).toEqual(nothing);
});
