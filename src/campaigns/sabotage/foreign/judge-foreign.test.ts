import { expect, test } from 'vitest';
import type { MutantKind } from '../../../journal/mutant-kinds.ts';
import type { EdgeTraffic, Observation, ObservedTest } from '../../../journal/observation.ts';
import type { ForeignOutcome } from './foreign-sabotage.ts';
import { judgeForeign, type ReportedMutant } from './judge-foreign.ts';
import { judgeMutatedRun, type MutatedObservation, wholeCommand } from './judge-mutated-run.ts';

const edges: Readonly<Record<string, readonly string[]>> = {
  api: ['outside -> api'],
  db: ['api -> db', 'outside -> db'],
  mail: ['api -> mail'],
};

function passed(id: string, known: Pick<ObservedTest, 'touches' | 'mayTouch'> = {}): ObservedTest {
  return { id, outcome: 'passed', durationMs: 5, ...known };
}

function mutant(
  service: string,
  kind: MutantKind,
  tests: Readonly<Record<string, ForeignOutcome>>,
  met: readonly string[] = [],
): ReportedMutant {
  const about = { exitCode: 1, timedOut: false, folder: '', outcome: 'judged' as const };
  return { ...about, service, mutant: kind, tests, edges: edges[service] ?? [], met: new Set(met) };
}

function judge(healthy: ObservedTest, ...runs: readonly ReportedMutant[]) {
  const { tests, findings } = judgeForeign([healthy], runs);
  return {
    state: tests[0]?.state,
    test: tests[0],
    findings: findings.map(({ service, mutant: shown, kind }) => `${kind}: ${service} ${shown}`),
    texts: findings.map(({ text }) => text),
  };
}

test('a test that fails under some mutant is vital, and a service that it may not use is not a finding', () => {
  const {
    state,
    findings,
    test: shown,
  } = judge(passed('t'), mutant('api', 'garbage', { t: 'red' }), mutant('db', 'dead', { t: 'green' }));
  expect([state, findings]).toEqual(['vital', []]);
  expect(shown).toMatchObject({ noticed: ['api garbage'], staysGreen: ['db dead'], neverTouches: [] });
});

test('a test that no mutant makes fail cannot fail, whether it stays green or skips itself', () => {
  const runs = [mutant('api', 'garbage', { t: 'green' }), mutant('db', 'dead', { t: 'skipped' })];
  expect(judge(passed('t'), ...runs)).toMatchObject({
    state: 'vacuous',
    findings: ['cannot-fail: * *'],
    texts: [
      'it stays green or skips itself under all 2 mutants that it could have killed: nothing that it asserts depends on the system',
    ],
  });
});

test('a refused connection proves nothing: a test that only needs an answer cannot fail', () => {
  const refused = mutant('api', 'dead', { t: 'proves-nothing' });
  expect(judge(passed('t'), refused, mutant('api', 'garbage', { t: 'green' }))).toMatchObject({
    state: 'vacuous',
  });
  expect(judge(passed('t'), refused)).toMatchObject({ state: 'unproven', findings: [] });
});

test('a test stays unproven while a service that it may use was not mutated', () => {
  const runs = [mutant('api', 'dead', { t: 'proves-nothing' }), mutant('db', 'dead', { t: 'green' })];
  expect(judge(passed('t'), ...runs)).toMatchObject({ state: 'unproven', findings: [] });
  const touchesDb = passed('t', { touches: { 'api -> db': 1 }, mayTouch: [] });
  expect(judge(touchesDb, ...runs)).toMatchObject({ state: 'vacuous' });
});

test('a test that touches nothing counts as reached by every mutant', () => {
  const idle = passed('t', { touches: {}, mayTouch: [] });
  const runs = [mutant('api', 'dead', { t: 'green' }), mutant('db', 'dead', { t: 'green' })];
  expect(judge(idle, ...runs).texts).toEqual([expect.stringMatching('touches nothing of the system')]);
});

test('a test that certainly met a mutant and stayed green is a finding; one that never touches it is not', () => {
  const red = mutant('api', 'garbage', { t: 'red' });
  const both = passed('t', { touches: { 'outside -> api': 1, 'api -> db': 1 }, mayTouch: [] });
  expect(judge(both, red, mutant('db', 'dead', { t: 'green' }, ['t']))).toMatchObject({
    state: 'vital',
    findings: ['stays-green: db dead'],
    texts: ['it stays green with db dead, which it met'],
  });
  const uses = passed('t', { touches: { 'outside -> api': 1 }, mayTouch: [] });
  const never = judge(uses, red, mutant('db', 'dead', { t: 'green' }));
  expect([never.findings, never.test?.neverTouches]).toEqual([[], ['db dead']]);
});

test('calls during a test that are not in the healthy run may be left over from an earlier test', () => {
  const uses = passed('t', { touches: { 'outside -> api': 1 }, mayTouch: [] });
  const met = mutant('mail', 'dead', { t: 'green' }, ['t']);
  expect(judge(uses, mutant('api', 'garbage', { t: 'red' }), met).findings).toEqual([]);
});

test("another's answer may happen to be correct once an earlier test has failed", () => {
  const red = mutant('api', 'garbage', { t: 'red', u: 'red' });
  const shown = (u: ForeignOutcome) =>
    judge(passed('t'), red, mutant('api', 'other-tenant', { t: 'green', u }, ['t'])).findings;
  expect([shown('red'), shown('green')]).toEqual([[], ['stays-green: api other-tenant']]);
});

function mutated(
  tests: readonly ObservedTest[],
  changes: {
    readonly mutant?: MutantKind;
    readonly felt?: number;
    readonly edges?: readonly Partial<EdgeTraffic>[];
    readonly exitCode?: number;
    readonly timedOut?: boolean;
  } = {},
): MutatedObservation {
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
    mutant: changes.mutant ?? 'dead',
    felt: changes.felt ?? 1,
    seen,
    folder: 'mutants/api-dead',
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

test('the outcome of a test under a mutant', () => {
  const tests = [
    passed('green'),
    failed('red', '500 !== 201'),
    { ...passed('skipped'), outcome: 'skipped' as const },
  ];
  expect(judgeMutatedRun(mutated(tests), ['green', 'red', 'skipped', 'absent'])).toMatchObject({
    outcome: 'judged',
    tests: { green: 'green', red: 'red', skipped: 'skipped', absent: 'proves-nothing' },
  });
  expect(judgeMutatedRun(mutated(tests, { felt: 0 }), ['green'])).toMatchObject({
    outcome: 'not-met',
    tests: { green: 'not-met' },
  });
});

test('a refused connection proves nothing, where the connection was the test’s own', () => {
  const tests = [
    failed('a', 'fetch failed', '[cause]: Error: connect ECONNREFUSED 127.0.0.1:1'),
    failed('b', 'expected 201, got "db: ECONNREFUSED"'),
  ];
  const of = (changes: Parameters<typeof mutated>[1]) =>
    judgeMutatedRun(mutated(tests, changes), ['a', 'b']).tests;
  expect(of({ edges: turnedAway })).toEqual({ a: 'proves-nothing', b: 'proves-nothing' });
  // The service said it, not the tap: the assertion was reached.
  expect(of({})).toEqual({ a: 'red', b: 'red' });
  expect(of({ mutant: 'garbage', edges: turnedAway })).toEqual({ a: 'red', b: 'red' });
});

test('where the taps know whose connection was refused, the words of the runner do not count', () => {
  const tests = [
    { ...failed('helper', 'AssertionError: the api never became ready'), metItself: 3 },
    { ...failed('reported', 'expected 201, got "db: ECONNREFUSED"'), metItself: 0 },
  ];
  expect(judgeMutatedRun(mutated(tests, { edges: turnedAway }), ['helper', 'reported']).tests).toEqual({
    helper: 'proves-nothing',
    reported: 'red',
  });
});

test.each([
  ['pytest', 'failed on setup with "KeyError: x"', ''],
  ['node:test', 'test did not finish before its parent and was cancelled', ''],
  ['node:test', 'x', "failureType: 'hookFailed'"],
  ['mocha', '"before each" hook for "x": boom', ''],
])('a test that never reached its own body: %s', (_, message, text) => {
  expect(judgeMutatedRun(mutated([failed('a', message, text), passed('b')]), ['a', 'b']).tests.a).toBe(
    'proves-nothing',
  );
});

test('a mutant under which no test began proves nothing', () => {
  const subjects = ['a', 'b', 'c'];
  expect(judgeMutatedRun(mutated([]), subjects)).toMatchObject({
    outcome: 'proves-nothing',
    because: 'no test of the healthy run was begun',
  });
  expect(judgeMutatedRun(mutated([], { timedOut: true }), subjects)).toMatchObject({
    because: 'it did not end in time',
  });
  const one = subjects.map((id, index) => failed(id, `no health on port 4${index}`));
  const once = [{ from: 'outside', to: 'api', calls: 1, connections: 1, refused: 0 }];
  expect(judgeMutatedRun(mutated(one, { edges: once }), subjects)).toMatchObject({
    outcome: 'proves-nothing',
    because: expect.stringMatching('all 3 tests failed in the same setup'),
  });
  // The same message after as many calls as there are tests is what each of them found.
  expect(judgeMutatedRun(mutated(one), subjects)).toMatchObject({ outcome: 'judged', tests: { a: 'red' } });
});

test('without tests the command is judged as a whole', () => {
  const of = (changes: Parameters<typeof mutated>[1]) =>
    judgeMutatedRun(mutated([], changes), [wholeCommand]).tests[wholeCommand];
  expect([
    of({ exitCode: 0 }),
    of({ exitCode: 3 }),
    of({ exitCode: 3, edges: turnedAway }),
    of({ timedOut: true }),
  ]).toEqual(['green', 'red', 'proves-nothing', 'proves-nothing']);
  const { findings } = judgeForeign(
    [passed(wholeCommand)],
    [mutant('db', 'dead', { [wholeCommand]: 'green' }), mutant('api', 'garbage', { [wholeCommand]: 'red' })],
  );
  expect(findings).toMatchObject([
    { service: 'db', mutant: 'dead', test: wholeCommand, kind: 'stays-green' },
  ]);
});
