import { expect, test } from 'vitest';
import { type Problem, problemsIn } from '../src/kernel/problem.ts';
import { environmentWithLedgerFault } from './faults/environment-in-process.ts';
import { makeProject, type Project } from './harness/project.ts';
import { nothing, until } from './harness/until.ts';

/** Boots with a ledger that refuses its n-th entry, takes it down, and returns the outcome of the boot. */
async function bootAndStop(project: Project, entry: number): Promise<Problem | undefined> {
  const { environment } = await environmentWithLedgerFault(project, entry);
  const outcome = await environment.boot().then(
    () => undefined,
    (error: unknown) => problemsIn(error)[0],
  );
  expect(await environment.stop({ forceStop: true })).toEqual([]);
  // The children of a killed database server end a moment later.
  await until(
    `nothing runs after entry ${entry}`,
    5_000,
    () => project.left().processes,
    (left) => left.length === 0,
  );
  return outcome;
}

test('whichever entry of the ledger cannot be written, the boot fails with a full disk and no process is left', async () => {
  const project = makeProject({
    'shakedown.yaml': `name: steps
jobs: { setup: { run: [sleep, "0.2"] } }
services:
  one: { run: [node, services/answers.mjs], listen: { env: PORT }, after: [setup] }
  two: { run: [node, services/ignores-sigterm.mjs], listen: { env: PORT }, after: [one] }
`,
  });
  const outcomes: Array<string | undefined> = [];
  for (let entry = 1; entry === 1 || outcomes.at(-1) !== undefined; entry += 1) {
    expect(entry, 'the boot never passed untouched').toBeLessThan(20);
    outcomes.push((await bootAndStop(project, entry))?.code);
  }
  // An intent and a process for the job and each service, then the undisturbed boot.
  expect(outcomes).toEqual([...Array.from({ length: 6 }, () => 'world.disk-full'), undefined]);
}, 120_000);

test('the same with a database server among the steps', async () => {
  const project = makeProject({
    'shakedown.yaml': `name: steps
resources: { db: { kind: postgres } }
services: { one: { run: [node, services/answers.mjs], listen: { env: PORT }, env: { DB: "\${db.url}" } } }
`,
  });
  for (let entry = 1; entry <= 8; entry += 1) await bootAndStop(project, entry);
}, 120_000);

test('a failed boot whose teardown takes longer than usual is waited for: nothing is left behind', async () => {
  const project = makeProject({
    'shakedown.yaml': `name: stubborn
services:
  stubborn: { run: [sh, -c, "trap '' TERM; echo up; while :; do sleep 0.2; done"], ready: { log: up }, stop: { within: 24s } }
  weak: { run: [sh, -c, 'exit 1'], after: [stubborn], ready: { log: never } }
`,
    'one.trial.yaml':
      'id: one\nsteps: [{ command: [echo] }]\nchecks: { quiet: { logs: stubborn, match: never, count: 0 } }\n',
  });
  const result = await project.run(['run'], { withinMs: 90_000 });
  expect(result.output).toContain('boot.process-exited');
  expect(result.output).not.toContain('left.behind');
  expect(result.code, result.output).toBe(3);
  expect(project.left()).toEqual(nothing);
});
