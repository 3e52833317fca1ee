/** Sabotage on suites that were written without knowledge of its rules: a Node clinic, a Python newsroom, a garage and a ferry of both, and a workshop. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { needs } from '../harness/needs.ts';
import { makeProject, type Project } from '../harness/project.ts';
import { projectFiles, projectFolder, readProjectFile } from '../harness/project-files.ts';
import { nothing } from '../harness/until.ts';

const env = { PG_MODULE: pathToFileURL(path.join(projectFolder, 'node_modules/pg/lib/index.js')).href };

interface Pair {
  readonly trial: string;
  /** `NAME-vacuous` cannot fail, `NAME-strong` can. */
  readonly name: string;
  readonly kind: string;
  /** Nothing that the system does turns it red; otherwise it is only very weak. */
  readonly cannotFail: boolean;
}

/** Names of checks, by trial: the third author wrote no pairs. */
type Labels = Readonly<Record<string, Readonly<Record<'cannotFail' | 'weak' | 'honest', readonly string[]>>>>;

interface Labelled {
  /** The trial and the check. */
  readonly name: string;
  readonly label: 'cannotFail' | 'weak' | 'honest';
}

interface Sabotage {
  readonly trials: readonly {
    readonly id: string;
    readonly checks: readonly {
      readonly id: string;
      readonly vital: boolean | null;
      readonly why: string | null;
    }[];
  }[];
}

test.each([
  ['clinic', 0.93, 0.97],
  ['newsroom', 0.94, 0.97],
  ['garage', 0.93, 0.97],
  ['ferry', 0.95, 0.97],
  ['repairs', 0.92, 0.97],
])(
  'the %s: checks that nothing can turn red are found, and hardly any others',
  async (name, leastRecall, leastPrecision) => {
    for (const need of needsOf[name] ?? []) needs(need);
    const project = projectOf(name);
    const run = await project.run(['run'], { env, withinMs: 200_000 });
    expect(run.code, run.output).toBe(0);
    const { code, output, stdout } = await project.run(['sabotage', '--json'], { env, withinMs: 120_000 });
    expect(code, output).toBe(6);
    const report = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Sabotage;
    const flagged = flaggedIn(report);
    const labelled = labelsOf(name);
    const isFound = ({ name: check }: Labelled): boolean => flagged.has(check);
    const ofLabel = (...some: readonly Labelled['label'][]): readonly Labelled[] =>
      labelled.filter(({ label }) => some.includes(label));
    const missed = ofLabel('cannotFail').filter((check) => !isFound(check));
    const falseAlarms = ofLabel('honest').filter(isFound);
    const found = ofLabel('cannotFail', 'weak').filter(isFound).length;
    const recall = 1 - missed.length / ofLabel('cannotFail').length;
    const precision = found / (found + falseAlarms.length);
    const weak = `${ofLabel('weak').filter(isFound).length} of ${ofLabel('weak').length} weak ones`;
    const shown = [
      `${name}: recall ${recall.toFixed(3)} (and ${weak}), precision ${precision.toFixed(3)}`,
      ...missed.map((check) => `missed: ${check.name}`),
      ...falseAlarms.map((check) => `false alarm: ${check.name}: ${flagged.get(check.name)}`),
    ].join('\n');
    console.log(shown);
    expect(recall, shown).toBeGreaterThanOrEqual(leastRecall);
    expect(precision, shown).toBeGreaterThanOrEqual(leastPrecision);
    expect(project.left()).toEqual(nothing);
  },
  300_000,
);

const needsOf: Readonly<Record<string, readonly ('python3' | 'redis-server' | 'curl')[]>> = {
  newsroom: ['python3'],
  garage: ['python3'],
  ferry: ['python3', 'redis-server'],
  repairs: ['curl'],
};

/** Why each check cannot fail, by trial and check; the cases of a trial share their checks. */
function flaggedIn({ trials }: Sabotage): ReadonlyMap<string, string | null> {
  const checks = trials.flatMap(({ id, checks: some }) =>
    some.map((check) => ({
      ...check,
      name: `${id.replace(/\[.*\]$/, '')} ${check.id.replace(/^step /, '')}`,
    })),
  );
  const others = new Set(checks.filter(({ vital }) => vital !== false).map(({ name }) => name));
  return new Map(checks.filter(({ name }) => !others.has(name)).map(({ name, why }) => [name, why]));
}

function labelsOf(suite: string): readonly Labelled[] {
  if (['garage', 'ferry', 'repairs'].includes(suite)) {
    const labels = JSON.parse(readProjectFile(`test/sabotage/${suite}/labels.json`)) as Labels;
    return Object.entries(labels).flatMap(([trial, byLabel]) =>
      (['cannotFail', 'weak', 'honest'] as const).flatMap((label) =>
        byLabel[label].map((check) => ({ name: `${trial} ${check}`, label })),
      ),
    );
  }
  const pairs = JSON.parse(readProjectFile(`test/sabotage/${suite}/pairs.json`)) as readonly Pair[];
  return pairs.flatMap(({ trial, name, cannotFail }): readonly Labelled[] => [
    { name: `${trial} ${name}-vacuous`, label: cannotFail ? 'cannotFail' : 'weak' },
    { name: `${trial} ${name}-strong`, label: 'honest' },
  ]);
}

/** Without the labels: their words would count as words of the system. */
function projectOf(name: string): Project {
  const folder = `test/sabotage/${name}`;
  const files = projectFiles(folder)
    .filter((file) => !/\/(?:pairs|labels)\.json$/.test(file))
    .map((file) => [path.relative(folder, file), readProjectFile(file)]);
  return makeProject(Object.fromEntries(files));
}
