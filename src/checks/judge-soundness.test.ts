import { describe, expect, test } from 'vitest';
import type { AttemptEnd, AttemptEvent, AttemptEventBody } from '../journal/trial-event.ts';
import { judge } from './judge/judge-attempt.ts';
import { judgeTrial } from './judge/judge-trial.ts';
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

const sampled = (value: unknown, probe = 'it'): AttemptEventBody => ({
  type: 'probe.sampled',
  probe,
  value,
  from: 0,
  to: 0,
  samples: 1,
});

interface Shown {
  readonly checks?: readonly CheckRecord[];
  readonly seen?: readonly AttemptEventBody[];
  readonly record?: Partial<TrialRecord>;
  readonly end?: AttemptEnd;
  readonly evidence?: unknown;
  readonly outcome?: 'done' | 'failed';
  readonly sentBytes?: number;
}

const plainStep: StepRecord = { name: 'sent', line: 2, driver: 'http' };

function attempt(shown: Shown): AttemptEvent[] {
  const { checks = [], seen = [], record = {}, end = 'done', outcome = 'done', sentBytes = 5 } = shown;
  const { evidence = { status: 200 } } = shown;
  const trial: TrialRecord = {
    id: 'a/b',
    file: 'a.trial.yaml',
    line: 1,
    kind: 'yaml',
    covers: [],
    tags: [],
    steps: [plainStep],
    checks,
    logs: { error: 'ERROR', allow: [] },
    ...record,
  };
  const bodies: AttemptEventBody[] = [
    { type: 'attempt.started', uid: 'trial-1', trial, scope: { trial: { uid: 'trial-1' } } },
    { type: 'step.ended', step: 'sent', outcome, evidence, sentBytes },
    ...seen,
    { type: 'attempt.ended', end, because: `it ended ${end}`, durationMs: 5 },
  ];
  return bodies.map((body, index) => ({ seq: index + 1, at: index, ...body }));
}

const good = { checks: [check({ expect: [1] })], seen: [sampled([1])] };
const bad = { checks: [check({ expect: [1] })], seen: [sampled([0])] };
const died: AttemptEventBody = {
  type: 'node.exited',
  kind: 'service',
  name: 'web',
  code: 3,
  signal: null,
  expected: false,
};

describe('how the attempts of a trial ended', () => {
  const held = judge(attempt(good));
  test.each<[AttemptEnd, string]>([
    ['timeout', 'failed'],
    ['flow-failed', 'failed'],
    ['step-failed', 'failed'],
    ['interrupted', 'unknown'],
    ['environment-broken', 'unknown'],
  ])('one that ended %s makes the trial %s, though every check held', (end, verdict) => {
    const other = judge(attempt({ ...good, end }));
    expect(judgeTrial([held, other, held], { it: 1 })).toMatchObject({ verdict, end });
  });

  test('one that ended at a step is tolerated if the step is', () => {
    const steps = [{ ...plainStep, expect: { status: 200 } }];
    const right = judge(attempt({ ...good, record: { steps } }));
    const evidence = { status: 500 };
    const broke = judge(
      attempt({ ...good, record: { steps }, end: 'step-failed', outcome: 'failed', evidence }),
    );
    expect(judgeTrial([right, broke, right]).verdict).toBe('failed');
    expect(judgeTrial([right, broke, right], { 'step sent': 2 }).verdict).toBe('passed');
  });

  test('a check that an attempt does not have did not hold there', () => {
    const without = judge(
      attempt({ checks: [check({ id: 'other', expect: 1 })], seen: [sampled(1, 'other')] }),
    );
    expect(judgeTrial([held, without], { other: 1 })).toMatchObject({
      verdict: 'unknown',
      cause: { text: 'it held in 1 of 2 attempts, 2 needed' },
    });
    expect(judgeTrial([held, without], { it: 1, other: 1 }).verdict).toBe('passed');
  });

  test('an expected failure is judged over all attempts together', () => {
    const record = { expectedFailure: { because: 'issue 12' } };
    const failed = judge(attempt({ ...bad, record }));
    const passed = judge(attempt({ ...good, record }));
    expect(judgeTrial([failed, passed]).verdict).toBe('expected-failure');
    expect(judgeTrial([failed, passed], { it: 1 })).toMatchObject({
      verdict: 'failed',
      cause: { kind: 'expected-failure-passed' },
    });
    expect(judgeTrial([passed, judge(attempt({ ...good, record, end: 'timeout' }))]).verdict).toBe('failed');
  });
});

describe('expected failures', () => {
  const because = 'issue 12';
  const line: AttemptEventBody = { type: 'log.error', service: 'web', text: 'ERROR new' };
  test.each<[string, readonly string[] | undefined, Shown, string]>([
    ['a death', undefined, { ...bad, seen: [sampled([0]), died] }, 'failed'],
    [
      'a death that is named',
      ['it', 'processes'],
      { ...bad, seen: [sampled([0]), died] },
      'expected-failure',
    ],
    ['an error line', undefined, { ...good, seen: [sampled([1]), line] }, 'failed'],
    ['an error line that is named', ['logs'], { ...good, seen: [sampled([1]), line] }, 'expected-failure'],
    ['a timeout', undefined, { ...bad, end: 'timeout' }, 'failed'],
    ['a timeout beside what is named', ['it'], { ...bad, end: 'timeout' }, 'failed'],
    ['a timeout that is named', ['timeout', 'it'], { ...bad, end: 'timeout' }, 'expected-failure'],
    ['a flow that threw', undefined, { ...bad, end: 'flow-failed' }, 'failed'],
    ['a flow that threw, and is named', ['flow', 'it'], { ...bad, end: 'flow-failed' }, 'expected-failure'],
    ['an interruption', undefined, { ...good, end: 'interrupted' }, 'unknown'],
  ])('%s', (_, checks, shown, verdict) => {
    const expectedFailure = { because, ...(checks ? { checks } : {}) };
    expect(judge(attempt({ ...shown, record: { expectedFailure } })).verdict).toBe(verdict);
  });
});

describe('the value of a reference', () => {
  const said = (json: unknown, one: Partial<CheckRecord>, value: unknown) =>
    judge(attempt({ evidence: { json }, checks: [check(one)], seen: [sampled(value)] })).checks.find(
      ({ id }) => id === 'it',
    )?.verdict;

  test('is data, never an operator', () => {
    const evil = { $present: true };
    expect(said(evil, { expect: '${sent.json}' }, [{ a: 1 }])).toBe('failed');
    expect(said(evil, { expect: ['${sent.json}'] }, [evil])).toBe('passed');
    expect(said({ x: { $gte: 0 } }, { count: '${sent.json.x}' }, [1])).toBe('failed');
    expect(said([evil], { expect: { $any: '${sent.json}' } }, 'x')).toBe('failed');
    expect(said(evil, { expect: { $not: '${sent.json}' } }, 'x')).toBe('passed');
    expect(said({ a: [1] }, { expect: { $eq: '${sent.json}' } }, { a: [1] })).toBe('passed');
    expect(said(['a', 'b'], { expect: { $contains: '${sent.json}' } }, ['b', 'a', 'c'])).toBe('passed');
    expect(said({ a: 1 }, { expect: [{ row: '${sent.json}' }] }, [{ row: { a: 1, b: 2 } }])).toBe('failed');
    expect(said([1, 5], { expect: { $between: '${sent.json}' } }, 3)).toBe('passed');
    expect(said({ a: evil }, { expect: { $path: '${sent.json}' } }, { a: 3 })).toBe('failed');
  });

  test('may make a check an absence', () => {
    const counted = attempt({
      evidence: { n: 0 },
      checks: [check({ count: '${sent.n}' })],
      seen: [sampled([])],
    });
    expect(judge(counted)).toMatchObject({
      verdict: 'unknown',
      absences: [{ id: 'it' }],
      faults: [{ kind: 'absence-without-twin' }],
    });
    const within = check({ count: '${sent.n}', mode: 'within', withinMs: 50, provenBy: 'x' });
    const judged = judge(attempt({ evidence: { n: 0 }, checks: [within], seen: [sampled([])] }));
    expect(judged.checks.find(({ id }) => id === 'it')).toMatchObject({
      verdict: 'unknown',
      explanation: expect.stringContaining('holds at the first sample'),
    });
  });
});

describe('what was not kept', () => {
  const calls = { kind: 'calls', query: { from: 'a', to: 'b' } };
  const call = {
    crossing: 1,
    from: 'a',
    to: 'b',
    method: 'POST',
    request: { text: 'x' },
    incomplete: 'too-large',
  };
  const faults = [{ by: 'provider', rule: 'http.no-last-chunk', what: 'the connection ended' }];
  const whole = {
    ...call,
    status: 200,
    response: { status: 200, json: { paid: true } },
    incomplete: undefined,
  };
  const broken = { ...whole, response: { ...whole.response, unfinished: true }, incomplete: 'cut', faults };
  const paid = { response: { json: { paid: true } } };
  const paidOnly = { ...calls.query, where: paid };
  test.each<[string, Partial<CheckRecord>, unknown, string]>([
    ['an answer that broke off', { ...calls, expect: [paid] }, [broken], 'unknown'],
    ['one that was chosen by it', { ...calls, query: paidOnly, count: 1 }, [broken], 'unknown'],
    ['one that must never occur', { ...calls, mode: 'never', expect: { $some: paid } }, [broken], 'failed'],
    ['a body that was cut', { ...calls, expect: [{ request: { text: { $ne: 'y' } } }] }, [call], 'unknown'],
    ['beside the body', { ...calls, expect: [{ method: 'POST' }] }, [call], 'passed'],
    ['a value without room', { expect: { $not: { $contains: 1 } } }, { $dropped: { bytes: 9 } }, 'unknown'],
    [
      'a file that was not read',
      { expect: [{ $not: { text: { $contains: 'x' } } }] },
      [{ path: 'a', text: { $dropped: {} }, broken: 'larger than 8 MB' }],
      'unknown',
    ],
    [
      'a file that is not of its form',
      { expect: [{ json: { $not: { $contains: 'x' } } }] },
      [{ path: 'a', broken: 'no json: it ends' }],
      'unknown',
    ],
    [
      'a file that is found beside one that is not of its form',
      { expect: { $some: { path: 'b', text: 'hello' } } },
      [
        { path: 'a', broken: 'no text: it is not UTF-8' },
        { path: 'b', text: 'hello' },
      ],
      'passed',
    ],
    [
      'a file that is expected not to be of its form',
      { expect: [{ json: { $absent: true }, broken: { $contains: 'no json' } }] },
      [{ path: 'a', broken: 'no json: it ends' }],
      'passed',
    ],
    [
      'a file that ought to be of its form',
      { expect: [{ json: { a: 1 } }] },
      [{ path: 'a', broken: 'no json: it ends' }],
      'failed',
    ],
    [
      'the name of a file that was not read',
      { expect: [{ path: 'a' }] },
      [{ path: 'a', text: { $dropped: {} }, broken: 'larger than 8 MB' }],
      'passed',
    ],
    [
      'a span that is not whole',
      { expect: { $not: { $some: { attributes: { a: 1 } } } } },
      [{ name: 'a', spanId: 'b', attributes: {}, events: [], cut: true }],
      'unknown',
    ],
    ['a row without room', { expect: [{ a: 1 }] }, [{ $dropped: { bytes: 9 } }], 'unknown'],
  ])('%s', (_, one, value, verdict) => {
    const { checks } = judge(attempt({ checks: [check(one)], seen: [sampled(value)] }));
    expect(checks.find(({ id }) => id === 'it')?.verdict).toBe(verdict);
  });

  test('a line of the journal', () => {
    const events = attempt(good);
    expect(judge(events).verdict).toBe('passed');
    const { verdict, cause } = judge(events.filter(({ type }) => type !== 'step.ended'));
    expect(verdict).toBe('unknown');
    expect(cause?.text).toContain('a line is missing in the journal, number 2');
  });
});

describe('golden outputs', () => {
  const golden = { file: 'x', accepted: [{ a: 1 }] };
  const said = (one: Partial<CheckRecord>, value: unknown) =>
    judge(attempt({ checks: [check(one)], seen: [sampled(value)] })).checks.find(({ id }) => id === 'it')
      ?.verdict;

  test('hold beside the rest, not instead of it', () => {
    expect(said({ golden, count: 2 }, [{ a: 1 }])).toBe('failed');
    expect(said({ golden, expect: [{ a: 2 }] }, [{ a: 1 }])).toBe('failed');
    expect(said({ golden, count: 1 }, [{ a: 1 }])).toBe('passed');
    expect(said({ golden, count: 1 }, [{ a: 3 }])).toBe('failed');
  });

  test('say nothing of what was not kept', () => {
    for (const seen of [[{ $dropped: {} }], [{ text: 'a‹cut›' }]])
      expect(said({ golden: { file: 'x', accepted: seen } }, seen)).toBe('unknown');
  });

  test('keep what was computed from the contents', () => {
    const [one, two] = ['a1', 'b2'].map((text) => text.repeat(32));
    expect(said({ golden: { file: 'x', accepted: { sha256: one } } }, { sha256: two })).toBe('failed');
    expect(said({ golden: { file: 'x', accepted: { session: one } } }, { session: two })).toBe('passed');
  });
});

test('a check claims the files that its glob matches, and no others', () => {
  const only = check({
    kind: 'changes',
    source: 'changes',
    query: { kinds: ['files'] },
    expect: [],
    only: ['mine'],
  });
  const said = (kind: string, query: CheckRecord['query'], change: object) => {
    const mine = check({ id: 'mine', kind, query: { service: 'a', ...query }, count: 0, provenBy: 'x' });
    const seen = [sampled([], 'mine'), sampled([{ kind: 'file', service: 'a', ...change }])];
    const judged = judge(attempt({ checks: [mine, only], seen }));
    return judged.checks.find(({ id }) => id === 'it')?.verdict;
  };
  expect(said('files', { path: 'out/*.json' }, { path: 'out/a.json', op: 'deleted' })).toBe('passed');
  expect(said('files', { path: 'out/*.json' }, { path: 'keys.db', op: 'deleted' })).toBe('failed');
  expect(said('events', { file: 'log/*.jsonl' }, { path: 'log/a.jsonl', op: 'updated' })).toBe('passed');
  expect(said('events', { file: 'log/*.jsonl' }, { path: 'keys.db', op: 'updated' })).toBe('failed');
});

describe('honesty', () => {
  test('a connection on which the system sent something was touched', () => {
    const shown = { ...good, sentBytes: 0 };
    expect(judge(attempt(shown)).verdict).toBe('unknown');
    expect(judge(attempt({ ...shown, evidence: { bytesReceived: 7 } })).verdict).toBe('passed');
    expect(judge(attempt({ ...shown, evidence: { answers: [{ bytesReceived: 7 }] } })).verdict).toBe(
      'passed',
    );
  });

  test('an absence is not proven by the trial itself', () => {
    const none = check({ expect: [], absence: true, provenBy: 'a/b' });
    expect(judge(attempt({ checks: [none], seen: [sampled([])] })).faults).toMatchObject([
      { kind: 'absence-without-twin' },
    ]);
  });

  test('what an act of a flow expects is a check, and an act that failed fails the flow that went on', () => {
    const record = { kind: 'flow' as const, steps: [] };
    const act = check({
      id: 'step sent',
      kind: 'exchange',
      query: { exchange: 'sent' },
      expect: { status: 200 },
    });
    const declared: AttemptEventBody = { type: 'check.declared', check: act };
    expect(judge(attempt({ record, seen: [declared] }))).toMatchObject({ verdict: 'passed', faults: [] });
    expect(judge(attempt({ record, seen: [] })).faults).toMatchObject([{ kind: 'no-check' }]);
    const swallowed = {
      ...good,
      record,
      outcome: 'failed' as const,
      evidence: { error: { kind: 'refused' } },
    };
    expect(judge(attempt(swallowed))).toMatchObject({ verdict: 'failed', cause: { kind: 'step' } });
    expect(judge(attempt({ ...swallowed, end: 'interrupted' })).verdict).toBe('unknown');
  });
});

describe('a system that does not become quiet', () => {
  const busy: AttemptEventBody = { type: 'quiet', quiet: false, waitedMs: 10_000, busy: ['a -> b'] };
  const none = check({ expect: [], absence: true, provenBy: 'twin' });

  test('leaves an absence open, and nothing else', () => {
    expect(judge(attempt({ checks: [none], seen: [busy, sampled([])] }))).toMatchObject({
      verdict: 'unknown',
    });
    expect(judge(attempt({ checks: [check({ expect: [1] })], seen: [busy, sampled([1])] })).verdict).toBe(
      'passed',
    );
    const idle: AttemptEventBody = { type: 'quiet', quiet: true, waitedMs: 250, busy: [] };
    expect(judge(attempt({ checks: [none], seen: [idle, sampled([])] })).verdict).toBe('passed');
  });
});

test('a step that could not be sent says why', () => {
  const steps = [{ ...plainStep, expect: { status: 200 } }];
  const events = attempt({ record: { steps }, outcome: 'failed', end: 'step-failed', evidence: null });
  const because = '${a.json.nope} has no value';
  const shown = events.map((event) => (event.type === 'step.ended' ? { ...event, because } : event));
  expect(judge(shown).checks[0]).toMatchObject({ verdict: 'failed', observed: because });
});
