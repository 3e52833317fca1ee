/** The worked example of `docs/guides/read-a-failure.md`: the page shows the real output. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  answered,
  attemptJournal,
  chain,
  call as chained,
  check as declaredCheck,
  modelCalled,
  turn,
  unanswered,
} from '../../../test/harness/attempt-journal.ts';
import { judge } from '../../checks/judge/judge-attempt.ts';
import type { CheckVerdict, TrialVerdict } from '../../checks/verdict.ts';
import type { CallEvent } from '../../journal/call-event.ts';
import type { AttemptEvent, AttemptEventBody } from '../../journal/trial-event.ts';
import { formatTrial } from './format-trial.ts';

type Timed = readonly [at: number, body: AttemptEventBody];

function call(from: string, to: string, over: Partial<CallEvent>): CallEvent {
  return {
    type: 'call',
    from,
    to,
    crossing: 1,
    connection: 1,
    protocol: 'json-rpc',
    method: 'tools/call',
    path: '/mcp',
    request: { headers: {}, bytes: 120 },
    response: { headers: {}, bytes: 80, status: 200 },
    startedAt: 0,
    endedAt: 12,
    ...over,
  };
}

const model = { protocol: 'http', method: 'POST', path: '/v1/messages' } as const;
const row = { id: 1, name: 'headache', notes: 'I have a bad headache, severity 7, since this morning' };
const stored = [{ ...row, severity: 5, session: 's-4f1c9a', logged_at: '2026-03-01T02:11:09.001Z' }];

const declared = { steps: [], checks: [{ id: 'stored', query: { service: 'health', table: 'symptoms' } }] };

const timed: readonly Timed[] = [
  [0, { type: 'attempt.started', uid: 'trial-1', trial: declared, scope: {} }],
  [2, { type: 'step.started', step: 'accepted', action: 'mcp switchboard, tool ingest' }],
  [
    26,
    {
      type: 'step.ended',
      step: 'accepted',
      outcome: 'done',
      sentBytes: 210,
      evidence: { isError: false, result: { status: 'accepted', session: 's-4f1c9a' } },
    },
  ],
  [31, call('switchboard', 'model', { ...model, startedAt: 15, endedAt: 31 })],
  [44, call('switchboard', 'health', { params: { name: 'handle_message' }, startedAt: 32, endedAt: 44 })],
  [58, call('health', 'model', { ...model, startedAt: 44, endedAt: 58 })],
  [60, { type: 'probe.sampled', probe: 'stored', value: [], from: 30, to: 48, samples: 2 }],
  [5_040, { type: 'probe.sampled', probe: 'stored', value: stored, from: 61, to: 5_036, samples: 48 }],
  [
    5_100,
    call('switchboard', 'home', {
      params: { name: 'tick' },
      startedAt: 5_088,
      endedAt: 5_100,
      error: { code: -32_603, message: 'no lamp named "hall"' },
    }),
  ],
  [
    5_120,
    {
      type: 'log.tail',
      service: 'health',
      lines: ['INFO symptom_log name=headache severity=7', 'WARN severity above the scale of 5, clamped'],
    },
  ],
  [5_120, { type: 'log.tail', service: 'home', lines: ['INFO tick'] }],
  [5_130, { type: 'attempt.ended', end: 'done', durationMs: 5_130 }],
];

const events = timed.map(([at, body], index): AttemptEvent => ({ seq: index + 1, at, ...body }));

function check(id: string, over: Partial<CheckVerdict> = {}): CheckVerdict {
  return { id, line: 20, verdict: 'passed', expected: '', observed: '', evidence: [], ...over };
}

const verdict: TrialVerdict = {
  id: 'butlers/headache',
  title: 'A headache with a severity becomes one row of the health butler',
  file: 'trials/headache.trial.yaml',
  line: 2,
  tags: ['smoke'],
  covers: ['MSG-012'],
  backend: null,
  verdict: 'failed',
  cause: { kind: 'check', text: 'stored: expected 7, observed 5' },
  attempts: 1,
  checks: [
    check('step accepted'),
    check('routed'),
    check('stored', {
      line: 41,
      verdict: 'failed',
      expected: '7',
      observed: '5',
      explanation:
        'expected  7\nobserved  5\nat        $[0].severity\nwaited 5.00 s; the last value seen: [{ id: 1 …',
      mismatches: [{ path: '$[0].severity', expected: '7', observed: '5' }],
      evidence: [8],
    }),
    check('logged'),
    check('processes'),
    check('logs'),
  ],
  blame: null,
  durationMs: 5_130,
  costUsd: 0,
  unpriced: [],
  tokens: { input: 0, output: 0 },
  skipReason: null,
  repro: 'shakedown rerun latest butlers/headache',
  faults: [],
  folder: 'trials/butlers/headache',
};

/** The same for a journal that is judged for it. */
function judgedVerdict(judgedEvents: readonly AttemptEvent[]): TrialVerdict {
  const { cause, checks, faults, durationMs, blame } = judge(judgedEvents);
  return {
    ...verdict,
    id: 'gateway/cut',
    title: 'An answer that breaks off is asked for again',
    file: 'trials/cut.trial.yaml',
    line: 1,
    cause,
    checks,
    faults,
    durationMs,
    blame,
    repro: 'shakedown rerun latest gateway/cut',
    folder: 'trials/gateway/cut',
  };
}

const runFolder = '.shakedown/latest';
const shown = formatTrial(verdict, events, { runFolder }).join('\n');
const whole = formatTrial(verdict, events, { runFolder, verbose: true }).join('\n');

test('a check whose wait timed out: what fits on a screen', () => {
  expect(shown).toMatchInlineSnapshot(`
    "✗ butlers/headache  failed after 5.13 s
      A headache with a severity becomes one row of the health butler
      trials/headache.trial.yaml:2

      ✗ stored (line 41)
          at        $[0].severity
          expected  7
          observed  5
                    waited 5.00 s

      again     shakedown rerun latest butlers/headache
      more      shakedown report latest butlers/headache --verbose
    "
  `);
});

test('a check whose wait timed out: the whole story', () => {
  expect(whole).toMatchInlineSnapshot(`
    "✗ butlers/headache  failed after 5.13 s: stored: expected 7, observed 5
      A headache with a severity becomes one row of the health butler
      trials/headache.trial.yaml:2

      What was done
            2 ms  accepted: mcp switchboard, tool ingest
                  24 ms later: result { status: "accepted", session: "s-4f1c9a" }

      What was expected, and what was seen
        ✗ stored (line 41)
            expected  7
            observed  5
            at        $[0].severity
            waited 5.00 s
            the last value seen (from 61 ms to 5.04 s, in 48 samples):
              [
                {
                  id: 1
                  name: "headache"
                  notes: "I have a bad headache, severity 7, since this morning"
            >     severity: 5
                  session: "s-4f1c9a"
                  logged_at: "2026-03-01T02:11:09.001Z"
                }
              ]
            before that, until 48 ms: []
        ✓ held: routed, logged

      Who answered what
          switchboard -> model   POST /v1/messages          200  16 ms
          switchboard -> health  tools/call handle_message  200  12 ms
          health -> model        POST /v1/messages          200  14 ms
        ✗ switchboard -> home    tools/call tick            200  12 ms
            error -32603: no lamp named "hall"

      What the logs say
        the last lines of health:
          | INFO symptom_log name=headache severity=7
          | WARN severity above the scale of 5, clamped
        the last lines of home:
          | INFO tick

      See it again
        shakedown rerun latest butlers/headache
        everything that was seen: .shakedown/latest/trials/butlers/headache
    "
  `);
});

const path = '/v1/chat/completions';
const said = { text: 'Let me', complete: false, stop: null, usage: null };
const cutShort = attemptJournal({
  topology: chain,
  record: {
    id: 'gateway/cut',
    steps: [{ name: 'ask', line: 9, driver: 'http', to: 'agent' }],
    checks: [
      declaredCheck({
        id: 'answered',
        line: 14,
        kind: 'exchange',
        query: { exchange: 'ask' },
        expect: { json: { text: 'Buy milk.' } },
      }),
    ],
    disturbs: [
      { name: 'disturb[0]', edge: 'gateway -> model', what: 'cut before event 2 crossing 1', times: 1 },
    ],
  },
  evidence: { status: 502, json: { error: 'the gateway did not answer' } },
  events: [
    {
      type: 'disturbance.felt',
      from: 'gateway',
      to: 'model',
      disturbance: 'disturb[0]',
      crossing: 101,
      connection: 101,
      what: 'cut by fin before event 2, after 212 bytes',
    },
    modelCalled({ startedAt: 100, endedAt: 240 }),
    chained('gateway -> model', [100, 240], { path, incomplete: 'cut', turn: turn(said) }),
    { type: 'node.exited', kind: 'service', name: 'gateway', code: 1, signal: null, expected: false },
    unanswered(chained('agent -> gateway', [50, 260], { path }), 'cut'),
    chained('outside -> agent', [10, 390], {
      response: answered(502, { error: 'the gateway did not answer' }),
    }),
    { type: 'log.tail', service: 'gateway', lines: ['TypeError: Cannot read properties of undefined'] },
  ],
});

const second = formatTrial(judgedVerdict(cutShort), cutShort, { runFolder, verbose: true }).join('\n');

test('a disturbance that broke a service, on a screen', () => {
  const brief = formatTrial(judgedVerdict(cutShort), cutShort, { runFolder }).join('\n');
  expect(brief).toMatchInlineSnapshot(`
    "✗ gateway/cut  failed after 500 ms
      An answer that breaks off is asked for again
      trials/cut.trial.yaml:1

      ✗ service gateway ended by itself after 406 ms, with exit code 1
          | TypeError: Cannot read properties of undefined
      ✗ answered (line 14)
          at        $.json.text
          expected  "Buy milk."
          observed  nothing (keys here: error)
          answer    status 502, { error: "the gateway did not answer" }
        the trial disturbed gateway -> model: cut by fin before event 2, after 212 bytes

      to blame  gateway: service gateway ended by itself, with 1
      again     shakedown rerun latest gateway/cut
      more      shakedown report latest gateway/cut --verbose
    "
  `);
});

test('a disturbance that broke a service: the story names the party to blame, and the disturbance', () => {
  expect(second).toMatchInlineSnapshot(`
    "✗ gateway/cut  failed after 500 ms: service gateway ended by itself, with 1
      An answer that breaks off is asked for again
      trials/cut.trial.yaml:1

      What was done
            1 ms  ask: POST agent/ask
                  399 ms later: status 502, { error: "the gateway did not answer" }

      What was expected, and what was seen
        ✗ answered (line 14)
            expected  "Buy milk."
            observed  nothing (keys here: error)
            at        $.json.text
            the answer:
              { status: 502, json: { error: "the gateway did not answer" } }

      Who is to blame
        gateway: service gateway ended by itself, with 1

      What was disturbed
        gateway -> model  disturb[0]: cut by fin before event 2, after 212 bytes

      Who answered what
        ✗ outside -> agent  POST /ask                  502      380 ms
            { error: "the gateway did not answer" }
        ✗ agent -> gateway  POST /v1/chat/completions  cut off  210 ms
        ✗ gateway -> model  POST /v1/chat/completions  cut off  140 ms
            line 1: says "Let me", incomplete, 0.0010 USD

      Who died
        service gateway ended by itself after 406 ms, with exit code 1

      What the logs say
        the last lines of gateway:
          | TypeError: Cannot read properties of undefined

      See it again
        shakedown rerun latest gateway/cut
        everything that was seen: .shakedown/latest/trials/gateway/cut
    "
  `);
});

test('the page shows the stories', () => {
  const page = readFileSync(new URL('../../../docs/guides/read-a-failure.md', import.meta.url), 'utf8');
  for (const story of [shown, whole, second])
    expect(page).toContain(`\`\`\`text\n${story.trimEnd()}\n\`\`\``);
});
