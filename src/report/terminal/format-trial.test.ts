import { expect, test } from 'vitest';
import type { TrialRecord } from '../../checks/trial-record.ts';
import type { CheckVerdict, TrialVerdict } from '../../checks/verdict.ts';
import type { AttemptEvent, AttemptEventBody } from '../../journal/trial-event.ts';
import { formatTrial } from './format-trial.ts';

type Timed = readonly [at: number, body: AttemptEventBody];

function journal(...events: readonly Timed[]): AttemptEvent[] {
  return events.map(([at, body], index) => ({ seq: index + 1, at, ...body }) as AttemptEvent);
}

function trial(over: Partial<TrialVerdict> = {}): TrialVerdict {
  return {
    id: 'butlers/headache',
    file: 'trials/headache.trial.yaml',
    line: 2,
    tags: ['smoke'],
    covers: ['MSG-012'],
    backend: null,
    verdict: 'passed',
    cause: null,
    attempts: 1,
    checks: [],
    blame: null,
    durationMs: 1_234,
    costUsd: 0,
    unpriced: [],
    tokens: { input: 0, output: 0 },
    skipReason: null,
    repro: 'shakedown rerun latest butlers/headache',
    faults: [],
    folder: 'trials/butlers/headache',
    ...over,
  };
}

function check(id: string, over: Partial<CheckVerdict> = {}): CheckVerdict {
  return { id, line: 20, verdict: 'passed', expected: '', observed: '', evidence: [], ...over };
}

function declared(over: Partial<TrialRecord> = {}): AttemptEventBody {
  return { type: 'attempt.started', uid: 'trial-1', trial: { steps: [], checks: [], ...over }, scope: {} };
}

const format = (verdict: TrialVerdict, events: readonly AttemptEvent[] = []): string =>
  formatTrial(verdict, events, { verbose: true }).join('\n');

const diedOnJunk = journal(
  [
    0,
    declared({
      steps: ['bystander', 'abuse', 'same', 'work'].map((name) => ({ name, line: 1, driver: 'tcp' })),
    }),
  ],
  [1, { type: 'step.started', step: 'bystander', action: 'tcp daemon' }],
  [
    4,
    {
      type: 'step.ended',
      step: 'bystander',
      outcome: 'done',
      sentBytes: 0,
      evidence: { connected: true, received: [{ TYPE: ':EVENT', PAYLOAD: { ACTION: ':HANDSHAKE' } }] },
    },
  ],
  [5, { type: 'step.started', step: 'abuse', action: 'on bystander: 6 bytes, then half-close' }],
  [
    30,
    {
      type: 'node.exited',
      kind: 'service',
      name: 'daemon',
      code: null,
      signal: 'SIGSEGV',
      expected: false,
    },
  ],
  [
    31,
    {
      type: 'step.ended',
      step: 'abuse',
      outcome: 'failed',
      because: 'the connection was reset before an answer came',
      sentBytes: 6,
      evidence: { received: [], error: { kind: 'reset', message: 'read ECONNRESET' } },
    },
  ],
  [35, { type: 'connection.refused', from: 'gateway', to: 'daemon', because: 'provider-not-listening' }],
  [36, { type: 'connection.refused', from: 'gateway', to: 'daemon', because: 'provider-not-listening' }],
  [
    40,
    {
      type: 'log.error',
      service: 'daemon',
      text: 'FATAL parse of ZZZZZZ: not a number',
    },
  ],
  [
    41,
    {
      type: 'log.tail',
      service: 'daemon',
      lines: ['INFO listening', 'FATAL parse of ZZZZZZ: not a number'],
    },
  ],
  [41, { type: 'log.tail', service: 'gateway', lines: ['INFO idle'] }],
  [42, { type: 'attempt.ended', end: 'step-failed', because: 'the connection was reset', durationMs: 42 }],
);
const daemonDied = trial({
  id: 'daemon/junk[not-hex]',
  title: 'Junk on one connection harms nobody else',
  file: 'trials/junk.trial.yaml',
  verdict: 'failed',
  cause: { kind: 'death', text: 'service daemon ended by itself, by SIGSEGV' },
  durationMs: 42,
  repro: "shakedown rerun latest 'daemon/junk[not-hex]'",
  folder: 'trials/daemon/junk[not-hex]',
  checks: [
    check('step bystander'),
    check('step abuse', {
      line: 25,
      verdict: 'failed',
      expected: 'a step that can be done',
      observed: 'read ECONNRESET',
      explanation: 'the connection was reset before an answer came',
      evidence: [6],
    }),
    check('contained', {
      verdict: 'unknown',
      observed: 'nothing',
      explanation: 'the attempt ended before the check was sampled',
    }),
    check('unharmed', {
      verdict: 'unknown',
      observed: 'nothing',
      explanation: 'the attempt ended before the check was sampled',
    }),
    check('processes', {
      verdict: 'failed',
      expected: 'every service stays up',
      observed: 'service daemon ended by itself, by SIGSEGV',
      evidence: [5],
    }),
    check('logs', {
      verdict: 'failed',
      expected: 'no line that matches the log gate, except those that are allowed',
      observed: 'daemon: FATAL parse of ZZZZZZ: not a number',
      explanation:
        'daemon | FATAL parse of ZZZZZZ\nexpected here? add it to `logs: { allow: [{ service, match, because }] }` of the trial',
      evidence: [9],
    }),
  ],
  faults: [
    {
      kind: 'absence-without-twin',
      check: 'nothing-executed',
      text: '`nothing-executed` asserts that something did not happen, but nothing proves that it would have been seen: add `provenBy: <trial>` with a trial in which `calls daemon -> shell` shows something',
    },
  ],
});

test('a step that failed: what was not reached, who died, what its log says', () => {
  expect(
    formatTrial(daemonDied, diedOnJunk, { runFolder: '.shakedown/latest', verbose: true }).join('\n'),
  ).toMatchInlineSnapshot(`
    "✗ daemon/junk[not-hex]  failed after 42 ms: service daemon ended by itself, by SIGSEGV
      Junk on one connection harms nobody else
      trials/junk.trial.yaml:2

      What was done
            1 ms  bystander: tcp daemon
                  3 ms later: received { TYPE: ":EVENT", PAYLOAD: { ACTION: ":HANDSHAKE" } }
            5 ms  abuse: on bystander: 6 bytes, then half-close
                  26 ms later: reset: read ECONNRESET
                  not reached: same, work

      What was expected, and what was seen
        ✗ step abuse (line 25)
            expected  a step that can be done
            observed  read ECONNRESET
            the connection was reset before an answer came
        ? contained, unharmed: unknown, the attempt ended before the check was sampled

      Who answered what
        ✗ gateway -> daemon  nothing listens there    2 times

      Who died
        service daemon ended by itself after 30 ms, by SIGSEGV

      What the logs say
        the last lines of daemon:
          | INFO listening
          ! FATAL parse of ZZZZZZ: not a number
        not shown: gateway
        expected here? add it to \`logs: { allow: [{ service, match, because }] }\` of the trial

      What is wrong with the trial itself
        ! \`nothing-executed\` asserts that something did not happen, but nothing proves that it would
          have been seen: add \`provenBy: <trial>\` with a trial in which \`calls daemon -> shell\` shows
          something

      See it again
        shakedown rerun latest 'daemon/junk[not-hex]'
        everything that was seen: .shakedown/latest/trials/daemon/junk[not-hex]
    "
  `);
});

test('a trial without a story is one line', () => {
  const because = { because: 'the clamp is fixed in #812' };
  const lines = [
    format(trial()),
    format(trial({ attempts: 5, backend: 'live-model' })),
    format(trial({ costUsd: 0.0021 })),
    format(trial({ costUsd: 0.0021, paidUsd: 0 })),
    format(trial({ costUsd: 0.0021, paidUsd: 0.002 })),
    format(trial({ costUsd: 0.0021, unpriced: ['tiny-1'] })),
    format(trial({ verdict: 'unknown', cause: { kind: 'budget', text: '0.05 USD are spent' } })),
    format(trial({ verdict: 'skipped', skipReason: 'docker is not here' })),
    format(trial({ verdict: 'unknown', cause: { kind: 'environment', text: 'health did not restart' } })),
    format(trial({ verdict: 'expected-failure' }), journal([0, declared({ expectedFailure: because })])),
    format(trial({ faults: [{ kind: 'forbidden-skip', text: 'gate pr forbids skips' }] })),
  ];
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "✓ butlers/headache  1.23 s
    ✓ butlers/headache on live-model  1.23 s, in 5 attempts
    ✓ butlers/headache  1.23 s, 0.0021 USD
    ✓ butlers/headache  1.23 s
    ✓ butlers/headache  1.23 s, 0.0021 USD as if live, 0.0020 USD of it paid
    ✓ butlers/headache  1.23 s, 0.0021 USD and more
    ? butlers/headache  unknown after 1.23 s: 0.05 USD are spent
    - butlers/headache  skipped: docker is not here
    ? butlers/headache  unknown after 1.23 s: health did not restart
    ~ butlers/headache  failed as expected after 1.23 s: the clamp is fixed in #812
    ! butlers/headache  1.23 s
        ! gate pr forbids skips"
  `);
});

test('an unknown check says why', () => {
  const explanation = 'the table health.symptoms does not exist';
  const verdict = trial({
    verdict: 'unknown',
    cause: { kind: 'check', text: `stored: ${explanation}` },
    checks: [check('stored', { verdict: 'unknown', explanation }), check('routed')],
  });
  expect(format(verdict)).toMatchInlineSnapshot(`
    "? butlers/headache  unknown after 1.23 s: stored: the table health.symptoms does not exist
      trials/headache.trial.yaml:2

      What was expected, and what was seen
        ? stored: unknown, the table health.symptoms does not exist
        ✓ held: routed

      See it again
        shakedown rerun latest butlers/headache
        everything that was seen: trials/butlers/headache
    "
  `);
});

const brief = (verdict: TrialVerdict, events: readonly AttemptEvent[] = []): string[] =>
  formatTrial(verdict, events, { runFolder: '.shakedown/runs/r1' });

test('on a screen: who died and what it said, the step, the checks, the two commands', () => {
  expect(brief(daemonDied, diedOnJunk).join('\n')).toMatchInlineSnapshot(`
    "✗ daemon/junk[not-hex]  failed after 42 ms
      Junk on one connection harms nobody else
      trials/junk.trial.yaml:2

      ✗ service daemon ended by itself after 30 ms, by SIGSEGV
      ✗ new error line of daemon: FATAL parse of ZZZZZZ: not a number
      ✗ step abuse (on bystander: 6 bytes, then half-close) (line 25)
          expected  a step that can be done
          observed  read ECONNRESET
                    the connection was reset before an answer came
      ! \`nothing-executed\` asserts that something did not happen, but nothing proves that it would have
        been seen: add \`provenBy: <trial>\` with a trial in which \`calls daemon -> shell\` shows something

      again     shakedown rerun latest 'daemon/junk[not-hex]'
      more      shakedown report r1 'daemon/junk[not-hex]' --verbose
    "
  `);
});

test('on a screen: a check that failed only because another did says so, and the others are named', () => {
  const broken = (id: string, over: Partial<CheckVerdict> = {}): CheckVerdict =>
    check(id, { verdict: 'failed', expected: '1', observed: '2', ...over });
  const told = { expected: 'agreement', observed: '1 said, but `stored` failed: expected 1, observed 2' };
  const checks = [
    broken('first'),
    broken('two-sided', told),
    broken('stored', { observed: '3' }),
    broken('fourth'),
  ];
  const cause = { kind: 'check', text: 'stored: expected 1, observed 3' } as const;
  expect(brief(trial({ verdict: 'failed', cause, checks })).join('\n')).toMatchInlineSnapshot(`
    "✗ butlers/headache  failed after 1.23 s
      trials/headache.trial.yaml:2

      ✗ stored (line 20)
          expected  1
          observed  3
      ✗ first (line 20)
          expected  1
          observed  2
      ✗ two-sided (line 20): 1 said, but \`stored\` failed
      ✗ and 1 more: fourth

      again     shakedown rerun latest butlers/headache
      more      shakedown report r1 butlers/headache --verbose
    "
  `);
});

test('on a screen: a choice is shown where its first alternative differs, a new error line of a log with the service', () => {
  const mismatches = [
    { path: '$[0]', expected: 'one of: { a: 1 } | { a: 2 }', observed: '{ a: 3, b: 4 }' },
    { path: '$[0].a', expected: '1', observed: '3' },
  ];
  const seq = 1;
  const checks = [
    check('chosen', { verdict: 'failed', expected: 'x', observed: 'y', mismatches }),
    check('logs', { verdict: 'failed', observed: 'api: ERROR no disk', evidence: [seq] }),
  ];
  const events = journal([3, { type: 'log.error', service: 'api', text: 'ERROR no disk' }]);
  const blame = {
    party: null,
    suspect: 'api',
    edgeUnsaid: true,
    edge: 'web -> api',
    rule: 5,
    because: 'so it is',
    evidence: [],
  } as const;
  const verdict = trial({ verdict: 'failed', cause: { kind: 'check', text: 'chosen' }, checks, blame });
  expect(brief(verdict, events).join('\n')).toMatchInlineSnapshot(`
    "✗ butlers/headache  failed after 1.23 s
      trials/headache.trial.yaml:2

      ✗ chosen (line 20)
          at        $[0].a
          expected  1
          observed  3
      ✗ new error line of api: ERROR no disk

      suspect   api (web -> api), not proven: so it is
      again     shakedown rerun latest butlers/headache
      more      shakedown report r1 butlers/headache --verbose
    "
  `);
});

test('however much is broken, it fits on a screen', () => {
  const long = 'so it is, and so it is again, '.repeat(40);
  const mismatches = [1, 2, 3].map((at) => ({ path: `$.${long}[${at}]`, expected: long, observed: long }));
  const checks = Array.from({ length: 30 }, (_, index) =>
    check(`check-${index}`, { title: long, verdict: 'failed', expected: long, observed: long, mismatches }),
  );
  const faults = [1, 2, 3].map(() => ({ kind: 'unknown', text: long }) as const);
  const blame = { party: null, rule: 5, because: long, evidence: [] } as const;
  for (const kind of ['check', 'death', 'timeout'] as const) {
    const verdict = trial({
      title: long,
      verdict: 'failed',
      cause: { kind, text: long },
      checks,
      faults,
      blame,
    });
    expect(brief(verdict, diedOnJunk).join('\n').trimEnd().split('\n').length).toBeLessThanOrEqual(25);
  }
});
