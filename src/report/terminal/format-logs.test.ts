import { expect, test } from 'vitest';
import type { CheckVerdict } from '../../checks/verdict.ts';
import type { AttemptEvent, AttemptEventBody } from '../../journal/trial-event.ts';
import { formatDeaths, formatLogs } from './format-logs.ts';
import { printLines } from './line.ts';

const advice = 'expected here? add it to `logs: { allow: [{ service, match, because }] }` of the trial';

const numbered = (bodies: readonly AttemptEventBody[]): AttemptEvent[] =>
  bodies.map((body, index) => ({ seq: index + 1, at: index * 10, ...body }));

const format = (bodies: readonly AttemptEventBody[], ...checks: readonly CheckVerdict[]): string =>
  printLines(formatLogs(numbered(bodies), checks, 100), {}).join('\n');

const tail = (service: string, ...lines: readonly string[]): AttemptEventBody => ({
  type: 'log.tail',
  service,
  lines,
});
const error = (service: string, text: string): AttemptEventBody => ({ type: 'log.error', service, text });
const died = (name: string, expected: boolean): AttemptEventBody => ({
  type: 'node.exited',
  kind: 'service',
  name,
  code: 1,
  signal: null,
  expected,
});

function gate(evidence: readonly number[]): CheckVerdict {
  const explanation = `health | ERROR\n${advice}`;
  return { id: 'logs', line: 1, verdict: 'failed', expected: '', observed: '', explanation, evidence };
}

test('an error line is in its tail, or apart if the tail is past it; an allowed one is not an error', () => {
  const events = [
    error('health', 'ERROR long ago'),
    error('health', 'ERROR just now'),
    error('home', 'ERROR allowed'),
    tail('health', 'INFO calm', 'ERROR just now'),
    tail('home', 'ERROR allowed'),
    tail('finance', 'INFO nothing to do with it'),
  ];
  expect(format(events, gate([1, 2]))).toMatchInlineSnapshot(`
    "    health ! ERROR long ago
        the last lines of health:
          | INFO calm
          ! ERROR just now
        the last lines of home:
          | ERROR allowed
        not shown: finance
        expected here? add it to \`logs: { allow: [{ service, match, because }] }\` of the trial"
  `);
});

test('services that died come first, then those with error lines, then silent ones; the others are named', () => {
  const events = [
    tail('calm', 'INFO a'),
    tail('refusing', 'INFO b'),
    tail('complaining', 'ERROR c'),
    tail('dead', 'INFO d'),
    tail('silent'),
    error('complaining', 'ERROR c'),
    died('dead', false),
    died('calm', true),
    { type: 'connection.refused', from: 'calm', to: 'refusing', because: 'provider-not-listening' } as const,
  ];
  expect(format(events)).toMatchInlineSnapshot(`
    "    the last lines of dead:
          | INFO d
        the last lines of complaining:
          | ERROR c
        the last lines of refusing:
          | INFO b
        not shown: calm"
  `);
  expect(printLines(formatDeaths(numbered(events)), {})).toEqual([
    '    service dead ended by itself after 60 ms, with exit code 1',
  ]);
});

test('a service that a failed check looked at is involved', () => {
  const checks = [{ id: 'stored', query: { service: 'health', table: 'symptoms' } }];
  const events: readonly AttemptEventBody[] = [
    { type: 'attempt.started', uid: 'u', trial: { steps: [], checks }, scope: {} },
    tail('finance', 'INFO a'),
    tail('health', 'WARN b'),
  ];
  expect(format(events)).toMatch(/finance:\n.*\n.*health:/);
  expect(format(events, { ...gate([]), id: 'stored' })).toMatch(
    /^ +the last lines of health:\n.*\n +not shown: finance$/,
  );
});

test('of a long tail the last lines, of many services the first few', () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
  const text = format(['a', 'b', 'c', 'd', 'e'].map((name) => tail(name, ...lines)));
  expect(text).not.toContain('line 21\n');
  expect(text.match(/line 22\n/g)).toHaveLength(3);
  expect(text).toMatch(/not shown: d, e$/);
});
