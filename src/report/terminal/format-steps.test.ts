import { expect, test } from 'vitest';
import type { AttemptEvent, AttemptEventBody } from '../../journal/trial-event.ts';
import { formatEvidence, formatSteps } from './format-steps.ts';
import { printLines } from './line.ts';

type Timed = readonly [at: number, body: AttemptEventBody];

const format = (timed: readonly Timed[], judged: readonly string[] = []): string => {
  const events = timed.map(([at, body], index): AttemptEvent => ({ seq: index + 1, at, ...body }));
  return printLines(formatSteps(events, new Set(judged), 100), {}).join('\n');
};

const started = (step: string, action: string): AttemptEventBody => ({ type: 'step.started', step, action });

const ended = (step: string, evidence: unknown, because?: string): AttemptEventBody => ({
  type: 'step.ended',
  step,
  outcome: because === undefined ? 'done' : 'failed',
  evidence,
  sentBytes: 1,
  ...(because === undefined ? {} : { because }),
});

test('steps, results, edges that were not quiet, and how it ended', () => {
  const text = format([
    [0, started('#1', 'POST agent/ask')],
    [1_500, ended('#1', { status: 200, headers: {}, json: { text: 'word '.repeat(90) } })],
    [1_501, started('again', 'POST agent/ask')],
    [
      1_540,
      ended('again', { error: { kind: 'refused', message: 'connect ECONNREFUSED' } }, 'nobody answers'),
    ],
    [6_500, { type: 'quiet', quiet: false, waitedMs: 5_000, busy: ['agent -> gateway', 'gateway -> model'] }],
    [7_000, started('last', 'restart agent')],
    [60_000, { type: 'attempt.ended', end: 'timeout', because: 'more than 1 m', durationMs: 60_000 }],
  ]);
  expect(text).toMatchInlineSnapshot(`
    "        0 ms  POST agent/ask
                  1.50 s later: status 200, { text: "word word word word word word word word word word …
          1.50 s  again: POST agent/ask
                  39 ms later: refused: connect ECONNREFUSED
                  nobody answers
          6.50 s  still not quiet after 5.00 s; busy: agent -> gateway, gateway -> model
          7.00 s  last: restart agent
                  it did not end
        1 m 00 s  the time of the trial was up: more than 1 m"
  `);
});

test('what is explained elsewhere is not explained here', () => {
  const events: readonly Timed[] = [
    [0, started('a', 'GET web/')],
    [9, ended('a', { status: 500 }, 'expected 200')],
  ];
  expect(format(events)).toContain('expected 200');
  expect(format(events, ['a'])).not.toContain('expected 200');
});

test('a name that comes twice keeps its own answers', () => {
  const text = format([
    [0, started('a', 'GET web/')],
    [10, ended('a', { status: 200 })],
    [20, started('a', 'GET web/')],
    [90, ended('a', { status: 404 })],
  ]);
  expect(text).toMatch(/10 ms later: status 200.*\n.*\n.*70 ms later: status 404/);
});

test('of many steps the last are shown', () => {
  const events = Array.from({ length: 40 }, (_, index): Timed => [index, started(`#${index}`, 'GET web/')]);
  expect(format(events)).toMatch(/^ +… 10 earlier\n +10 ms {2}GET/);
});

test.each<[unknown, string]>([
  [null, 'done'],
  ['text', '"text"'],
  [{ status: 204, bytes: 0 }, 'status 204, no body'],
  [{ status: 200, bytes: 104_857_600 }, 'status 200, a body of 100.0 MB'],
  [{ status: 200, text: 'hello' }, 'status 200, "hello"'],
  [{ status: 200, events: [{ data: 1 }] }, 'status 200, [{ data: 1 }]'],
  [{ isError: true, result: 'no such tool' }, 'the tool failed: "no such tool"'],
  [{ isError: true, rpcError: { code: -32_601, message: 'unknown method' } }, 'error -32601: unknown method'],
  [{ exitCode: 0, signal: null, stdout: 'v1\n', stderr: '' }, 'exit code 0, stdout "v1"'],
  [{ exitCode: 2, signal: null, stdout: 'x', stderr: 'bad\n' }, 'exit code 2, stderr "bad"'],
  [{ exitCode: null, signal: 'SIGINT', stdout: '', stderr: '' }, 'ended by SIGINT, no output'],
  [{ connected: true, received: [], bytesSent: 0 }, 'received nothing'],
  [{ received: [], raw: 'HTTP/1.1', closedBy: 'reset' }, 'received "HTTP/1.1", reset by the other side'],
  [{ received: [1, 2], closedBy: 'peer' }, 'received 2 messages, the last 2, closed by the other side'],
  [{ received: [], broken: 'length is no number' }, 'then something broken: length is no number'],
  [
    { answers: [{ status: 200 }, { status: 200 }, { error: { kind: 'reset' } }] },
    '3 answers: 2 × status 200, 1 × reset',
  ],
  [
    { isError: false, tools: [{ name: 'look' }, { name: 'find' }], names: ['look', 'find'] },
    '2 tools: look, find',
  ],
  [{ isError: false, resourceTemplates: [], names: [], pages: 1 }, '0 resource templates'],
  [
    { isError: false, names: [...'abcdefg'], text: '[{', truncated: true },
    '7 names: a, b, c, d, e and 2 more',
  ],
  [{ isError: false, text: '{"a":', truncated: true }, 'result "{\\"a\\":"'],
  [{ restarted: 'web', request: { url: 'x' } }, '{ restarted: "web" }'],
])('evidence %j is shown as %s', (evidence, shown) => {
  expect(formatEvidence(evidence, 80)).toBe(shown);
});
