/** `run --debug` holds the environment at the first failure for inspection. */
import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { binary } from './harness/project.ts';
import { startRunning } from './harness/running.ts';
import { latestVerdict, trialsProject } from './harness/trials-project.ts';
import { nothing } from './harness/until.ts';

const config = `services:
  web: { run: [node, services/answers.mjs], listen: { env: PORT } }`;

test.each([
  {
    what: 'a step',
    failing: 'steps: [{ http: GET web/, as: page, expect: { text: goodbye } }]',
    shown: 'b-fails: step page: expected "goodbye", observed "hello from answers"',
    cause: { kind: 'step' },
  },
  {
    what: 'a check',
    failing:
      'steps: [{ http: GET web/, as: page }]\nchecks: { polite: { exchange: page, expect: { text: goodbye } } }',
    shown: 'b-fails: polite failed',
    cause: { kind: 'check' },
  },
])('at $what that fails, until Ctrl-C', async ({ failing, shown, cause }) => {
  const project = trialsProject(config, {
    'a-holds': 'steps: [{ http: GET web/, expect: { status: 200 } }]',
    'b-fails': failing,
    'c-holds': 'steps: [{ http: GET web/, expect: { status: 200 } }]',
  });
  const running = startRunning(project, ['run', '--debug']);
  await running.says('inspect it; Enter or Ctrl-C ends it');
  expect(running.text()).toContain(shown);
  const [, url = ''] = /web\s+(http:\S+)\s+pid \d+\s+ready/.exec(running.text()) ?? [];
  expect(await (await fetch(url)).text()).toBe('hello from answers');
  running.child.kill('SIGINT');
  // Ctrl-C is the expected answer to the prompt: the exit code is that of the failure.
  expect(await running.ended, running.text()).toBe(1);
  const { verdicts, trial, verdict } = latestVerdict(project);
  expect(verdicts).toEqual({ 'a-holds': 'passed', 'b-fails': 'failed', 'c-holds': 'unknown' });
  expect(trial('b-fails')).toMatchObject({ cause });
  expect(verdict.reasons.map(({ text }) => text)).toContain(
    'one trial was never performed after the first failure: c-holds',
  );
  expect(project.left()).toEqual(nothing);
});

test('terminated while it is held, it ends as terminated', async () => {
  const project = trialsProject(config, { fails: 'steps: [{ http: GET web/, expect: { status: 404 } }]' });
  const running = startRunning(project, ['run', '--debug']);
  await running.says('inspect it');
  running.child.kill('SIGTERM');
  expect(await running.ended, running.text()).toBe(143);
  expect(project.left()).toEqual(nothing);
});

test('Enter from a pipe also ends it', async () => {
  const project = trialsProject(config, { fails: 'steps: [{ http: GET web/, expect: { status: 404 } }]' });
  const child = spawn(process.execPath, [binary, 'run', '--debug'], {
    cwd: project.folder,
    env: { ...process.env, ...project.env, NO_COLOR: '1' },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  child.stderr.on('data', (chunk) => {
    if (String(chunk).includes('inspect it')) child.stdin.write('\n');
  });
  expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(1);
  expect(project.left()).toEqual(nothing);
});
