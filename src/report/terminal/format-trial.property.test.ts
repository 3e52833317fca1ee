import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TrialVerdict } from '../../checks/verdict.ts';
import type { AttemptEvent, AttemptEventBody } from '../../journal/trial-event.ts';
import { widthOf } from './fit-text.ts';
import { formatTrial } from './format-trial.ts';

const evil = '\u001b[2J\u001b]0;title\u0007\u202Egnp.exe\r\u0000漢字漢字 👍🏽 \ud800';

function journalThatSays(said: string): AttemptEvent[] {
  const failed = { step: said, outcome: 'failed', because: said, sentBytes: 1 } as const;
  const message = { headers: {}, bytes: 1 };
  const ends = { from: said, to: 'b', crossing: 1, connection: 1, startedAt: 0, endedAt: 1 };
  const error = { code: 1, message: said };
  const turn = {
    dialect: said,
    streamed: true,
    complete: false,
    text: said,
    calls: [
      { id: 'c', name: said, arguments: { [said]: said } },
      { id: 'd', name: said, argumentsText: said },
    ],
    stop: said,
    usage: null,
    error: { type: said, message: said },
    faults: [{ rule: said, what: said }],
    oddities: [],
  };
  const faults = [{ by: 'provider', rule: said, what: said }] as const;
  const played = {
    call: 1,
    mode: 'script',
    dialect: said,
    model: said,
    streamed: true,
    status: 500,
    line: 1,
    usage: { input: 1, output: 1 },
    costUsd: null,
    startedAt: 0,
    endedAt: 1,
  } as const;
  const bodies: readonly AttemptEventBody[] = [
    { type: 'step.started', step: said, action: said },
    { type: 'step.ended', ...failed, evidence: { status: 500, text: said } },
    { type: 'call', ...ends, protocol: 'http', method: said, path: said, error, request: message },
    { type: 'call', ...ends, protocol: 'http', method: said, path: said, request: message, turn, faults },
    {
      type: 'model.called',
      ...played,
      caller: said,
      resource: 'b',
      fault: { kind: 'unscripted', what: said },
    },
    { type: 'disturbance.felt', ...ends, disturbance: said, what: said },
    { type: 'log.error', service: said, text: said },
    { type: 'log.tail', service: said, lines: [said, 'a\tb'] },
    { type: 'probe.sampled', probe: 'a', value: { [said]: [said], b: said }, from: 0, to: 1, samples: 2 },
  ];
  return bodies.map((body, index) => ({ seq: index + 1, at: index, ...body }));
}

function verdictThatSays(said: string): TrialVerdict {
  const check = {
    id: 'a',
    line: 1,
    verdict: 'failed',
    expected: said,
    observed: said,
    evidence: [9],
  } as const;
  return {
    id: said,
    title: said,
    file: 'a.trial.yaml',
    line: 1,
    tags: [],
    covers: [],
    backend: said,
    verdict: 'failed',
    cause: { kind: 'check', text: said },
    attempts: 1,
    checks: [{ ...check, explanation: `at  $.${said}` }],
    blame: { party: said, edge: said, rule: 2, because: said, evidence: [4] },
    durationMs: 1,
    costUsd: 0.1,
    unpriced: [said],
    tokens: { input: 0, output: 0 },
    skipReason: null,
    repro: 'shakedown rerun latest a',
    faults: [{ kind: 'unknown', text: said }],
    folder: null,
  };
}

test('the output of a service cannot control the terminal, nor make a line too wide', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.boolean(), (text, verbose) => {
      const said = `${text}${evil}`;
      const lines = formatTrial(verdictThatSays(said), journalThatSays(said), { columns: 72, verbose });
      expect(
        lines.filter((shown) => widthOf(shown) > 72 && !/ {2}more {6}shakedown report /.test(shown)),
      ).toEqual([]);
      expect(lines.join('')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]|\p{Cs}/u);
      expect(lines.join('')).toContain('shakedown rerun latest a');
    }),
  );
});

test('without a journal, results of the gates are shown with the checks', () => {
  const [check] = verdictThatSays('FATAL').checks;
  const checks = ['logs', 'processes'].flatMap((id) => (check ? [{ ...check, id }] : []));
  const text = formatTrial({ ...verdictThatSays('FATAL'), checks }, [], { verbose: true }).join('\n');
  expect(text).toMatch(/✗ logs \(line 1\)\n +expected {2}FATAL/);
  expect(text).toMatch(/✗ processes \(line 1\)\n +expected {2}FATAL/);
});
