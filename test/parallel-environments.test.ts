/** A run has several environments in folders inside its own; after kill -9 none of them is left. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { signalIfThere } from '../src/environment/containment/end-processes.ts';
import { openProcessTable } from '../src/environment/containment/process-table.ts';
import { markerVariable } from '../src/environment/wiring/hermetic-env.ts';
import { holdEnvironments } from './harness/held-environments.ts';
import { addNote, notesAt, notesProject } from './harness/notes-system.ts';
import type { Project } from './harness/project.ts';
import { isNothing, until } from './harness/until.ts';

function gone(project: Project): Promise<unknown> {
  return until('nothing is left', 20_000, () => project.left(), isNothing);
}

test('two environments are isolated from each other and from that of `up`', async () => {
  const project = notesProject();
  const { environments, end } = await holdEnvironments(project, { environments: 2 });
  const [one, two] = environments as [(typeof environments)[number], (typeof environments)[number]];
  expect(path.dirname(one.runFolder)).toBe(path.dirname(two.runFolder));
  expect(one.runFolder).toMatch(/\.shakedown\/runs\/[^/]+\/environments\/1$/);
  for (const { runFolder } of environments)
    expect(readdirSync(runFolder)).toEqual(
      expect.arrayContaining(['plan.json', 'events.ndjson', 'keeper.log', 'services']),
    );
  // Neither locks the folder, and neither is the latest run.
  expect(existsSync(path.join(project.folder, '.shakedown/latest'))).toBe(false);
  expect((await project.run(['status'])).output).toContain('usage.not-up');
  expect((await project.run(['up', '--', 'true'])).code).toBe(0);
  await addNote(await one.urlOf('notes'), 'only here');
  expect((await notesAt(await one.urlOf('notes'))).rows).toHaveLength(2);
  expect((await notesAt(await two.urlOf('notes'))).rows).toHaveLength(1);
  expect(await end()).toEqual([
    { leftBehind: [], problems: [] },
    { leftBehind: [], problems: [] },
  ]);
  await gone(project);
}, 60_000);

test.each([
  ['namespace', [0, 60]],
  ['ledger', [15, 250]],
] as const)(
  'kill -9 of their launcher in the middle of a renewal, contained by %s',
  async (containment, moments) => {
    for (const afterMs of moments) {
      const project = notesProject();
      const { environments, launcher } = await holdEnvironments(project, { environments: 2, containment });
      const renewals = environments.map(({ keeper }) =>
        keeper.ask('renew', { level: 'fresh' }).catch((error: unknown) => error),
      );
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      launcher.kill('SIGKILL');
      await Promise.all(renewals);
      await gone(project);
    }
  },
  120_000,
);

test('kill -9 of all our processes at once is swept by the next command', async () => {
  const project = notesProject();
  await holdEnvironments(project, { environments: 2, containment: 'ledger' });
  // Stopped first, so that no process notices the end of another.
  for (const signal of ['SIGSTOP', 'SIGKILL'] as const)
    for (const { pid } of project.left().processes) signalIfThere(pid, signal);
  await until(
    'all of ours are gone',
    5_000,
    () => project.left().processes,
    (left) => left.length === 0,
  );
  expect(project.left().folders).toHaveLength(2);
  await project.run(['down']);
  await gone(project);
}, 60_000);

test.each(['namespace', 'ledger'] as const)(
  'all programs beside an environment end with its launcher, contained by %s',
  async (containment) => {
    const project = notesProject();
    const { environments, launcher } = await holdEnvironments(project, { containment });
    const [{ keeper }] = environments as [(typeof environments)[number]];
    const { environment } = await keeper.ask('status', {});
    const commands = [1, 2, 3].map(() => {
      const env = { ...process.env, [markerVariable]: environment, ...project.env };
      const child = spawn('sleep', ['4715'], { env, stdio: 'ignore', detached: true });
      const identity = openProcessTable().identify(child.pid as number);
      if (!identity) throw new Error('it ended at once');
      return { child, identity };
    });
    for (const { identity } of commands)
      await keeper.ask('commandStarted', { argv: ['sleep', '4715'], process: identity });
    const [first] = commands as [(typeof commands)[number]];
    first.child.kill();
    await keeper.ask('commandEnded', { pid: first.identity.pid, code: null, signal: 'SIGTERM' });
    launcher.kill('SIGKILL');
    await gone(project);
  },
  60_000,
);
