/** The order is drawn from the seed, each round has its own, and a trial that does not always pass is unstable. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Project } from './harness/project.ts';
import { latestVerdict, performTrials, trialsProject } from './harness/trials-project.ts';

const config = `isolation: shared
services:
  hall: { run: [node, services/meets-others.mjs], listen: { env: PORT }, env: { PLACE: "\${config.dir}" } }`;

const step = 'steps: [{ http: GET hall/, expect: { status: 200 } }]';

/** Ids in the order in which they ran, by round. */
async function orders(project: Project, ...args: readonly string[]): Promise<readonly string[]> {
  const { code, stdout, output } = await project.run(['run', '--parallel', '1', ...args]);
  expect(code, output).toBe(0);
  const performed = [...stdout.matchAll(/^✓ (\w+)(?: \((\d) of \d\))?/gm)];
  const rounds = Map.groupBy(performed, ([, , round = '1']) => round);
  return [...rounds.values()].map((round) => round.map(([, id]) => id).join(''));
}

test('a shuffled order is repeated with its seed; every round has its own order', async () => {
  const letters = ['a', 'b', 'c', 'd'];
  const project = trialsProject(config, Object.fromEntries(letters.map((id) => [id, step])));
  const first = await orders(project, '--shuffle', '--seed', 'one', '--repeat', '2');
  for (const order of first) expect([...order].sort().join('')).toBe('abcd');
  // Neither in file order, nor the same twice.
  expect(new Set([...first, 'abcd']).size).toBe(3);
  expect(await orders(project, '--shuffle', '--seed', 'one', '--repeat', '2')).toEqual(first);
  expect(await orders(project, '--shuffle', '--seed', 'two')).not.toEqual(first.slice(0, 1));
});

test('a trial that passes and fails is unstable, and is reported with the failed attempt', async () => {
  const project = trialsProject(config, {
    alternates: 'steps: [{ http: GET hall/turn?of=it, expect: { status: 200 } }]',
    steady: step,
  });
  const { code, text, trial, verdicts } = await performTrials(project, '--repeat', '3', '--parallel', '1');
  expect(code, text).toBe(1);
  expect(verdicts).toEqual({ alternates: 'unstable', steady: 'passed' });
  expect(trial('alternates')).toMatchObject({
    attempts: 3,
    folder: 'trials/alternates/@2',
    cause: { kind: 'step', text: 'step #1: expected 200, observed 500' },
  });
  expect(trial('steady').attempts).toBe(3);
  expect(text).toContain('alternates unstable: step #1');
  expect(text).toContain('1 passed, 1 unstable');
  // A rerun repeats all attempts: a single one would pass.
  const again = await project.run(['rerun', 'latest', 'alternates']);
  expect(again.code, again.output).toBe(1);
  expect(latestVerdict(project).trial('alternates')).toMatchObject({ verdict: 'unstable', attempts: 3 });
});

test('--bail starts nothing after the first trial that did not pass, and reports what was not run', async () => {
  const project = trialsProject(config, {
    a: step,
    b: 'steps: [{ http: GET hall/, expect: { status: 404 } }]',
    c: step,
    d: step,
  });
  const { code, text, verdicts, verdict } = await performTrials(project, '--bail', '--parallel', '1');
  expect(code, text).toBe(1);
  expect(verdicts).toEqual({ a: 'passed', b: 'failed', c: 'unknown', d: 'unknown' });
  expect(verdict.counts).toMatchObject({ selected: 4, executed: 2 });
  expect(text).toContain('2 trials were never performed after the first failure: c, d');
  expect(existsSync(path.join(project.folder, '.shakedown/latest/trials/c'))).toBe(false);
});
