/** A keeper that is stopped cannot clear away; whoever waits for it hears so, and nothing stays. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeProject, type Project } from './harness/project.ts';
import { startRunning } from './harness/running.ts';
import { isNothing, nothing, until } from './harness/until.ts';

const simple =
  'name: simple\nservices: { web: { run: [node, services/answers.mjs], listen: { env: PORT } } }\n';

async function stopKeeper(project: Project): Promise<void> {
  const status = await project.run(['status', '--json']);
  process.kill(JSON.parse(status.stdout).keeper.pid, 'SIGSTOP');
}

test('when whoever started it is killed, the guard ends it and sweeps', async () => {
  const ends = ['namespace', 'ledger'].map(async (containment) => {
    const project = makeProject({ 'shakedown.yaml': simple });
    const up = startRunning(project, ['up', '--containment', containment]);
    await up.says('Held open');
    await stopKeeper(project);
    up.child.kill('SIGKILL');
    await until(`nothing is left of ${containment}`, 50_000, project.left, isNothing);
  });
  await Promise.all(ends);
});

test('`up -- COMMAND` ends when the command has ended; one that was left behind on purpose is told by `status`', async () => {
  const endsWithCommand = async (): Promise<void> => {
    const project = makeProject({ 'shakedown.yaml': simple });
    const up = startRunning(project, [
      'up',
      '--',
      'sh',
      '-c',
      'echo begun; until test -e go; do sleep 0.1; done',
    ]);
    await up.says('begun');
    await stopKeeper(project);
    writeFileSync(path.join(project.folder, 'go'), '');
    expect(await up.ended, up.text()).toBe(0);
    expect(project.left(), up.text()).toEqual(nothing);
  };
  const staysUntilDown = async (): Promise<void> => {
    const project = makeProject({ 'shakedown.yaml': simple });
    await project.run(['up', '--detach']);
    await stopKeeper(project);
    const status = await project.run(['status']);
    expect(status.output).toContain('does not answer');
    expect(status.code).toBe(3);
    expect(project.left().processes.length).toBeGreaterThan(0);
    const down = await project.run(['down']);
    expect(down.code, down.output).toBe(0);
    expect(project.left()).toEqual(nothing);
  };
  await Promise.all([endsWithCommand(), staysUntilDown()]);
});
