/** Sabotage finds the checks that cannot fail, and no others: pairs of both kinds, over every driver and every observer. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { makeProject, type Project } from '../harness/project.ts';
import { projectFiles, projectFolder, readProjectFile } from '../harness/project-files.ts';
import { nothing } from '../harness/until.ts';
import { pairs } from './pair-table.ts';

const suite = 'test/sabotage/suite';
const env = { PG_MODULE: pathToFileURL(path.join(projectFolder, 'node_modules/pg/lib/index.js')).href };
const least = 0.95;

interface Judged {
  readonly id: string;
  readonly line: number;
  /** Null where nobody can say: a closure decided. */
  readonly vital: boolean | null;
  readonly why: string | null;
  readonly kind: string | null;
}

interface Sabotage {
  readonly vitality: number;
  readonly checks: number;
  readonly vital: number;
  readonly mutants: number;
  readonly trials: readonly {
    readonly id: string;
    readonly file: string;
    readonly checks: readonly Judged[];
  }[];
}

test('vacuous checks are found, and their strong twins are left in peace', async () => {
  const project = suiteProject();
  const run = await project.run(['run'], { env, withinMs: 150_000 });
  expect(run.code, run.output).toBe(0); // each of them holds: nothing but sabotage can tell them apart
  const { code, output, stdout } = await project.run(['sabotage', '--json'], { env });
  expect(code, output).toBe(6);
  const report = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Sabotage;
  const judged = new Map(
    report.trials.flatMap(({ id, file, checks }) =>
      checks.map((check) => [`${id} ${check.id.replace(/^step /, '')}`, { ...check, file }] as const),
    ),
  );
  const vacuous = pairs.map(({ trial, name }) => `${trial} ${name}-vacuous`);
  const strong = pairs.map(({ trial, name }) => `${trial} ${name}-strong`);
  expect([...vacuous, ...strong].filter((name) => !judged.has(name))).toEqual([]);
  expect([...judged.keys()].filter((name) => name.endsWith('-vacuous')).sort()).toEqual(vacuous.toSorted());

  const flagged = [...judged].filter(([, { vital }]) => vital === false).map(([name]) => name);
  const found = vacuous.filter((name) => flagged.includes(name));
  const missed = pairs
    .filter(({ trial, name }) => !found.includes(`${trial} ${name}-vacuous`))
    .map(({ trial, name, kind, by }) => `missed (${kind}, ${by}): ${trial} ${name}-vacuous`);
  const falseAlarms = flagged
    .filter((name) => !vacuous.includes(name))
    .map((name) => `false alarm: ${name}: ${judged.get(name)?.why}`);
  const recall = found.length / vacuous.length;
  const precision = found.length / flagged.length;
  const told = [...missed, ...falseAlarms].join('\n');
  console.log(`recall ${recall.toFixed(3)}, precision ${precision.toFixed(3)}\n${told}`);
  expect(recall, told).toBeGreaterThanOrEqual(least);
  expect(precision, told).toBeGreaterThanOrEqual(least);
  expect(flagged.every((name) => judged.get(name)?.why)).toBe(true);
  expect(report.checks - report.vital).toBe(flagged.length);
  expect(project.left()).toEqual(nothing);
}, 200_000);

test('the pairs are enough: every kind of vacuity, every driver, every observer', () => {
  expect(pairs.length).toBeGreaterThanOrEqual(80);
  const count = (of: (pair: (typeof pairs)[number]) => string): Record<string, number> =>
    pairs.reduce<Record<string, number>>((sums, pair) => {
      sums[of(pair)] = (sums[of(pair)] ?? 0) + 1;
      return sums;
    }, {});
  expect(Object.keys(count(({ kind }) => kind)).sort()).toEqual(
    ['always-true', 'echo', 'happy-half', 'removed', 'wrong-field'].sort(),
  );
  const words = new Set(pairs.flatMap(({ by }) => by.split(' ')));
  const demanded =
    'http tcp newline-json hex6-sexp content-length-json mcp stdio command flow model rows files logs events process calls ' +
    'changes spans agree order correlate golden within never throughout';
  expect(demanded.split(' ').filter((word) => !words.has(word))).toEqual([]);
});

/** The suite in a folder of its own; the agent is one of the fixtures that every project has. */
function suiteProject(): Project {
  const files = projectFiles(suite).map((file) => [path.relative(suite, file), readProjectFile(file)]);
  return makeProject(Object.fromEntries(files));
}
