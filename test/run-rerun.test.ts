/** Every run can be repeated with its seed, by the printed command, from its folder alone. */
import { chmodSync, cpSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readTrialJournal } from '../src/journal/trial-journal.ts';
import { binary, makeProject, type Project } from './harness/project.ts';
import { type CommandResult, runCommand } from './harness/run-command.ts';
import { latestVerdict, performTrials, trialsProject } from './harness/trials-project.ts';
import { nothing } from './harness/until.ts';

const config = `isolation: shared
services:
  web: { run: [node, services/answers.mjs], listen: { env: PORT } }`;

const asks = (status: number): string =>
  `steps: [{ http: "GET web/?\${trial.uid}", expect: { status: ${status} } }]`;

/** The uid of a trial in the latest run. */
async function uidOf(project: Project, id: string): Promise<string> {
  const folder = path.join(project.folder, '.shakedown/latest/trials', id);
  const { events } = await readTrialJournal(folder);
  const started = events.find((event) => event.type === 'attempt.started');
  return started?.type === 'attempt.started' ? started.uid : '';
}

/** Pasted into a shell in which `shakedown` is on PATH. */
async function paste(project: Project, command: string, cwd = project.folder): Promise<CommandResult> {
  const bin = path.join(path.dirname(project.folder), 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(path.join(bin, 'shakedown'), `#!/bin/sh\nexec '${process.execPath}' '${binary}' "$@"\n`);
  chmodSync(path.join(bin, 'shakedown'), 0o755);
  const env = { ...project.env, PATH: `${bin}:${process.env.PATH}` };
  return runCommand(['sh', '-c', command], { cwd, env });
}

test('a run, or one trial of it, is repeated with the same seed; without the seed everything differs', async () => {
  const project = trialsProject(config, { a: asks(200), 'a/b': asks(200), c: asks(404) });
  const { verdict } = await performTrials(project);
  const uids = { a: await uidOf(project, 'a'), c: await uidOf(project, 'c') };
  expect(uids.a).not.toBe(uids.c);

  expect((await project.run(['rerun', 'latest'])).code).toBe(1);
  expect(latestVerdict(project).verdict.seed).toBe(verdict.seed);
  expect(latestVerdict(project).verdicts).toEqual({ a: 'passed', 'a/b': 'passed', c: 'failed' });
  expect({ a: await uidOf(project, 'a'), c: await uidOf(project, 'c') }).toEqual(uids);

  // Not also `a/b`, whose id begins with it.
  const one = await project.run(['rerun', verdict.run, 'a']);
  expect(one.code).toBe(0);
  expect(one.stdout).toContain(`same seed         shakedown run --repeat 1 --seed ${verdict.seed} a\n`);
  expect(latestVerdict(project).verdicts).toEqual({ a: 'passed' });
  expect(await uidOf(project, 'a')).toBe(uids.a);

  await performTrials(project, 'a');
  expect(await uidOf(project, 'a')).not.toBe(uids.a);

  // The run of `up` is newer, but has no trials.
  expect((await project.run(['up', '--', 'true'])).code).toBe(0);
  expect((await project.run(['judge', 'latest'])).code).toBe(0);

  const unknown = await project.run(['rerun', `${verdict.run}x`]);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain(`did you mean \`${verdict.run}\`?`);
});

test('a copied run folder can be repeated from anywhere, with the same verdict', async () => {
  const project = trialsProject(config, { a: asks(404) });
  const { verdict } = await performTrials(project);
  const uid = await uidOf(project, 'a');
  const elsewhere = path.join(path.dirname(project.folder), 'elsewhere');
  cpSync(path.join(project.folder, '.shakedown/latest/'), path.join(elsewhere, 'report'), {
    recursive: true,
  });
  const judged = await paste(project, 'shakedown judge report --json', elsewhere);
  expect(JSON.parse(judged.stdout)).toEqual(verdict);
  const again = await paste(project, 'shakedown rerun report a', elsewhere);
  expect(again.code, again.output).toBe(1);
  expect(await uidOf(project, 'a')).toBe(uid);
  // On another machine the project is elsewhere: then the one in the working folder is used.
  const moved = path.join(path.dirname(project.folder), 'moved');
  renameSync(project.folder, moved);
  const there = await paste(project, 'shakedown rerun ../elsewhere/report', moved);
  expect(there.code, there.output).toBe(1);
  expect(await uidOf({ ...project, folder: moved }, 'a')).toBe(uid);
  expect(project.left()).toEqual(nothing);
});

test('the command printed at a failure works as printed, also for a case and with another config', async () => {
  const project = makeProject({
    'deep inside/system.yaml': `name: example
services:
  web: { run: [node, ../services/answers.mjs], listen: { env: PORT } }`,
    'deep inside/a.trial.yaml': `id: a\ncases: { one: { n: 404 }, two: { n: 200 } }
steps: [{ http: GET web/, expect: { status: "\${case.n}" } }]`,
  });
  const first = await project.run(['run', '--config', 'deep inside/system.yaml']);
  expect(first.code, first.output).toBe(1);
  const [, printed = ''] = / again +(shakedown rerun .*)\n/.exec(first.output) ?? [];
  expect(printed).toMatch(/^shakedown rerun --config 'deep inside\/system\.yaml' [\w-]+ 'a\[one\]'$/);
  const [, whole = ''] = / more +(shakedown .*)\n/.exec(first.output) ?? [];
  expect((await paste(project, whole)).stdout).toContain('Who answered what');
  const pasted = await paste(project, printed);
  expect(pasted.code, pasted.output).toBe(1);
  expect(pasted.stdout).toContain('✗ a[one]  failed');
  expect(pasted.stdout).toContain('1 trial in');
});
