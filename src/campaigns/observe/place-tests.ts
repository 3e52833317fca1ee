/** When each test ran, according to its report; unknown for tests that ran in parallel. Pure. */
import type { JunitReport, JunitSuite, JunitTest } from './junit/parse-junit.ts';

export interface TestPlace {
  /** It ran only within this interval. */
  readonly from: number;
  readonly to: number;
  /** It certainly ran within this interval, which is empty unless the first is before the second. */
  readonly surelyFrom: number;
  readonly surelyTo: number;
}

export type Placement =
  | { readonly places: ReadonlyMap<JunitTest, TestPlace> }
  /** Why no test can be placed. */
  | { readonly because: string };

/** Times in reports are rounded, and clocks are read slightly before or after the event. */
const marginMs = 5;
const roundingMs = 0.5;

export function placeTests(reports: readonly JunitReport[], command: CommandTime): Placement {
  const runs = reports.flatMap((report) => runsOf(report, command));
  if (runs.length === 0) return { because: 'the report does not say when its tests began' };
  const beside = reports.map(sideBySide).find((text) => text !== undefined) ?? overlap(runs);
  if (beside !== undefined) return { because: beside };
  return { places: new Map(runs.flatMap(placeRun)) };
}

/** Consecutive tests, of which the first began at a known time. */
interface Run {
  readonly name: string;
  readonly began: Began;
  readonly durationMs: number;
  readonly tests: readonly JunitTest[];
  /** Enclosing suites: they last as long as everything in them. */
  readonly around: readonly object[];
  readonly self: object;
}

function runsOf(report: JunitReport, command: CommandTime): readonly Run[] {
  const single = report.tests.flatMap((test) => {
    const began = test.timestamp === undefined ? undefined : readTimestamp(test.timestamp, command);
    if (!began || test.durationMs === null) return [];
    return [{ name: test.name, began, durationMs: test.durationMs, tests: [test], around: [], self: test }];
  });
  if (single.length > 0) return single;
  const ran = report.tests.filter(({ outcome }) => outcome !== 'skipped');
  return [...Map.groupBy(ran, ({ suite }) => suite)].flatMap(([index, tests]) => {
    const suite = index === null ? undefined : report.suites[index];
    return (suite && suiteRun(report, suite, tests, command)) ?? [];
  });
}

function suiteRun(
  report: JunitReport,
  suite: JunitSuite,
  tests: readonly JunitTest[],
  command: CommandTime,
): Run | undefined {
  const began = suite.timestamp === undefined ? undefined : readTimestamp(suite.timestamp, command);
  if (!began || tests.some(({ durationMs }) => durationMs === null)) return undefined;
  const durationMs = suite.durationMs ?? Math.max(sumOf(tests), command.endedAt - began.earliest);
  return { name: suite.name, began, durationMs, tests, around: ancestors(report, suite), self: suite };
}

function ancestors({ suites }: JunitReport, { parent }: JunitSuite): readonly JunitSuite[] {
  const above = parent === null ? undefined : suites[parent];
  return above ? [above, ...ancestors({ suites, tests: [] }, above)] : [];
}

/** Sequential tests take no longer than their suite. */
function sideBySide({ suites, tests }: JunitReport): string | undefined {
  const groups = Map.groupBy(tests, ({ suite }) => suite);
  const files = new Set<string>();
  let suitesOfFiles = 0;
  for (const [index, own] of groups) {
    const { name, durationMs } = (index === null ? undefined : suites[index]) ?? {
      name: '',
      durationMs: null,
    };
    if (durationMs !== null && sumOf(own) > durationMs + marginMs + own.length * roundingMs)
      return `tests of ${name || 'a suite'} ran in parallel: together they took longer than the suite`;
    const named = own.flatMap(({ file }) => file ?? []);
    for (const file of named) files.add(file);
    suitesOfFiles += index !== null && named.length > 0 ? 1 : 0;
  }
  // A runner that works on several files at once reports the second when the first is done.
  return suitesOfFiles > 1 && files.size > 1
    ? 'the report has suites of several files, which may have run in parallel'
    : undefined;
}

function overlap(runs: readonly Run[]): string | undefined {
  const sorted = runs.toSorted((a, b) => a.began.earliest - b.began.earliest);
  for (const [index, run] of sorted.entries()) {
    const endsAt = run.began.earliest + run.durationMs - marginMs;
    for (let next = index + 1; next < sorted.length; next += 1) {
      const other = sorted[next] as Run;
      if (other.began.latest >= endsAt) break;
      if (!other.around.includes(run.self)) return `${run.name} and ${other.name} ran in parallel`;
    }
  }
  return undefined;
}

/** The rest of the suite's time may have passed before, between or after its tests. */
function placeRun({ began, durationMs, tests }: Run): ReadonlyArray<readonly [JunitTest, TestPlace]> {
  const slackMs = Math.max(0, durationMs - sumOf(tests));
  let before = 0;
  return tests.map((test, index) => {
    const ownMs = test.durationMs ?? 0;
    const rounding = (index + 1) * roundingMs;
    const earliest = began.earliest + before - rounding - marginMs;
    const latest = began.latest + before + slackMs + rounding + marginMs;
    before += ownMs;
    return [test, { from: earliest, to: latest + ownMs, surelyFrom: latest, surelyTo: earliest + ownMs }];
  });
}

function sumOf(tests: readonly JunitTest[]): number {
  return tests.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);
}

interface Began {
  /** Wall time in milliseconds: not before, and not after. */
  readonly earliest: number;
  readonly latest: number;
}

export interface CommandTime {
  readonly startedAt: number;
  readonly endedAt: number;
}

const pattern = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,9}))?\s*(Z|[+-]\d\d:?\d\d)?$/i;

/** Both processes use the same clock; a rounded time may still be slightly early. */
const toleranceMs = 50;

/** Undefined if it is not a time, or not within this command: without a zone, it may be local or UTC. */
export function readTimestamp(written: string, command: CommandTime): Began | undefined {
  const [, day, time, fraction = '', zone] = pattern.exec(written.trim()) ?? [];
  if (day === undefined || time === undefined) return undefined;
  const precisionMs = fraction.length >= 3 ? 1 : 10 ** (3 - fraction.length);
  const ms = fraction === '' ? 0 : Math.floor(Number(`0.${fraction}`) * 1_000);
  const zones =
    zone === undefined ? ['Z', ''] : [zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone];
  for (const candidate of zones) {
    const earliest = Date.parse(`${day}T${time}${candidate}`) + ms;
    const isOfCommand =
      earliest + precisionMs >= command.startedAt - toleranceMs && earliest <= command.endedAt + toleranceMs;
    if (isOfCommand) return { earliest, latest: earliest + precisionMs };
  }
  return undefined;
}
