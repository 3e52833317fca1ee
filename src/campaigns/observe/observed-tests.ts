/** From the reports of a runner to its tests, each with the edges that were crossed while it ran. Pure. */
import path from 'node:path';
import type { Observation, ObservedTest } from '../../journal/observation.ts';
import { outside } from '../../journal/topology.ts';
import { defined } from '../../kernel/defined.ts';
import { attributeMoments, type Moment } from './attribute-moments.ts';
import type { JunitReport, JunitTest } from './junit/parse-junit.ts';
import { type CommandTime, type Placement, placeTests, type TestPlace } from './place-tests.ts';

export function observedTests(
  reports: readonly JunitReport[],
  command: CommandTime & { readonly parallel?: string | undefined },
  { moments, meetings }: Record<'moments' | 'meetings', readonly Moment[]>,
  folder: string,
): Pick<Observation, 'tests' | 'attribution'> {
  const { parallel } = command;
  const placed = parallel === undefined ? placeTests(reports, command) : { because: parallel };
  const places: ReadonlyMap<JunitTest, TestPlace> = 'places' in placed ? placed.places : new Map();
  const touchedBy = attributeMoments(places, moments);
  const metBy = attributeMoments(places, meetings);
  const tests = nameTests(reports, folder).map((test) => ({
    ...observedTest(test),
    ...touchedBy(test.members),
    ...meetingsOf(metBy(test.members)),
  }));
  return { tests, attribution: attributionOf(placed, tests) };
}

function observedTest({ id, file, worst, durationMs }: NamedTest): ObservedTest {
  const { outcome, line, message, text } = worst;
  return defined({ id, file, line, outcome, message, text, durationMs });
}

function meetingsOf(
  met: ReturnType<ReturnType<typeof attributeMoments>>,
): Pick<ObservedTest, 'met' | 'metItself'> {
  if (!met) return {};
  const count = (edges: readonly (readonly [string, number])[]): number =>
    edges.reduce((sum, [, times]) => sum + times, 0);
  const all = Object.entries(met.touches);
  const own = all.filter(([edge]) => isOwn(edge));
  const isKnown = own.length > 0 || !met.mayTouch.some(isOwn);
  return { met: count(all), ...(isKnown ? { metItself: count(own) } : {}) };
}

function isOwn(edge: string): boolean {
  return edge.startsWith(`${outside} -> `);
}

function attributionOf(placed: Placement, tests: readonly ObservedTest[]): Observation['attribution'] {
  if (tests.length === 0) return { by: null, because: 'no report names the tests' };
  if ('because' in placed) return { by: null, because: placed.because };
  const ran = tests.filter(({ outcome }) => outcome !== 'skipped').length;
  const known = tests.filter(({ touches }) => touches !== undefined).length;
  return { by: 'time', because: `the report has the times of ${known} of ${ran} tests` };
}

interface NamedTest {
  readonly id: string;
  readonly file?: string;
  /** The representative: the first with the worst outcome. */
  readonly worst: JunitTest;
  readonly durationMs: number | null;
  /** All of them, as in the reports. */
  readonly members: readonly JunitTest[];
}

/** Files below this folder are named relative to it. Tests with one name are one test, unless in different files. */
export function nameTests(reports: readonly JunitReport[], folder: string): readonly NamedTest[] {
  const tests = reports.flatMap((report) => report.tests);
  return [...Map.groupBy(tests, plainName)].flatMap(([name, sameName]) => {
    const files = [...Map.groupBy(sameName, (test) => fileOf(test, folder))];
    return files.flatMap(([file, group]) =>
      unite(files.length > 1 && file !== '' ? `${file} › ${name}` : name, file, group),
    );
  });
}

/** Placeholders that runners write for a missing class. */
const noClass = ['', 'test', 'suite'];

function plainName({ classname, path: around, name }: JunitTest): string {
  const place = noClass.includes(classname ?? '') ? around.join(' › ') : (classname as string);
  return place === '' || place === name ? name : `${place} › ${name}`;
}

const worstFirst: readonly JunitTest['outcome'][] = ['failed', 'passed', 'skipped'];

function unite(id: string, file: string, members: readonly JunitTest[]): readonly NamedTest[] {
  const [worst] = worstFirst.flatMap((outcome) => members.find((test) => test.outcome === outcome) ?? []);
  if (!worst) return [];
  const times = members.flatMap(({ durationMs }) => durationMs ?? []);
  const durationMs = times.length === 0 ? null : times.reduce((sum, ms) => sum + ms, 0);
  return [{ id, ...(file === '' ? {} : { file }), worst, durationMs, members }];
}

/** Empty if the report names none. */
function fileOf({ file = '' }: JunitTest, folder: string): string {
  const plain = file.startsWith('file://') ? file.slice('file://'.length) : file;
  if (plain === '') return '';
  const relative = path.relative(folder, path.resolve(folder, plain));
  return relative === '' || relative.startsWith('..') ? plain : relative;
}
