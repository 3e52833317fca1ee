import { expect, test } from 'vitest';
import { attributeMoments } from './attribute-moments.ts';
import { parseJunit } from './junit/parse-junit.ts';
import { observedTests } from './observed-tests.ts';
import { placeTests, readTimestamp } from './place-tests.ts';

const startedAt = Date.parse('2026-03-01T10:00:00.000Z');
const command = { startedAt, endedAt: startedAt + 10_000 };
const at = (ms: number): string => new Date(startedAt + ms).toISOString();

function suite(attributes: string, ...times: readonly number[]): string {
  const tests = times.map((seconds, index) => `<testcase name="t${index}" time="${seconds}"/>`);
  return `<testsuite ${attributes}>${tests.join('')}</testsuite>`;
}

function place(...suites: readonly string[]) {
  return placeTests([parseJunit(`<testsuites>${suites.join('')}</testsuites>`)], command);
}

function touched(source: string, moments: readonly (readonly [edge: string, from: number, to?: number])[]) {
  const reports = [parseJunit(`<testsuites>${source}</testsuites>`)];
  const seen = moments.map(([edge, from, to = from]) => ({
    edge,
    from: startedAt + from,
    to: startedAt + to,
  }));
  return observedTests(reports, command, { moments: seen, meetings: [] }, '/').tests;
}

test('a timestamp is of this command, in any zone and precision', () => {
  const ms = (text: string) => {
    const began = readTimestamp(text, command);
    return began && [began.earliest - startedAt, began.latest - startedAt];
  };
  expect(ms('2026-03-01T10:00:01.250Z')).toEqual([1_250, 1_251]);
  expect(ms('2026-03-01T05:00:01.250999-05:00')).toEqual([1_250, 1_251]);
  expect(ms('2026-03-01T15:30:01+0530')).toEqual([1_000, 2_000]);
  expect(ms('2026-03-01T10:00:01')).toEqual([1_000, 2_000]);
  expect(ms('2026-03-01 10:00:01.5')).toEqual([1_500, 1_600]);
  for (const other of ['2026-03-01T11:00:00Z', '2026-02-28T10:00:00', 'yesterday', '', '10:00:01'])
    expect(ms(other), other).toBeUndefined();
});

test('a time without a zone may be local', () => {
  const local = new Date(startedAt + 2_000);
  const two = (number: number): string => String(number).padStart(2, '0');
  const text = `${local.getFullYear()}-${two(local.getMonth() + 1)}-${two(local.getDate())}T${two(local.getHours())}:${two(local.getMinutes())}:${two(local.getSeconds())}.000`;
  expect(readTimestamp(text, command)?.earliest).toBe(startedAt + 2_000);
});

test('what crossed an edge while a test certainly ran, may have run, and did not run', () => {
  const source = suite(`name="s" timestamp="${at(1_000)}" time="1.1"`, 0.5, 0.5);
  const [first, second] = touched(source, [
    ['outside -> api', 1_200],
    ['api -> db', 1_300, 1_320],
    ['api -> db', 1_350],
    ['outside -> mail', 1_520],
    ['outside -> api', 1_900],
    ['api -> far', 5_000],
    ['api -> long', 1_300, 1_900],
  ]);
  expect(first).toMatchObject({ touches: { 'outside -> api': 1, 'api -> db': 2 } });
  expect(first?.mayTouch?.toSorted()).toEqual(['api -> long', 'outside -> mail']);
  expect(second).toMatchObject({ touches: { 'outside -> api': 1 } });
  expect(second?.mayTouch?.toSorted()).toEqual(['api -> long', 'outside -> mail']);
});

test('if the suite took longer than its tests, nothing is certain for the short ones', () => {
  const [, second] = touched(suite(`name="s" timestamp="${at(0)}" time="4"`, 0.01, 0.01), [['a -> b', 20]]);
  expect(second).toMatchObject({ touches: {}, mayTouch: ['a -> b'] });
});

test('a test with a time of its own', () => {
  const source = `<testsuite name="s"><testcase name="a" timestamp="${at(100)}" time="0.2"/><testcase name="b" timestamp="${at(400)}" time="0.2"/></testsuite>`;
  expect(touched(source, [['x -> y', 450]])).toMatchObject([
    { touches: {}, mayTouch: [] },
    { touches: { 'x -> y': 1 } },
  ]);
});

test('a suite in a suite lasts as long as what is in it', () => {
  const inner = suite(`name="inner" timestamp="${at(1_000)}" time="1"`, 1);
  const outer = `<testsuite name="outer" timestamp="${at(500)}" time="2"><testcase name="own" time="0.4"/>${inner}</testsuite>`;
  expect(place(outer)).toHaveProperty('places.size', 2);
});

test.each([
  ['no times', suite('name="s" time="1"', 0.5), /does not say when/],
  [
    'times of another day',
    suite('name="s" timestamp="2020-01-01T00:00:00Z" time="1"', 0.5),
    /does not say when/,
  ],
  [
    'tests that took longer than their suite',
    suite(`name="s" timestamp="${at(0)}" time="1"`, 0.9, 0.9),
    /tests of s ran in parallel/,
  ],
  [
    'suites at the same time',
    [
      suite(`name="a" timestamp="${at(0)}" time="1"`, 1),
      suite(`name="b" timestamp="${at(500)}" time="1"`, 1),
    ].join(''),
    /a and b ran in parallel/,
  ],
  [
    'suites of several files',
    ['a', 'b']
      .map(
        (name, index) =>
          `<testsuite name="${name}" timestamp="${at(index * 2_000)}" time="1"><testcase name="t" file="${name}.mjs" time="1"/></testsuite>`,
      )
      .join(''),
    /suites of several files/,
  ],
])('%s: calls cannot be distinguished', (_, source, why) => {
  const placed = place(source);
  expect('because' in placed ? placed.because : 'it was placed').toMatch(why);
  const { tests, attribution } = observedTests(
    [parseJunit(`<testsuites>${source}</testsuites>`)],
    command,
    { moments: [], meetings: [] },
    '/',
  );
  expect(attribution).toMatchObject({ by: null, because: expect.stringMatching(why) });
  expect(tests[0]).not.toHaveProperty('touches');
});

test('many tests and many moments do not take minutes', () => {
  const times = Array.from({ length: 20_000 }, () => 0.0001);
  const report = parseJunit(
    `<testsuites>${suite(`name="s" timestamp="${at(0)}" time="2"`, ...times)}</testsuites>`,
  );
  const placed = placeTests([report], command);
  const places = 'places' in placed ? placed.places : new Map();
  const moments = Array.from({ length: 20_000 }, (_, index) => ({
    edge: 'a -> b',
    from: startedAt + 5_000 + index,
    to: startedAt + 5_000 + index,
  }));
  const touchedBy = attributeMoments(places, moments);
  expect(
    report.tests.map((one) => touchedBy([one])?.touches).filter((one) => one && 'a -> b' in one),
  ).toEqual([]);
});
