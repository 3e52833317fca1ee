import { describe, expect, test } from 'vitest';
import { attemptJournal, call, chain, modelCalled } from '../../test/harness/attempt-journal.ts';
import { felt } from '../../test/harness/blame-situations.ts';
import { sentTwice } from '../journal/event.ts';
import type { PeerCalled } from '../journal/peer-event.ts';
import type { AttemptEnd, AttemptEventBody } from '../journal/trial-event.ts';
import { judge } from './judge/judge-attempt.ts';
import { judgeTrial } from './judge/judge-trial.ts';

function judged(
  events: readonly AttemptEventBody[],
  end: AttemptEnd = 'done',
  evidence: unknown = { status: 200 },
) {
  return judge(attemptJournal({ topology: chain, events, end, evidence, record: { checks: [] } }));
}

const unscripted = modelCalled({
  caller: 'health',
  call: 3,
  status: 500,
  costUsd: 0,
  usage: null,
  fault: { kind: 'unscripted', what: 'the script has 2 lines, and both were told' },
});
const unused: AttemptEventBody = {
  type: 'peer.unused',
  resource: 'model',
  caller: 'gateway',
  line: 2,
  what: 'says "All is well."',
};
const asked: PeerCalled = {
  type: 'peer.called',
  resource: 'bank',
  caller: 'gateway',
  method: 'POST',
  path: '/pay',
  status: 200,
  line: 1,
};

describe('scripts', () => {
  test('a call that is in the script holds, and a trial without a model has no such check', () => {
    expect(judged([modelCalled()]).checks.find(({ id }) => id === 'models')?.verdict).toBe('passed');
    expect(judged([asked]).checks.find(({ id }) => id === 'peers')?.verdict).toBe('passed');
    expect(judged([]).checks.map(({ id }) => id)).not.toContain('models');
  });

  test('a request that a disturbance sent a second time is not that of its caller', () => {
    const again = felt('health', 'model', 1, sentTwice);
    const { cause, blame } = judged([unscripted, again]);
    expect(cause?.text).toMatch(
      /^disturb\[0\] sent the request of health to model again: the script has 2 lines/,
    );
    expect(blame?.because).toMatch(/^disturb\[0\] sent a request a second time/);
    expect(judged([again, unscripted]).cause?.text).toMatch(/^health asked model a 3rd time/);
  });

  test.each<[string, AttemptEventBody, string]>([
    [
      'asked too often',
      unscripted,
      'health asked model a 3rd time: the script has 2 lines, and both were told',
    ],
    [
      'asked something else',
      modelCalled({ call: 1, fault: { kind: 'unexpected-request', what: 'line 1 expects a tool' } }),
      'gateway asked model for the first time: line 1 expects a tool',
    ],
    [
      'a line that was not used',
      unused,
      `line 2 of model's script for gateway was not used: says "All is well."`,
    ],
    [
      'a third party with a request that is not in its script',
      { ...asked, fault: { kind: 'unscripted', what: 'no line is for POST /pay' } },
      'gateway asked bank, POST /pay: no line is for POST /pay',
    ],
    [
      'a callback that was not accepted',
      { ...asked, callback: true, fault: { kind: 'undelivered', what: 'refused' } },
      'bank called gateway back, POST /pay: refused',
    ],
    [
      'a recording of a model that failed',
      {
        type: 'peer.recorded',
        resource: 'model',
        file: 'c/t.json',
        calls: 1,
        because: 'it was away',
        stays: true,
      },
      'c/t.json was not recorded: it was away',
    ],
    [
      'a recording of a third party that failed',
      { type: 'peer.recorded', resource: 'bank', file: 'c/t.json', calls: 0, because: 'it broke off' },
      'c/t.json was not recorded: it broke off',
    ],
  ])('%s', (_, event, text) => {
    expect(judged([event])).toMatchObject({ verdict: 'failed', cause: { kind: 'script', text } });
  });

  test('a written recording is not a fault, and a failed one does not explain a failed check', () => {
    const written = { type: 'peer.recorded', resource: 'bank', file: 'c/t.json', calls: 1 } as const;
    expect(judged([asked, written]).verdict).toBe('passed');
    const early = judged([{ ...written, because: 'it broke off' }], 'step-failed', { status: 500 });
    expect(early.cause?.kind).toBe('step');
  });

  test('what a provider does is not a fault of the script', () => {
    for (const kind of ['bad-key', 'bad-history', 'unknown-model', 'upstream'] as const)
      expect(judged([modelCalled({ status: 401, fault: { kind, what: 'no' } })]).verdict).toBe('passed');
  });

  test('a step that failed before explains more; lines are not asked for after it', () => {
    const failed = judged([unused], 'step-failed', { status: 500 });
    expect(failed.cause?.kind).toBe('step');
    expect(failed.checks.map(({ id }) => id)).not.toContain('models');
  });

  test('a peer that could not answer explains the step that failed after it', () => {
    const events = attemptJournal({
      topology: chain,
      events: [
        unscripted,
        { type: 'step.ended', step: 'next', outcome: 'failed', evidence: { status: 500 }, sentBytes: 1 },
      ],
      end: 'step-failed',
      record: {
        checks: [],
        steps: ['ask', 'next'].map((name) => ({ name, line: 3, driver: 'http', expect: { status: 200 } })),
      },
    });
    expect(judge(events).cause?.kind).toBe('script');
  });
});

describe('a budget that is spent', () => {
  const spent = modelCalled({
    status: 429,
    costUsd: 0,
    usage: null,
    fault: { kind: 'budget', what: '0.05 USD are spent' },
  });

  test('makes the attempt unknown, whatever failed because of it', () => {
    expect(judged([spent], 'step-failed', { status: 500 })).toMatchObject({
      verdict: 'unknown',
      cause: { kind: 'budget', text: '0.05 USD are spent' },
      blame: null,
    });
  });

  test('makes all attempts together unknown', () => {
    const whole = judgeTrial([judged([]), judged([spent], 'step-failed', { status: 500 })]);
    expect(whole).toMatchObject({ verdict: 'unknown', cause: { kind: 'budget' }, blame: null });
  });
});

describe('cost', () => {
  test('is the sum of what is known, and names what is not', () => {
    const events = [
      modelCalled({ costUsd: 0.1 }),
      modelCalled({ costUsd: 0.2 }),
      modelCalled({ model: 'unknown-1', costUsd: null }),
      modelCalled({ model: 'refused', costUsd: null, usage: null, status: 401 }),
    ];
    expect(judged([...events, modelCalled({ costUsd: 0.4, mode: 'live' })])).toMatchObject({
      costUsd: 0.7,
      paidUsd: 0.4,
    });
    expect(judged(events)).toMatchObject({
      costUsd: 0.3,
      paidUsd: 0,
      unpriced: ['unknown-1'],
      tokens: { input: 30, output: 9 },
    });
    expect(judgeTrial([judged(events), judged([modelCalled()])])).toMatchObject({
      costUsd: 0.301,
      unpriced: ['unknown-1'],
      tokens: { input: 40, output: 12 },
    });
  });
});

describe('a real call without usage', () => {
  test('is counted as such, and not as one without a price', () => {
    const silent = modelCalled({ model: 'gpt-4o', mode: 'live', usage: null, costUsd: null });
    const left = modelCalled({ model: 'refused', mode: 'live', usage: null, costUsd: 0, status: 429 });
    expect(judged([silent, silent, left])).toMatchObject({ unpriced: [], unmetered: 2 });
    expect(judgeTrial([judged([silent]), judged([silent])])).toMatchObject({ unmetered: 2 });
    expect(judged([modelCalled({ mode: 'script', usage: null, costUsd: null })])).not.toHaveProperty(
      'unmetered',
    );
  });
});

describe('disturbances', () => {
  const disturbs = [{ name: 'disturb[0]', edge: 'gateway -> model', what: 'cut at {"event":9} by fin' }];
  const run = (...events: readonly AttemptEventBody[]) =>
    judge(attemptJournal({ topology: chain, events, record: { checks: [], disturbs } }));
  const felt = (disturbance: string): AttemptEventBody => ({
    type: 'disturbance.felt',
    from: 'gateway',
    to: 'model',
    disturbance,
    crossing: 1,
    connection: 1,
    what: 'cut',
  });

  test('one that was not felt makes the trial unknown, and says what crossed the edge', () => {
    const calls = [call('gateway -> model', [1, 2]), call('gateway -> model', [3, 4])];
    expect(run(...calls, felt('disturb[0]')).verdict).toBe('passed');
    expect(run(...calls, felt('disturb[1]'))).toMatchObject({
      verdict: 'unknown',
      cause: { kind: 'suite' },
      faults: [
        {
          kind: 'unfelt-disturbance',
          text: expect.stringMatching(/`disturb\[0\]` on gateway -> model .* 2 calls crossed/),
        },
      ],
    });
    expect(run().faults[0]?.text).toContain('nothing crossed that edge');
  });
});
