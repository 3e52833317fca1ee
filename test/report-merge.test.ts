/** The runs of shards are one report: what no shard performed is a reason against it. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunVerdict } from '../src/checks/verdict.ts';
import { openDocument } from '../src/journal/seal.ts';
import type { Project } from './harness/project.ts';
import { readReport } from './harness/read-report.ts';
import { latestVerdict, performTrials, trialsProject, unfolded } from './harness/trials-project.ts';

const config = `isolation: shared
services:
  web: { run: [node, services/answers.mjs], listen: { env: PORT } }
gates:
  all: { requirements: { covered: [p0] } }`;

const asks = (status: number, more = ''): string =>
  `${more}steps: [{ http: GET web/, as: page, expect: { status: ${status} } }]`;

const trials = {
  'a/one': asks(200, 'covers: [R1]\n'),
  'a/two': asks(200, 'covers: [R2]\n'),
  'b/three': asks(404, 'covers: [R3]\n'),
  'b/four': `${asks(200)}\nchecks: { none: { logs: web, match: nonsense, count: 0, provenBy: a/one } }`,
  'c/five': asks(200),
};

const requirements = `requirements:
  - { id: R1, text: It answers., priority: p0 }
  - { id: R2, text: It answers again., priority: p0 }
  - { id: R3, text: It is not there., priority: p0 }
`;

function project(): Project {
  return trialsProject(config, trials, { 'requirements.yaml': requirements });
}

async function shard(made: Project, which: string, ...more: readonly string[]): Promise<string> {
  await made.run(['run', '--parallel', '1', '--shard', which, ...more]);
  return latestVerdict(made).verdict.run;
}

const read = (folder: string): RunVerdict =>
  JSON.parse(openDocument(readFileSync(path.join(folder, 'verdict.json')))) as RunVerdict;

describe('three shards', () => {
  test('are the trials of the whole run, in its order, with its verdict and its gate', async () => {
    const made = project();
    const whole = await performTrials(made, '--parallel', '1', '--seed', 'tea', '--gate', 'all');
    const ids: string[] = [];
    for (const index of [3, 1, 2])
      ids.push(await shard(made, `${index}/3`, '--seed', 'tea', '--gate', 'all'));
    const { code, stdout } = await made.run(['report', ...ids]);
    expect(code, stdout).toBe(whole.code);
    expect(unfolded(stdout)).toContain(`merged 1/3 ${ids[1]}, 2/3 ${ids[2]}, 3/3 ${ids[0]}`);
    const folder = path.join(made.folder, '.shakedown/report');
    const merged = read(folder);
    expect(merged.counts).toEqual(whole.verdict.counts);
    expect(merged.trials.map(({ id, verdict }) => [id, verdict])).toEqual(
      whole.verdict.trials.map(({ id, verdict }) => [id, verdict]),
    );
    expect(merged.reasons).toEqual(whole.verdict.reasons);
    expect(merged.reasons.map(({ exitCode }) => exitCode)).toContain(6);
    expect(merged.requirements).toEqual(whole.verdict.requirements);
    for (const trial of merged.trials)
      expect(existsSync(path.join(folder, trial.folder ?? '', 'events.ndjson')), trial.id).toBe(true);
    for (const name of ['junit.xml', 'ctrf.json'])
      expect(readFileSync(path.join(folder, name), 'utf8')).toContain('b/three');
    const { index, trial } = readReport(path.join(folder, 'report.html'));
    expect(index.runs.map(({ run }) => run)).toEqual([ids[1], ids[2], ids[0]]);
    expect(index.boots.map(({ run }) => run)).toEqual([ids[1], ids[2], ids[0]]);
    expect(trial('b/three')?.attempts[0]).toMatchObject({ folder: 'trials/b/three' });
    expect(Object.keys(index.chunkOf)).toHaveLength(5);
  });

  test('of which one is missing, or was killed, end with 6 and its name', async () => {
    const made = project();
    const ids = [
      await shard(made, '1/3', '--seed', 'tea', '--gate', 'all'),
      await shard(made, '3/3', '--seed', 'tea', '--gate', 'all'),
    ];
    const out = ['--out', 'merged'];
    const missing = await made.run(['report', ...ids, ...out]);
    expect(missing.stdout).toContain('missing: shard 2/3');
    const { reasons, exitCode, counts } = read(path.join(made.folder, 'merged'));
    expect(reasons.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['missing: shard 2/3', expect.stringMatching(/^no shard performed 2 trials: /)]),
    );
    expect(counts).toMatchObject({ declared: 5, selected: 5 });
    expect(counts.executed).toBeLessThan(5);
    expect(missing.code).toBe(exitCode);

    // Alone it could not be seen that there are others.
    const alone = await made.run(['report', ids[0] ?? '', '--merge', ...out, '--json']);
    expect((JSON.parse(alone.stdout) as RunVerdict).reasons.map(({ text }) => text)).toContain(
      'missing: shard 2/3, 3/3',
    );
    const runs = path.join(made.folder, '.shakedown/runs');
    for (const name of ['verdict.json', 'outcome.json']) rmSync(path.join(runs, ids[1] ?? '', name));
    const killed = await made.run(['report', ...ids, ...out]);
    expect(killed.stdout).toContain('the run of shard 3/3 did not finish');
  });

  test('of other configs or selections prove nothing together, and the same one twice is refused', async () => {
    const made = project();
    const first = await shard(made, '1/2', '--seed', 'tea');
    const second = await shard(made, '2/2', '--seed', 'milk');
    const again = await shard(made, '1/2', '--seed', 'tea');
    const seeds = await made.run(['report', first, second, '--json']);
    expect(seeds.stdout).not.toContain('the shards have different');
    const twice = await made.run(['report', first, again, second, '--merge']);
    expect(twice.code).toBe(2);
    expect(unfolded(twice.stderr)).toContain('shard 1/2 is there twice');
    const config = path.join(made.folder, 'shakedown.yaml');
    writeFileSync(config, readFileSync(config, 'utf8').replace('settle: 50ms', 'settle: 60ms'));
    const other = await shard(made, '2/2', '--seed', 'tea', 'a', 'b');
    const configs = await made.run(['report', first, other]);
    expect(unfolded(configs.stdout)).toContain('the shards have different configs: 1/2 ');
    expect(configs.stdout).toContain('the shards have different selections');
    const whole = await made.run(['run', '--parallel', '1']);
    expect(whole.code).toBe(1);
    const none = await made.run(['report', first, latestVerdict(made).verdict.run, '--merge']);
    expect(none.code).toBe(2);
    expect(unfolded(none.stderr)).toContain('it was performed without `--shard`');
  });
});
