/** Evidence for reports: a trial that failed beside the attempt that passed, one with hostile contents, and many that passed. */

import type { Blame } from '../../src/checks/blame/blame.ts';
import { noCost } from '../../src/checks/cost.ts';
import type { CheckVerdict, RunVerdict, TrialVerdict } from '../../src/checks/verdict.ts';
import type { AttemptEvent } from '../../src/journal/trial-event.ts';
import { ExactNumber } from '../../src/kernel/exact-json.ts';
import type { ReportedAttempt, ReportedTrial } from '../../src/report/page/embedded-report.ts';
import {
  answered,
  asked,
  attemptJournal,
  call,
  chain,
  check,
  modelCalled,
  sampled,
  turn,
} from './attempt-journal.ts';
import type { ReportContent } from './embed-report.ts';

export function trialVerdict(id: string, over: Partial<TrialVerdict> = {}): TrialVerdict {
  return {
    ...noCost,
    ...{ id, file: `${id}.trial.yaml`, line: 1, tags: [], covers: [], backend: null, verdict: 'passed' },
    ...{ cause: null, attempts: 1, checks: [], blame: null, durationMs: 120, skipReason: null, faults: [] },
    ...{ repro: `shakedown rerun run-1 ${id}`, folder: `trials/${id}` },
    ...over,
  };
}

export function runVerdict(trials: readonly TrialVerdict[]): RunVerdict {
  const count = (verdict: TrialVerdict['verdict']): number =>
    trials.filter((trial) => trial.verdict === verdict).length;
  const hasFailed = trials.some(({ verdict }) => verdict === 'failed');
  return {
    ...{
      schemaVersion: 1,
      tool: 'shakedown 0.1.0',
      run: 'run-1',
      revision: null,
      configHash: 'c',
      seed: '5eed',
    },
    ...{
      verdict: hasFailed ? 'failed' : 'passed',
      exitCode: hasFailed ? 1 : 0,
      reasons: [],
      durationMs: 4_000,
    },
    ...{ trials, requirements: [], leaks: [] },
    counts: {
      ...{ declared: trials.length, selected: trials.length, executed: trials.length },
      ...{ passed: count('passed'), failed: count('failed'), unknown: count('unknown') },
      ...{
        skipped: count('skipped'),
        'expected-failure': count('expected-failure'),
        unstable: count('unstable'),
      },
    },
  };
}

export function reportContent(
  verdicts: readonly TrialVerdict[],
  trials: readonly ReportedTrial[],
): ReportContent {
  const run = { run: 'run-1', folder: '.shakedown/runs/run-1', startedAt: '2026-01-01T10:00:00.000Z' };
  return {
    index: {
      ...{ verdict: runVerdict(verdicts), boots: [], requirements: [], flakes: [], notes: [] },
      runs: [{ ...run, seed: '5eed', variant: {}, system: 'shop' }],
    },
    trials,
  };
}

export function attemptOf(
  events: readonly AttemptEvent[],
  over: Partial<ReportedAttempt> = {},
): ReportedAttempt {
  const place = { run: 'run-1', attempt: 1, folder: 'trials/chain/ask' };
  return { ...place, startedAt: '2026-01-01T10:00:00.000Z', events, ...over };
}

const question = { model: 'small', messages: [{ role: 'user', content: 'Refund my order' }] };
const refund = [{ id: 'call_1', name: 'refund', arguments: { order: 7, cents: 1250 } }];

/** `cents` is what the gateway passes on to the bank; a good one also writes a receipt. */
export function refundEvents(cents: number, isGood: boolean): readonly AttemptEvent[] {
  const stored = isGood
    ? [{ order: 7, cents }]
    : [
        { order: 7, cents },
        { order: 7, cents },
      ];
  return attemptJournal({
    topology: chain,
    record: { id: 'shop/refund', checks: [check({ id: 'refunded', expect: { $length: 1 } })] },
    events: [
      call('outside -> agent', [2, 300], { response: answered(200, { text: 'refunded' }) }),
      call('agent -> gateway', [10, 280], { path: '/refund', request: asked({ order: 7, cents: 1250 }) }),
      call('gateway -> model', [20, 60], {
        ...{
          path: '/v1/chat/completions',
          request: asked(question),
          turn: turn({ text: '', calls: refund }),
        },
        response: { ...answered(200), events: frames() },
      }),
      modelCalled({ startedAt: 20, endedAt: 60 }),
      call('gateway -> bank', [70, 120], { path: '/refunds/refund', request: asked({ order: 7, cents }) }),
      ...(isGood
        ? [call('agent -> files', [290, 295], { method: 'PUT', path: '/receipts/7' })]
        : [
            call('gateway -> bank', [130, 150], {
              path: '/refunds/refund',
              request: asked({ order: 7, cents }),
            }),
          ]),
      call('agent -> traces', [296, 297], { path: '/v1/traces' }),
      { type: 'log.tail', service: 'gateway', lines: ['listening', 'WARN rounding'] },
      sampled('refunded', stored),
    ],
  });
}

function frames() {
  return ['Re', 'fund', 'ing'].map((text, index) => ({ data: { text }, at: 10 + index * 10 }));
}

const failing: CheckVerdict = {
  ...{ id: 'refunded', line: 9, verdict: 'failed', expected: 'exactly 1 element', observed: '2 elements' },
  mismatches: [{ path: '$', expected: 'exactly 1 element', observed: '2 elements' }],
  explanation: 'two refunds are stored',
  evidence: [12],
};

const becauseOfGateway: Blame = {
  party: 'gateway',
  edge: 'gateway -> bank',
  rule: 3,
  because: 'it asked for 12 cents where it was told 1250',
  evidence: [8],
};

export const failedTrial = trialVerdict('shop/refund', {
  ...{ title: 'A refund is paid once', verdict: 'failed', checks: [failing], blame: becauseOfGateway },
  cause: { kind: 'check', text: 'refunded: expected exactly 1 element, observed 2 elements' },
});

export const failedEvidence: ReportedTrial = {
  id: 'shop/refund',
  attempts: [attemptOf(refundEvents(12, false))],
  reference: attemptOf(refundEvents(1250, true), { run: 'run-0' }),
};

export const hostileId = `shop/"it's" 100% <b>bold</b>/ü\\`;
const script = '<script>document.title = "taken"</script><img src=x onerror="document.title=1">';

/** What no healthy journal has; each in its own event. */
export function hostileEvents(): readonly AttemptEvent[] {
  const leftOut = { $leftOut: { bytes: 900_000, beginning: script } };
  const odd = (values: object): AttemptEvent => ({ seq: 0, at: 0, ...values }) as unknown as AttemptEvent;
  const deep = Array.from({ length: 400 }).reduce<unknown>((inner) => ({ inner }), 'the end');
  const many = Array.from({ length: 5_000 }, (_, at) => call('outside -> agent', [at, at + 3]));
  return [
    odd(call('outside -> agent', [1, 5], { request: asked(script), response: answered(500, { script }) })),
    odd({ ...call('outside -> agent', [6, 7]), request: leftOut, faults: leftOut, turn: leftOut }),
    odd({ ...call('agent -> db', [8, 9], { protocol: 'postgres' }), statement: leftOut, result: leftOut }),
    odd({ ...call('agent -> model', [9, 12]), request: { headers: leftOut, json: leftOut, bytes: 1 } }),
    odd({ ...call('agent -> model', [9, 12]), response: { ...answered(200), events: leftOut } }),
    odd(
      call('agent -> files', [12, 14], {
        request: asked(deep),
        response: answered(200, 'x'.repeat(200_000)),
      }),
    ),
    odd({ type: 'log.error', service: 'agent', text: '\u001b[31mred\u001b[0m \u001b]0;title\u0007 bell' }),
    odd({ type: 'log.error', service: 'agent', text: leftOut }),
    odd({ type: 'event.of.tomorrow', shape: [1, 2] }),
    odd({ type: 'call' }),
    odd({ type: 'span', span: null }),
    odd({ type: 'node.exited', kind: 'service', name: 'agent', code: 1, signal: null, expected: false }),
    odd(
      sampled('numbers', [
        { exact: new ExactNumber('0.30000000000000000001'), large: 12345678901234567890n },
      ]),
    ),
    ...many.map(odd),
  ].map((event, index) => ({ ...event, seq: index + 1, at: index / 10 }));
}

export const hostileTrial = trialVerdict(hostileId, {
  ...{
    title: script,
    verdict: 'unknown',
    cause: { kind: 'evidence', text: script },
    folder: 'trials/hostile',
  },
});

export const hostileEvidence: ReportedTrial = {
  id: hostileId,
  attempts: [
    attemptOf(hostileEvents(), {
      folder: 'trials/hostile',
      unreadable: 'the last line of the journal was cut off',
    }),
  ],
  reference: attemptOf(hostileEvents().slice(0, 3_000), { run: 'run-0' }),
};
