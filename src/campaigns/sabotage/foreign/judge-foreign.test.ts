import { expect, test } from 'vitest';
import type { EdgeTraffic, Observation, ObservedTest } from '../../../journal/observation.ts';
import type { LieKind } from '../live/place-lie.ts';
import type { ForeignOutcome } from './foreign-sabotage.ts';
import { judgeForeign, type ToldLie } from './judge-foreign.ts';
import { judgeLiedRun, type LiedObservation, wholeCommand } from './judge-lied-run.ts';

const edges: Readonly<Record<string, readonly string[]>> = {
  api: ['outside -> api'],
  db: ['api -> db', 'outside -> db'],
  mail: ['api -> mail'],
};

function passed(id: string, known: Pick<ObservedTest, 'touches' | 'mayTouch'> = {}): ObservedTest {
  return { id, outcome: 'passed', durationMs: 5, ...known };
}

function lie(
  service: string,
  kind: LieKind,
  tests: Readonly<Record<string, ForeignOutcome>>,
  met: readonly string[] = [],
): ToldLie {
  const about = { exitCode: 1, timedOut: false, folder: '', outcome: 'judged' as const };
  return { ...about, service, lie: kind, tests, edges: edges[service] ?? [], met: new Set(met) };
}

function judge(healthy: ObservedTest, ...lies: readonly ToldLie[]) {
  const { tests, findings } = judgeForeign([healthy], lies);
  return {
    state: tests[0]?.state,
    test: tests[0],
    findings: findings.map(({ service, lie: told, kind }) => `${kind}: ${service} ${told}`),
    texts: findings.map(({ text }) => text),
  };
}

test('a test that some lie turns red is vital, and what it may not use is no finding', () => {
  const {
    state,
    findings,
    test: told,
  } = judge(passed('t'), lie('api', 'garbage', { t: 'red' }), lie('db', 'dead', { t: 'green' }));
  expect([state, findings]).toEqual(['vital', []]);
  expect(told).toMatchObject({ noticed: ['api garbage'], staysGreen: ['db dead'], neverTouches: [] });
});

test('one that no lie turns red cannot fail, whether it stays green or skips itself', () => {
  const lies = [lie('api', 'garbage', { t: 'green' }), lie('db', 'dead', { t: 'skipped' })];
  expect(judge(passed('t'), ...lies)).toMatchObject({
    state: 'vacuous',
    findings: ['cannot-fail: * *'],
    texts: [
      'it stays green or skips itself under all 2 lies that it could have noticed: nothing that it asserts depends on the system',
    ],
  });
});

test('that its connection was refused proves nothing: one that only needs an answer cannot fail', () => {
  const refused = lie('api', 'dead', { t: 'proves-nothing' });
  expect(judge(passed('t'), refused, lie('api', 'garbage', { t: 'green' }))).toMatchObject({
    state: 'vacuous',
  });
  expect(judge(passed('t'), refused)).toMatchObject({ state: 'unproven', findings: [] });
});

test('while somebody whom it may use could not lie to it, nobody knows what it is worth', () => {
  const lies = [lie('api', 'dead', { t: 'proves-nothing' }), lie('db', 'dead', { t: 'green' })];
  expect(judge(passed('t'), ...lies)).toMatchObject({ state: 'unproven', findings: [] });
  const touchesDb = passed('t', { touches: { 'api -> db': 1 }, mayTouch: [] });
  expect(judge(touchesDb, ...lies)).toMatchObject({ state: 'vacuous' });
});

test('one that touches nothing at all is believed to have been asked by every lie', () => {
  const idle = passed('t', { touches: {}, mayTouch: [] });
  const lies = [lie('api', 'dead', { t: 'green' }), lie('db', 'dead', { t: 'green' })];
  expect(judge(idle, ...lies).texts).toEqual([expect.stringMatching('touches nothing of the system')]);
});

test('one that surely met a lie and stayed green is a finding of its own; one that never touches it is not', () => {
  const red = lie('api', 'garbage', { t: 'red' });
  const both = passed('t', { touches: { 'outside -> api': 1, 'api -> db': 1 }, mayTouch: [] });
  expect(judge(both, red, lie('db', 'dead', { t: 'green' }, ['t']))).toMatchObject({
    state: 'vital',
    findings: ['stays-green: db dead'],
    texts: ['it stays green with db dead, which it met'],
  });
  const uses = passed('t', { touches: { 'outside -> api': 1 }, mayTouch: [] });
  const never = judge(uses, red, lie('db', 'dead', { t: 'green' }));
  expect([never.findings, never.test?.neverTouches]).toEqual([[], ['db dead']]);
});

test('what was spoken while it ran, and not in the healthy run, may be what an earlier test left to do', () => {
  const uses = passed('t', { touches: { 'outside -> api': 1 }, mayTouch: [] });
  const met = lie('mail', 'dead', { t: 'green' }, ['t']);
  expect(judge(uses, lie('api', 'garbage', { t: 'red' }), met).findings).toEqual([]);
});

test("another's answer may happen to be the truth once a test before has failed", () => {
  const red = lie('api', 'garbage', { t: 'red', u: 'red' });
  const told = (u: ForeignOutcome) =>
    judge(passed('t'), red, lie('api', 'other-tenant', { t: 'green', u }, ['t'])).findings;
  expect([told('red'), told('green')]).toEqual([[], ['stays-green: api other-tenant']]);
});

function lied(
  tests: readonly ObservedTest[],
  changes: {
    readonly lie?: LieKind;
    readonly felt?: number;
    readonly edges?: readonly Partial<EdgeTraffic>[];
    readonly exitCode?: number;
    readonly timedOut?: boolean;
  } = {},
): LiedObservation {
  const {
    edges: traffic = [{ from: 'outside', to: 'api', calls: 9, connections: 9, refused: 0 }],
    exitCode = 1,
    timedOut = false,
  } = changes;
  const seen = { command: { exitCode, timedOut }, tests, edges: traffic } as unknown as Omit<
    Observation,
    'leaks'
  >;
  return {
    service: 'api',
    lie: changes.lie ?? 'dead',
    felt: changes.felt ?? 1,
    seen,
    folder: 'lies/api-dead',
  };
}

const failed = (id: string, message: string, text = ''): ObservedTest => ({
  id,
  outcome: 'failed',
  message,
  text,
  durationMs: 1,
});
const turnedAway = [{ from: 'outside', to: 'api', calls: 0, connections: 0, refused: 9 }];

test('what a test did under a lie', () => {
  const tests = [
    passed('green'),
    failed('red', '500 !== 201'),
    { ...passed('skipped'), outcome: 'skipped' as const },
  ];
  expect(judgeLiedRun(lied(tests), ['green', 'red', 'skipped', 'absent'])).toMatchObject({
    outcome: 'judged',
    tests: { green: 'green', red: 'red', skipped: 'skipped', absent: 'proves-nothing' },
  });
  expect(judgeLiedRun(lied(tests, { felt: 0 }), ['green'])).toMatchObject({
    outcome: 'not-met',
    tests: { green: 'not-met' },
  });
});

test('a refused connection proves nothing, where the connection was the test’s own', () => {
  const tests = [
    failed('a', 'fetch failed', '[cause]: Error: connect ECONNREFUSED 127.0.0.1:1'),
    failed('b', 'expected 201, got "db: ECONNREFUSED"'),
  ];
  const of = (changes: Parameters<typeof lied>[1]) => judgeLiedRun(lied(tests, changes), ['a', 'b']).tests;
  expect(of({ edges: turnedAway })).toEqual({ a: 'proves-nothing', b: 'proves-nothing' });
  // The service said it, not the tap: the check was asked.
  expect(of({})).toEqual({ a: 'red', b: 'red' });
  expect(of({ lie: 'garbage', edges: turnedAway })).toEqual({ a: 'red', b: 'red' });
});

test.each([
  ['pytest', 'failed on setup with "KeyError: x"', ''],
  ['node:test', 'test did not finish before its parent and was cancelled', ''],
  ['node:test', 'x', "failureType: 'hookFailed'"],
  ['mocha', '"before each" hook for "x": boom', ''],
])('a test that never came to its own words: %s', (_, message, text) => {
  expect(judgeLiedRun(lied([failed('a', message, text), passed('b')]), ['a', 'b']).tests.a).toBe(
    'proves-nothing',
  );
});

test('a lie under which nothing began proves nothing', () => {
  const subjects = ['a', 'b', 'c'];
  expect(judgeLiedRun(lied([]), subjects)).toMatchObject({
    outcome: 'proves-nothing',
    because: 'no test of the healthy run was begun',
  });
  expect(judgeLiedRun(lied([], { timedOut: true }), subjects)).toMatchObject({
    because: 'it did not end in time',
  });
  const one = subjects.map((id, index) => failed(id, `no health on port 4${index}`));
  const once = [{ from: 'outside', to: 'api', calls: 1, connections: 1, refused: 0 }];
  expect(judgeLiedRun(lied(one, { edges: once }), subjects)).toMatchObject({
    outcome: 'proves-nothing',
    because: expect.stringMatching('all 3 tests failed of one thing'),
  });
  // The same words after as many calls as there are tests are what each of them found.
  expect(judgeLiedRun(lied(one), subjects)).toMatchObject({ outcome: 'judged', tests: { a: 'red' } });
});

test('without tests the command is judged as a whole', () => {
  const of = (changes: Parameters<typeof lied>[1]) =>
    judgeLiedRun(lied([], changes), [wholeCommand]).tests[wholeCommand];
  expect([
    of({ exitCode: 0 }),
    of({ exitCode: 3 }),
    of({ exitCode: 3, edges: turnedAway }),
    of({ timedOut: true }),
  ]).toEqual(['green', 'red', 'proves-nothing', 'proves-nothing']);
  const { findings } = judgeForeign(
    [passed(wholeCommand)],
    [lie('db', 'dead', { [wholeCommand]: 'green' }), lie('api', 'garbage', { [wholeCommand]: 'red' })],
  );
  expect(findings).toMatchObject([{ service: 'db', lie: 'dead', test: wholeCommand, kind: 'stays-green' }]);
});
