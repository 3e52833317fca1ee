import { expect, test } from 'vitest';
import { silencesAll } from './silenced-gate.ts';

test.each([
  [undefined, 'ERROR|FATAL|CRITICAL|PANIC|Traceback|panic'],
  ['"level":"ERROR"', 'ERROR'],
  ['"level":"ERROR"', '^\\{'],
  ['^(WARN|ERROR|FATAL)\\b', '^[A-Z]+ '],
  [undefined, 'ERROR'],
  [undefined, '^Traceback'],
])('with the gate %s, %s lets everything pass', (gate, allowance) => {
  expect(silencesAll(gate, allowance)).toBe(true);
});

test.each([
  [undefined, 'ERROR could not connect'],
  ['"level":"ERROR"', '"level":"ERROR".*quota'],
  ['^(WARN|ERROR|FATAL)\\b', '^WARN the provider'],
  ['no such line anywhere', '.*'],
  ['ERROR', '('],
])('with the gate %s, %s does not, as far as can be decided', (gate, allowance) => {
  expect(silencesAll(gate, allowance)).toBe(false);
});
