/** Sabotage tells checks that cannot fail from those that can: what the test itself decides, keys of a store, rows in a file. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { needs } from '../harness/needs.ts';
import { makeProject } from '../harness/project.ts';
import { projectFiles, readProjectFile } from '../harness/project-files.ts';
import { nothing } from '../harness/until.ts';

interface Sabotage {
  readonly trials: readonly {
    readonly checks: readonly {
      readonly id: string;
      readonly vital: boolean | null;
      readonly why: string | null;
    }[];
  }[];
}

test.each([
  { suite: 'test/sabotage/nursery', program: 'curl' as const },
  { suite: 'test/sabotage/larder', program: 'redis-server' as const },
  { suite: 'test/sabotage/till', program: undefined },
])(
  'vacuous checks of $suite are found, and their strong twins are not reported',
  async ({ suite, program }) => {
    if (program) needs(program);
    const files = projectFiles(suite).map((file) => [path.relative(suite, file), readProjectFile(file)]);
    const project = makeProject(Object.fromEntries(files));
    const run = await project.run(['run'], { withinMs: 150_000 });
    expect(run.code, run.output).toBe(0); // each of them holds: only sabotage can distinguish them
    const { code, output, stdout } = await project.run(['sabotage', '--json']);
    expect(code, output).toBe(6);
    const { trials } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Sabotage;
    const checks = trials.flatMap((trial) => trial.checks);
    const judged = checks.map(
      ({ id, vital, why }) =>
        `${id.replace(/^step /, '')}: ${vital === false ? 'cannot fail' : `vital ${why ?? ''}`}`,
    );
    const expected = checks.map(
      ({ id }) => `${id.replace(/^step /, '')}: ${id.endsWith('-vacuous') ? 'cannot fail' : 'vital '}`,
    );
    expect(judged).toEqual(expected);
    expect(checks.filter(({ id }) => id.endsWith('-vacuous')).length).toBeGreaterThanOrEqual(10);
    expect(project.left()).toEqual(nothing);
  },
  200_000,
);
