/** A printed command can be pasted: it has the config and every option that is needed to repeat it. */
import { expect, test } from 'vitest';
import { makeProject, type Project } from './harness/project.ts';

function odd(): Project {
  return makeProject({
    'odd one.yaml': `name: odd
trials: "trials/**"
settle: 50ms
matrix: { mode: [a, b] }
services: { web: { run: [node, services/answers.mjs], listen: { env: PORT }, ready: { http: / } } }
`,
    'trials/wrong.trial.yaml': `id: wrong
tags: [slow]
steps: [{ http: GET web/, expect: { status: 404 } }]
`,
  });
}

const config = ['--config', 'odd one.yaml'];

test('a run that failed', async () => {
  const chosen = ['--tag', 'slow', '--isolation', 'shared', '--variant', 'mode=b', '--seed', 'abc'];
  const { code, stdout } = await odd().run(['run', 'wrong', ...config, ...chosen, '--bail']);
  expect(code, stdout).toBe(1);
  const shown = stdout.split('\n').filter((line) => line.includes('shakedown '));
  for (const line of shown) expect(line).toContain("--config 'odd one.yaml'");
  const same = shown.find((line) => line.startsWith('same seed'));
  for (const option of [
    '--tag slow',
    '--isolation shared',
    '--variant mode=b',
    '--bail',
    '--seed abc',
    ' wrong',
  ])
    expect(same).toContain(option);
});

test('nothing is up', async () => {
  const project = odd();
  const { stderr } = await project.run(['status', ...config]);
  expect(stderr).toContain("next     start one: shakedown up --config 'odd one.yaml' --detach");
  const { stdout } = await project.run(['status', '--json', '--config=odd one.yaml']);
  expect(JSON.parse(stdout).errors[0].next).toContain("--config 'odd one.yaml'");
});

test('what stays up', async () => {
  const project = odd();
  const { stdout } = await project.run(['up', '--detach', ...config]);
  expect(stdout).toContain("End it: shakedown down --config 'odd one.yaml'");
  await project.run(['down', ...config]);
});
