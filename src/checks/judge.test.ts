import { describe, expect, test } from 'vitest';
import type { AttemptEvent, AttemptEventBody } from '../journal/trial-event.ts';
import { judge } from './judge/judge-attempt.ts';
import { judgeTrial } from './judge/judge-trial.ts';
import { judgeTwins } from './judge-twins.ts';
import type { CheckRecord, StepRecord, TrialRecord } from './trial-record.ts';

function check(parts: Partial<CheckRecord>): CheckRecord {
  return {
    id: 'it',
    line: 3,
    kind: 'rows',
    source: 'rows a.b',
    query: { service: 'a', table: 'b' },
    mode: 'quiet',
    absence: false,
    ...parts,
  };
}

const sampled = (value: unknown, from = 0, probe = 'it'): AttemptEventBody => ({
  type: 'probe.sampled',
  probe,
  value,
  from,
  to: from,
  samples: 1,
});
const unobservable: AttemptEventBody = {
  type: 'probe.blind',
  probe: 'it',
  because: 'the database is away',
  from: 0,
  to: 0,
  samples: 1,
};
const ended = (end: 'reached' | 'deadline' | 'quiet'): AttemptEventBody => ({
  type: 'probe.ended',
  probe: 'it',
  end,
});

function attempt(
  checks: readonly CheckRecord[],
  middle: readonly AttemptEventBody[],
  record: Partial<TrialRecord> = {},
  sentBytes = 5,
): AttemptEvent[] {
  const trial: TrialRecord = {
    id: 'a/b',
    file: 'a.trial.yaml',
    line: 1,
    kind: 'yaml',
    covers: [],
    tags: [],
    steps: [{ name: 'sent', line: 2, driver: 'http' }],
    checks,
    logs: { error: 'ERROR', allow: [{ service: 'web', match: 'ERROR known', because: 'known' }] },
    ...record,
  };
  const bodies: AttemptEventBody[] = [
    { type: 'attempt.started', uid: 'trial-1', trial, scope: { trial: { uid: 'trial-1' } } },
    { type: 'step.started', step: 'sent', action: 'GET a/b' },
    { type: 'step.ended', step: 'sent', outcome: 'done', evidence: { status: 200, id: 7 }, sentBytes },
    ...middle,
    { type: 'attempt.ended', end: 'done', durationMs: 5 },
  ];
  return bodies.map((body, index) => ({ seq: index + 1, at: index, ...body }));
}

const verdictOf = (one: CheckRecord, middle: readonly AttemptEventBody[]) => {
  const { verdict, expected, observed, explanation } = judge(attempt([one], middle)).checks.find(
    ({ id }) => id === 'it',
  ) ?? {
    verdict: 'missing',
  };
  return { verdict, expected, observed, explanation };
};

describe('by the mode of a check', () => {
  test.each<[string, CheckRecord, readonly AttemptEventBody[], string]>([
    ['quiet holds by the last sample', check({ expect: [1] }), [sampled([0]), sampled([1], 1)], 'passed'],
    ['quiet fails by the last sample', check({ expect: [1] }), [sampled([1]), sampled([0], 1)], 'failed'],
    ['quiet without a sample', check({ expect: [1] }), [], 'unknown'],
    ['quiet that could not look', check({ expect: [1] }), [unobservable], 'unknown'],
    [
      'within holds by any sample',
      check({ mode: 'within', withinMs: 50, expect: [1] }),
      [sampled([1]), sampled([0], 1)],
      'passed',
    ],
    [
      'within that never came',
      check({ mode: 'within', withinMs: 50, expect: [1] }),
      [sampled([0]), ended('deadline')],
      'failed',
    ],
    [
      'within whose probe stopped early',
      check({ mode: 'within', withinMs: 50, expect: [2] }),
      [sampled([1]), ended('reached')],
      'unknown',
    ],
    [
      'throughout holds by every sample',
      check({ mode: 'throughout', expect: { $gte: 1 } }),
      [sampled(1), sampled(2, 1)],
      'passed',
    ],
    [
      'throughout fails by one',
      check({ mode: 'throughout', expect: { $gte: 1 } }),
      [sampled(1), sampled(0, 1), sampled(1, 2)],
      'failed',
    ],
    [
      'never holds',
      check({ mode: 'never', expect: 3, provenBy: 'x' }),
      [sampled(1), sampled(2, 1)],
      'passed',
    ],
    [
      'never fails by one moment',
      check({ mode: 'never', expect: 2, provenBy: 'x' }),
      [sampled(1), sampled(2, 1), sampled(1, 2)],
      'failed',
    ],
    [
      'a negation of a column that is not there',
      check({ expect: [{ $not: { itme: 'tea' } }] }),
      [sampled([{ item: 'tea' }])],
      'unknown',
    ],
    [
      'never, of a column that is not there',
      check({ mode: 'never', expect: { $some: { itme: 'tea' } }, provenBy: 'x' }),
      [sampled([{ item: 'tea' }])],
      'unknown',
    ],
    [
      'a column that is to be absent',
      check({ expect: [{ password: { $absent: true } }] }),
      [sampled([{ item: 'tea' }])],
      'passed',
    ],
    [
      'never that may have been',
      check({ mode: 'never', expect: '2', provenBy: 'x' }),
      [sampled(2)],
      'unknown',
    ],
    [
      'never that could not observe for a while',
      check({ mode: 'never', expect: 3 }),
      [sampled(1), unobservable],
      'unknown',
    ],
    ['count', check({ count: 2 }), [sampled([1, 1])], 'passed'],
    ['count that differs', check({ count: { $lte: 1 } }), [sampled([1, 1])], 'failed'],
    ['a reference to a step', check({ expect: ['${sent.id}'] }), [sampled([7])], 'passed'],
    ['a reference into nothing', check({ expect: ['${sent.body.id}'] }), [sampled([7])], 'failed'],
    ['a reference to a step that was not done', check({ expect: '${later.id}' }), [sampled([7])], 'unknown'],
    [
      'a regex that runs away',
      check({ expect: { $regex: '^(a+)+$' } }),
      [sampled(`${'a'.repeat(40)}!`)],
      'unknown',
    ],
    [
      'what a step gave',
      check({ kind: 'exchange', query: { exchange: 'sent' }, expect: { status: 200 } }),
      [],
      'passed',
    ],
    ['golden without an accepted output', check({ golden: { file: 'x.json' } }), [sampled(1)], 'unknown'],
    [
      'golden that is the same but for ids and times',
      check({ golden: { file: 'x', accepted: { at: '2026-01-01T00:00:00Z' } } }),
      [sampled({ at: '2027-05-05T10:00:00Z' })],
      'passed',
    ],
    [
      'golden that differs',
      check({ golden: { file: 'x', accepted: { a: 1 } } }),
      [sampled({ a: 2 })],
      'failed',
    ],
  ])('%s', (_, one, middle, verdict) => {
    expect(verdictOf(one, middle).verdict).toBe(verdict);
  });

  test('a check whose wait timed out shows the last value seen', () => {
    const { explanation } = verdictOf(check({ mode: 'within', withinMs: 5_000, expect: [{ severity: 7 }] }), [
      sampled([]),
      sampled([{ severity: 6 }], 40),
      ended('deadline'),
    ]);
    expect(explanation).toContain('waited 5.00 s; the last value seen: [{ severity: 6 }]');
    expect(explanation).toContain('at        $[0].severity');
  });
});

describe('a step whose wait timed out', () => {
  const waited = check({ id: 'when #2', mode: 'within', withinMs: 2_000, expect: [{ status: 'done' }] });
  const judged = (sample: AttemptEventBody, step: Partial<StepRecord> = {}) => {
    const events = attempt(
      [],
      [
        { ...sample, probe: 'when #2' } as AttemptEventBody,
        { type: 'probe.ended', probe: 'when #2', end: 'deadline' },
        {
          type: 'step.ended',
          step: '#2',
          outcome: 'failed',
          because: 'waited',
          evidence,
          sentBytes: 0,
          waited,
        },
      ],
      { steps: [{ name: '#2', line: 4, driver: 'until', ...step }] },
    );
    return judge(events).checks.find(({ id }) => id === 'step #2');
  };
  const evidence = { reached: false };

  test.each([{}, { expect: { status: 200 } }])('says what was expected and seen, with %j', (step) => {
    const failed = { verdict: 'failed', line: 4, expected: '"done"', observed: '"failed"' };
    expect(judged(sampled([{ status: 'failed' }]), step)).toMatchObject(failed);
  });

  test('is unknown if nothing could be observed, and says why', () => {
    expect(judged(unobservable)).toMatchObject({ verdict: 'unknown', explanation: 'the database is away' });
  });

  test('has failed, even if what was seen would have been enough', () => {
    expect(judged(sampled([{ status: 'done' }]))).toMatchObject({ verdict: 'failed', observed: 'waited' });
  });
});

describe('honesty', () => {
  const good = check({ expect: [1] });
  test.each<[string, AttemptEvent[], string]>([
    ['no check', attempt([], []), 'no-check'],
    ['nothing sent', attempt([good], [sampled([1])], {}, 0), 'nothing-sent'],
    [
      'absence without a twin',
      attempt([check({ expect: [], absence: true })], [sampled([])]),
      'absence-without-twin',
    ],
    ['an unknown check', attempt([good], [unobservable]), 'unknown'],
  ])('%s is unknown, with the reason', (_, events, kind) => {
    const { verdict, faults, cause } = judge(events);
    expect(verdict).toBe('unknown');
    expect(faults.map((fault) => fault.kind)).toContain(kind);
    expect(cause?.kind).toBe('suite');
  });

  test('a healthy attempt has no fault', () => {
    expect(judge(attempt([good], [sampled([1])]))).toMatchObject({
      verdict: 'passed',
      faults: [],
      cause: null,
    });
  });

  test('an absence counts only where the twin saw something at the same source', () => {
    const nothing = check({ expect: [], absence: true, provenBy: 'twin' });
    const twin = { id: 'twin', verdict: 'passed' as const, saw: ['rows a.b'] };
    expect(judgeTwins([nothing], [twin])).toEqual([]);
    const other = { ...twin, saw: ['rows other.b'] };
    expect(judgeTwins([nothing], [other])).toHaveLength(1);
    expect(judgeTwins([nothing], [other], 'db')).toEqual([]);
    expect(judgeTwins([nothing], [{ ...twin, saw: ['rows other.c', 'rows *.b'] }], 'db')).toHaveLength(1);
    expect(judgeTwins([nothing], [{ ...twin, id: 'twin[case]' }])).toEqual([]);
    for (const bad of [
      [],
      [{ ...twin, saw: [] }],
      [{ ...twin, saw: ['rows a.c'] }],
      [{ ...twin, verdict: 'failed' as const }],
    ]) {
      expect(judgeTwins([nothing], bad)).toMatchObject([{ kind: 'twin-saw-nothing', check: 'it' }]);
    }
    expect(judge(attempt([check({ expect: [1] })], [sampled([1])])).saw).toEqual(['rows a.b']);
    expect(judge(attempt([check({ expect: [] })], [sampled([])])).saw).toEqual([]);
  });
});

describe('gates that every trial has', () => {
  const good = check({ expect: [1] });
  const line = (text: string): AttemptEventBody => ({ type: 'log.error', service: 'web', text });
  test('a new error line fails, an allowed one does not', () => {
    expect(judge(attempt([good], [sampled([1]), line('ERROR new')]))).toMatchObject({
      verdict: 'failed',
      cause: { kind: 'log', text: 'a new error line: web: ERROR new' },
    });
    expect(judge(attempt([good], [sampled([1]), line('ERROR known')])).verdict).toBe('passed');
  });

  test('a process that ended by itself is the cause of everything after', () => {
    const died: AttemptEventBody = {
      type: 'node.exited',
      kind: 'service',
      name: 'web',
      code: 3,
      signal: null,
      expected: false,
    };
    const judged = judge(attempt([good], [died, sampled([0])]));
    expect(judged).toMatchObject({
      verdict: 'failed',
      cause: { kind: 'death', text: 'service web ended by itself, with 3' },
    });
    expect(judge(attempt([good], [{ ...died, expected: true }, sampled([1])])).verdict).toBe('passed');
  });
});

describe('expected failures', () => {
  const failing = [sampled([0])];
  const one = check({ expect: [1] });
  test('fail as expected, fail when they pass, fail when something else fails', () => {
    const because = { expectedFailure: { because: 'issue 12' } };
    expect(judge(attempt([one], failing, because)).verdict).toBe('expected-failure');
    expect(judge(attempt([one], [sampled([1])], because))).toMatchObject({
      verdict: 'failed',
      cause: { kind: 'expected-failure-passed' },
    });
    const narrow = { expectedFailure: { because: 'issue 12', checks: ['other'] } };
    expect(judge(attempt([one], failing, narrow)).verdict).toBe('failed');
  });
});

describe('several attempts', () => {
  const held = judge(attempt([check({ expect: [1] })], [sampled([1])]));
  const failed = judge(attempt([check({ expect: [1] })], [sampled([0])]));
  test('all must hold, unless fewer are enough', () => {
    expect(judgeTrial([held, held]).verdict).toBe('passed');
    expect(judgeTrial([held, failed, held]).verdict).toBe('failed');
    expect(judgeTrial([held, failed, held], { it: 2 }).verdict).toBe('passed');
    expect(judgeTrial([held, failed, failed], { it: 2 })).toMatchObject({
      verdict: 'failed',
      cause: { text: 'it held in 1 of 3 attempts, 2 needed' },
    });
  });
});
