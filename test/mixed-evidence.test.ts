/** Runs whose folders were mixed up or damaged: each is reported, and none is mistaken for another. */
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { RunVerdict } from '../src/checks/verdict.ts';
import { openDocument } from '../src/journal/seal.ts';
import type { Project } from './harness/project.ts';
import { latestVerdict, performTrials, unfolded } from './harness/trials-project.ts';
import { failing, held, shopProject } from './requirements/harness.ts';

/** A run in which all passed, and one after it in which `b` failed. */
async function greenThenRed(): Promise<{ project: Project; reference: string; red: string }> {
  const project = shopProject('- { id: A-1, text: One., priority: p0 }\n', {
    a: held,
    b: `covers: [A-1]\n${held}`,
  });
  expect((await performTrials(project)).code).toBe(0);
  const reference = latestVerdict(project).verdict.run;
  writeFileSync(path.join(project.folder, 'trials/b.trial.yaml'), `id: b\ncovers: [A-1]\n${failing}\n`);
  expect((await performTrials(project)).code).toBe(1);
  return { project, reference, red: latestVerdict(project).verdict.run };
}

/** Nothing ever writes into it. */
function pipeAt(file: string): void {
  rmSync(file);
  execFileSync('mkfifo', [file]);
}

function folderOf(project: Project, run: string): string {
  return path.join(project.folder, '.shakedown/runs', run);
}

test('`latest` is the run that the link names, however damaged', async () => {
  const { project, red } = await greenThenRed();
  const refuse = async (...verbs: readonly string[]): Promise<void> => {
    const shown = await Promise.all(verbs.map((verb) => project.run(verb.split(' '))));
    expect(shown.map(({ code, output }) => [code, output.includes(red)])).toEqual(verbs.map(() => [2, true]));
  };
  const plan = path.join(folderOf(project, red), 'plan.json');
  rmSync(plan);
  await refuse('judge', 'judge latest', 'report', 'coverage', 'rerun', 'record --trial b', 'sabotage');
  await refuse('run --last-failed --list');
  for (const damage of ['null', '{}']) {
    writeFileSync(plan, damage);
    await refuse('judge', 'run --last-failed --list');
  }
  pipeAt(plan);
  await refuse('judge', 'report', 'coverage', 'run --last-failed --list');
  renameSync(folderOf(project, red), path.join(project.folder, 'elsewhere'));
  await refuse('judge', 'coverage');
});

test('a journal of another run is not evidence', async () => {
  const { project, reference, red } = await greenThenRed();
  const at = (run: string): string => path.join(folderOf(project, run), 'trials/b/events.ndjson');
  cpSync(at(reference), at(red));
  const { code, output } = await project.run(['judge']);
  expect(code, output).toBe(6);
  expect(unfolded(output)).toContain(`the journal is of run ${reference}, attempt 1 of b`);
  expect((await project.run(['record', '--trial', 'b'])).code).toBe(2);

  pipeAt(at(red));
  const waiting = await project.run(['record', '--trial', 'b'], { withinMs: 10_000 });
  expect([waiting.code, unfolded(waiting.output)]).toEqual([2, expect.stringContaining('not a plain file')]);
  const services = path.join(folderOf(project, red), 'services');
  for (const log of readdirSync(services)) pipeAt(path.join(services, log));
  expect((await project.run(['logs', '--tail', '2'], { withinMs: 10_000 })).code).toBe(0);
  pipeAt(path.join(project.folder, 'trials/b.trial.yaml'));
  expect((await project.run(['lint'], { withinMs: 10_000 })).code).toBe(2);
});

test('a verdict of another run, or one that was changed, is not accepted', async () => {
  const { project, reference, red } = await greenThenRed();
  const at = (run: string): string => path.join(folderOf(project, run), 'verdict.json');
  const written = readFileSync(at(red), 'utf8');
  const shown = async (text: string): Promise<readonly (number | null)[]> => {
    writeFileSync(at(red), text);
    const both = await Promise.all(['report', 'coverage'].map((verb) => project.run([verb])));
    return both.map(({ code }) => code);
  };
  const plain = JSON.parse(openDocument(Buffer.from(written))) as RunVerdict;
  const verbs = {
    asItWas: await shown(written),
    ofAnother: await shown(readFileSync(at(reference), 'utf8')),
  };
  expect(verbs).toEqual({ asItWas: [1, 6], ofAnother: [2, 2] });
  expect(await shown(written.replace('"exitCode": 1', '"exitCode": 0'))).toEqual([2, 2]);
  expect(await shown(written.replaceAll('"verdict": "failed"', '"verdict": "passed"'))).toEqual([2, 2]);
  const better = { ...plain, verdict: 'passed', exitCode: 0, reasons: [] };
  const { crc } = JSON.parse(written) as { crc: string };
  expect(await shown(JSON.stringify({ ...better, crc }))).toEqual([2, 2]);
  // Without a checksum, whatever it says: the journals are judged.
  for (const changed of [better, { ...plain, trials: [null] }, { ...plain, leaks: -1, reasons: [null] }])
    expect(await shown(JSON.stringify(changed))).toEqual([1, 6]);
  pipeAt(at(red));
  const waiting = await Promise.all(
    ['report', 'coverage', 'rerun --failed'].map((verb) => project.run(verb.split(' '))),
  );
  expect(waiting.map(({ code }) => code)).toEqual([2, 2, 2]);
  rmSync(at(red));
  writeFileSync(at(red), JSON.stringify(plain));
  const { stdout } = await project.run(['report', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    exitCode: 1,
    trials: [{ id: 'a' }, { id: 'b', verdict: 'failed' }],
  });
});
