/** However a run is ended, its report is true, and nothing is left of it. */

import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { signalIfThere } from '../src/environment/containment/end-processes.ts';
import { needs } from './harness/needs.ts';
import type { Project } from './harness/project.ts';
import { type Running, startRunning } from './harness/running.ts';
import { latestVerdict, trialsProject } from './harness/trials-project.ts';
import { isNothing, nothing, until } from './harness/until.ts';

const config = `isolation: shared
services:
  web: { run: [node, services/answers.mjs], listen: { env: PORT } }`;

const quick = 'steps: [{ http: GET web/, expect: { status: 200 } }]';
/** A program of the trial, with a child outside of its process group. */
const busy = `timeout: 100s
steps:
  - http: GET web/
    expect: { status: 200 }
  - command: setsid sleep 4716 & sleep 4717
    timeout: 90s
    as: program
    expect: { exitCode: 0 }
checks: { ended-well: { exchange: program, expect: { exitCode: 0 } }, in-order: { order: [{ exchange: program }, { calls: outside -> web }] } }`;

function interruptible(): Project {
  needs('linux', 'setsid');
  return trialsProject(config, { '1-quick': quick, '2-busy': busy, '3-never': quick });
}

/** What a run has written so far into a file of its folder. */
function written(project: Project, file: string): string {
  const place = path.join(project.folder, '.shakedown/latest', file);
  return existsSync(place) ? readFileSync(place, 'utf8') : '';
}

async function startAndAwait(
  project: Project,
  [file, text]: readonly [file: string, text: string],
  ...args: readonly string[]
): Promise<Running> {
  const running = startRunning(project, ['run', '--parallel', '1', ...args]);
  await until(
    `${file} says ${text}`,
    20_000,
    () => written(project, file),
    (seen) => seen.includes(text),
  );
  return running;
}

const inTheMiddle = ['trials/2-busy/events.ndjson', '"step.started","step":"program"'] as const;

describe('in the middle of a trial', () => {
  test.each([
    { signal: 'SIGINT', code: 130 },
    { signal: 'SIGTERM', code: 143 },
  ] as const)('$signal ends it with $code', async ({ signal, code }) => {
    const project = interruptible();
    const running = await startAndAwait(project, inTheMiddle);
    running.child.kill(signal);
    expect(await running.ended, running.text()).toBe(code);
    const { verdict, verdicts, trial } = latestVerdict(project);
    expect(verdict).toMatchObject({
      exitCode: code,
      verdict: 'unknown',
      counts: { selected: 3, executed: 2, failed: 0 },
    });
    expect(verdicts).toEqual({ '1-quick': 'passed', '2-busy': 'unknown', '3-never': 'unknown' });
    expect(trial('2-busy').cause).toMatchObject({ kind: 'interrupted' });
    const shown = verdict.reasons.map(({ text }) => text);
    expect(shown).toContain(`interrupted by ${signal}`);
    expect(shown).toContain('one trial was never performed: 3-never');
    expect(project.left()).toEqual(nothing);
  });

  test('a second SIGINT forces the stop', async () => {
    const project = trialsProject(
      'services:\n  deaf: { run: [node, services/ignores-sigterm.mjs], listen: { env: PORT }, stop: { within: 300s } }\nteardown: { within: 300s }',
      { waits: 'timeout: 90s\nsteps: [{ command: sleep 4717, timeout: 80s, as: program }]' },
    );
    const running = await startAndAwait(project, ['trials/waits/events.ndjson', 'step.started']);
    running.child.kill('SIGINT');
    await until(
      'the environment goes down',
      20_000,
      () => written(project, 'environments/1/events.ndjson'),
      (seen) => seen.includes('environment.stopping'),
    );
    running.child.kill('SIGINT');
    expect(await running.ended, running.text()).toBe(130);
    expect(written(project, 'environments/1/events.ndjson')).toContain('"how":"killed"');
    expect(project.left()).toEqual(nothing);
  });
});

test('a run folder that is removed meanwhile is reported, and nothing is left', async () => {
  const project = trialsProject(config, { one: 'steps: [{ command: [sleep, "2"] }, { http: GET web/ }]' });
  const running = await startAndAwait(project, ['trials/one/events.ndjson', 'step.started']);
  rmSync(path.join(project.folder, '.shakedown'), { recursive: true, force: true });
  expect(await running.ended, running.text()).toBe(3);
  expect(running.text()).toContain('the run folder was removed or moved while the run was under way');
  await until('everything is gone', 20_000, () => project.left(), isNothing);
});

test('SIGINT during the boot does not wait for its end', async () => {
  const project = trialsProject(
    'services:\n  web: { run: [node, services/never-ready.mjs], listen: { env: PORT }, ready: { http: /, within: 300s } }\nboot: { within: 300s }',
    { one: quick },
  );
  const running = await startAndAwait(project, ['environments/1/events.ndjson', 'node.started']);
  running.child.kill('SIGINT');
  expect(await running.ended, running.text()).toBe(130);
  const { verdict, verdicts } = latestVerdict(project);
  expect(verdicts).toEqual({ one: 'unknown' });
  expect(verdict.reasons.map(({ exitCode }) => exitCode).sort()).toEqual([130, 6]);
  expect(project.left()).toEqual(nothing);
});

test('SIGINT during a renewal ends the run; trials with fewer attempts than requested are unknown', async () => {
  // Ready the first time only.
  const start =
    'if [ -e "$PLACE" ]; then exec sleep 4718; fi; touch "$PLACE"; exec node services/answers.mjs';
  const project = trialsProject(
    `services:
  web: { run: [sh, -c, ${JSON.stringify(start)}], listen: { env: PORT }, env: { PLACE: "\${config.dir}/mark" }, ready: { http: /, within: 300s } }
boot: { within: 300s }`,
    { one: quick },
  );
  const running = await startAndAwait(
    project,
    ['environments/1/events.ndjson', 'node.exited'],
    '--repeat',
    '3',
  );
  running.child.kill('SIGINT');
  expect(await running.ended, running.text()).toBe(130);
  expect(latestVerdict(project).trial('one')).toMatchObject({
    verdict: 'unknown',
    attempts: 1,
    cause: { kind: 'interrupted', text: 'it was performed 1 of 3 times' },
  });
  expect(project.left()).toEqual(nothing);
});

describe('kill -9', () => {
  test.each(['namespace', 'ledger'] as const)(
    'of the runner takes services, environment and the trial’s own program with it, contained by %s',
    async (containment) => {
      const project = interruptible();
      const running = await startAndAwait(project, inTheMiddle, '--containment', containment);
      running.child.kill('SIGKILL');
      await running.ended;
      await until('nothing is left', 10_000, () => project.left(), isNothing);
      // The run was not judged; `judge` does it now, and reports that the end is missing.
      const judged = await project.run(['judge']);
      expect(judged.code, judged.output).toBe(6);
      expect(judged.stdout).toContain('the run did not finish');
    },
  );

  test('of all our processes at once: the next run removes what is left, and runs', async () => {
    const project = interruptible();
    await startAndAwait(project, inTheMiddle, '--containment', 'ledger');
    const ours = project.left().processes.filter(({ commandLine }) => !commandLine.startsWith('sleep'));
    // A process may end because another has.
    for (const { pid } of ours) signalIfThere(pid, 'SIGKILL');
    const next = await project.run(['run', '1-quick']);
    expect(next.code, next.output).toBe(0);
    expect(next.stderr).toContain('removed what the crashed environment');
    await until('nothing is left', 10_000, () => project.left(), isNothing);
  });
});
