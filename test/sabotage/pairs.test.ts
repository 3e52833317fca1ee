/** Sabotage finds the checks that cannot fail, and no others: pairs of both kinds, over every driver and every observer. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { makeProject, type Project } from '../harness/project.ts';
import { projectFiles, projectFolder, readProjectFile } from '../harness/project-files.ts';
import { nothing } from '../harness/until.ts';
import { type Pair, pairs } from './pair-table.ts';

const suite = 'test/sabotage/suite';
const env = { PG_MODULE: pathToFileURL(path.join(projectFolder, 'node_modules/pg/lib/index.js')).href };
const least = 0.95;

interface Judged {
  readonly id: string;
  /** Null where it cannot be known: a closure decided. */
  readonly vital: boolean | null;
  readonly why: string | null;
}

interface Sabotage {
  readonly checks: number;
  readonly vital: number;
  readonly trials: readonly { readonly id: string; readonly checks: readonly Judged[] }[];
}

test('vacuous checks are found, and their strong twins are not reported', async () => {
  const project = suiteProject();
  const run = await project.run(['run'], { env, withinMs: 150_000 });
  expect(run.code, run.output).toBe(0); // each of them holds: only sabotage can distinguish them
  const { code, output, stdout } = await project.run(['sabotage', '--json'], { env, withinMs: 120_000 });
  expect(code, output).toBe(6);
  const report = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Sabotage;

  const judged = byName(report);
  const both = pairs.flatMap((pair) => [vacuousOf(pair), `${pair.trial} ${pair.name}-strong`]);
  expect(both.filter((name) => !judged.has(name))).toEqual([]);
  expect([...judged.keys()].filter((name) => name.endsWith('-vacuous')).sort()).toEqual(
    pairs.map(vacuousOf).sort(),
  );

  const flagged = [...judged].filter(([, { vital }]) => vital === false).map(([name]) => name);
  const missed = pairs.filter((pair) => !flagged.includes(vacuousOf(pair)));
  const falseAlarms = flagged.filter((name) => !pairs.some((pair) => vacuousOf(pair) === name));
  const found = pairs.length - missed.length;
  const shown = [
    `recall ${(found / pairs.length).toFixed(3)}, precision ${(found / flagged.length).toFixed(3)}`,
    ...missed.map((pair) => `missed (${pair.kind}, ${pair.by}): ${vacuousOf(pair)}`),
    ...falseAlarms.map((name) => `false alarm: ${name}: ${judged.get(name)?.why}`),
  ].join('\n');
  console.log(shown);
  expect(found / pairs.length, shown).toBeGreaterThanOrEqual(least);
  expect(found / flagged.length, shown).toBeGreaterThanOrEqual(least);
  expect(flagged.filter((name) => !judged.get(name)?.why)).toEqual([]);
  expect(report.checks - report.vital).toBe(flagged.length);
  expect(project.left()).toEqual(nothing);
}, 300_000);

test('the pairs are enough: every kind of vacuity, every driver, every observer', () => {
  expect(pairs.length).toBeGreaterThanOrEqual(200);
  const kinds = Map.groupBy(pairs, ({ kind }) => kind);
  for (const kind of ['removed', 'wrong-field', 'always-true', 'happy-half', 'echo'] as const)
    expect(kinds.get(kind)?.length, kind).toBeGreaterThan(10);
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

function vacuousOf({ trial, name }: Pair): string {
  return `${trial} ${name}-vacuous`;
}

/** By trial and check; the `expect` of a step by the name of the step. */
function byName({ trials }: Sabotage): ReadonlyMap<string, Judged> {
  return new Map(
    trials.flatMap(({ id, checks }) =>
      checks.map((check): [string, Judged] => [`${id} ${check.id.replace(/^step /, '')}`, check]),
    ),
  );
}
