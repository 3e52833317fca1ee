/** When no environment can be booted, the run ends and reports once what it did not run; a lost one is replaced. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { connectKeeper } from '../src/environment/keeper/keeper-client.ts';
import { systemClock } from '../src/kernel/clock.ts';
import type { Project } from './harness/project.ts';
import { startRunning } from './harness/running.ts';
import { latestVerdict, performTrials, trialsProject } from './harness/trials-project.ts';
import { nothing, until } from './harness/until.ts';

const step = 'steps: [{ http: GET web/, expect: { status: 200 } }]';

test('when a system does not boot a second time, the remaining trials are reported once as not run', async () => {
  const project = trialsProject(
    'services:\n  web: { run: [node, services/boots-once.mjs], listen: { env: PORT }, env: { PLACE: "${config.dir}" } }',
    { a: step, b: step, c: step, d: step },
  );
  const { code, text, verdict, verdicts } = await performTrials(project, '--parallel', '1');
  expect(code, text).toBe(3);
  expect(verdicts).toEqual({ a: 'passed', b: 'unknown', c: 'unknown', d: 'unknown' });
  expect(verdict.reasons.map(({ exitCode }) => exitCode)).toEqual([3, 6]);
  expect(
    text.split('3 trials were never performed because no environment was available: b, c, d'),
  ).toHaveLength(2);
  expect(text.split('error[boot.process-exited]')).toHaveLength(2);
  expect(text).toContain('the license is used up');
});

/** The pid of the keeper of an environment of the latest run. */
async function keeperOf(project: Project, environment: string): Promise<number> {
  const folder = path.join(project.folder, '.shakedown/latest/environments', environment);
  const keeper = await until('the keeper answers', 20_000, () => connectKeeper(folder, systemClock), Boolean);
  const status = await keeper?.ask('status', {});
  keeper?.close();
  return status?.keeper.pid ?? 0;
}

test('when a keeper is killed, only its current trial is affected; the rest continues in a new environment', async () => {
  const project = trialsProject(
    'services:\n  web: { run: [node, services/does-as-told.mjs], listen: { env: PORT } }',
    {
      a: step,
      b: 'steps: [{ http: GET web/wait, timeout: 50s, expect: { status: 200 } }]',
      c: step,
      d: step,
    },
  );
  const running = startRunning(project, ['run', '--parallel', '1']);
  const waits = path.join(project.folder, '.shakedown/latest/trials');
  await until(
    'b has begun',
    20_000,
    () => readdirSync(project.folder).includes('.shakedown') && list(waits),
    (seen) => seen !== false && seen.includes('b'),
  );
  process.kill(await keeperOf(project, '1'), 'SIGKILL');
  const code = await running.ended;
  const { verdicts, trial } = latestVerdict(project);
  expect(verdicts, running.text()).toEqual({ a: 'passed', b: 'unknown', c: 'passed', d: 'passed' });
  expect(trial('b').cause).toMatchObject({ kind: 'environment' });
  expect(code, running.text()).toBe(6);
  expect(readdirSync(path.join(project.folder, '.shakedown/latest/environments'))).toEqual(['1', '2']);
  expect(project.left()).toEqual(nothing);
});

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // not yet
  }
}
