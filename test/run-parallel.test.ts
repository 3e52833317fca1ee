/** Several environments run trials in parallel, but never trials of the same group. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Project } from './harness/project.ts';
import { type Files, performTrials, trialsProject } from './harness/trials-project.ts';
import { nothing } from './harness/until.ts';

/** The services of all environments share one folder. */
function meeting(trials: Files): Project {
  return trialsProject(
    `services:
  hall: { run: [node, services/meets-others.mjs], listen: { env: PORT }, env: { PLACE: "\${config.dir}" } }`,
    trials,
  );
}

const meets = (at: string, guests: number): string =>
  `steps: [{ http: "GET hall/meet?at=${at}&guests=${guests}", timeout: 25s, expect: { status: 200 } }]`;

test('three trials run in three environments at the same time, and each sees the others', async () => {
  const project = meeting({ a: meets('noon', 3), b: meets('noon', 3), c: meets('noon', 3) });
  const { code, text, verdicts } = await performTrials(project, '--parallel', '3');
  expect(code, text).toBe(0);
  expect(verdicts).toEqual({ a: 'passed', b: 'passed', c: 'passed' });
  expect(readdirSync(path.join(project.folder, '.shakedown/latest/environments'))).toEqual(['1', '2', '3']);
});

test('trials of one group never overlap, while others run beside them', async () => {
  const alone = (room: string, ...groups: readonly string[]): string =>
    `groups: [${groups.join(', ')}]\nsteps: [{ http: GET hall/alone?in=${room}, expect: { status: 200 } }]`;
  const project = meeting({
    'a-1': alone('cellar', 'cellar'),
    'a-2': alone('cellar', 'attic', 'cellar'),
    'a-3': alone('cellar', 'cellar'),
    'a-4': alone('attic', 'attic'),
    'b-1': meets('noon', 2),
    'b-2': meets('noon', 2),
  });
  const { code, text } = await performTrials(project, '--parallel', '3', '--repeat', '2');
  expect(code, text).toBe(0);
});

test('two runs in one folder at the same time do not affect each other', async () => {
  const project = meeting({ a: meets('noon', 2) });
  const [one, two] = await Promise.all([project.run(['run', '--json']), project.run(['run', '--json'])]);
  expect([one.code, two.code], one.output + two.output).toEqual([0, 0]);
  const runs = [one, two].map(({ stdout }) => (JSON.parse(stdout) as { run: string }).run);
  expect(readdirSync(path.join(project.folder, '.shakedown/runs')).sort()).toEqual([...runs].sort());
  for (const run of runs) expect((await project.run(['judge', run])).code).toBe(0);
  expect(project.left()).toEqual(nothing);
});

test('a fixed port is used by one environment at a time', async () => {
  const project = trialsProject(
    'services:\n  web: { run: [node, services/answers.mjs], listen: { port: 18473 }, env: { PORT: "18473" } }',
    { a: 'steps: [{ http: GET web/ }]', b: 'steps: [{ http: GET web/ }]' },
  );
  const { code, stderr } = await project.run(['run', '--parallel', '2']);
  expect(code).toBe(2);
  expect(stderr).toContain('service web has a fixed port, which only one environment at a time can have');
});
