/** From the reports of a runner to its tests, each with the edges that were crossed while it ran. Pure. */
import type { Observation, ObservedTest } from '../../journal/observation.ts';
import { attributeMoments, type Moment } from './attribute-moments.ts';
import { type NamedTest, nameTests } from './junit/name-tests.ts';
import type { JunitReport, JunitTest } from './junit/parse-junit.ts';
import type { CommandTime } from './junit/read-timestamp.ts';
import { type Placement, placeTests, type TestPlace } from './place-tests.ts';

export interface Moments {
  readonly moments: readonly Moment[];
  readonly meetings: readonly Moment[];
}

export function observedTests(
  reports: readonly JunitReport[],
  command: CommandTime & { readonly parallel?: string | undefined },
  { moments, meetings }: Moments,
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
  return {
    id,
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    outcome,
    ...(message === undefined ? {} : { message }),
    ...(text === undefined ? {} : { text }),
    durationMs,
  };
}

function meetingsOf(met: ReturnType<ReturnType<typeof attributeMoments>>): Pick<ObservedTest, 'met'> {
  if (!met) return {};
  return { met: Object.values(met.touches).reduce((sum, count) => sum + count, 0) };
}

function attributionOf(placed: Placement, tests: readonly ObservedTest[]): Observation['attribution'] {
  if (tests.length === 0) return { by: null, because: 'no report names the tests' };
  if ('because' in placed) return { by: null, because: placed.because };
  const ran = tests.filter(({ outcome }) => outcome !== 'skipped').length;
  const known = tests.filter(({ touches }) => touches !== undefined).length;
  return { by: 'time', because: `the report tells when ${known} of ${ran} tests ran` };
}
