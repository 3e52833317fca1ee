import { expect, test } from 'vitest';
import { defined } from '../kernel/defined.ts';
import type { AttemptVerdict } from './judge/judge-attempt.ts';
import type { QuarantineEntry } from './quarantine.ts';
import { excusedBy } from './under-quarantine.ts';

const entry = (check?: string): QuarantineEntry =>
  defined({ trial: 't', check, owner: 'ada', reason: 'it races', until: '2999-01-01', line: 1 });

function attempt(
  verdict: string,
  failed: readonly string[] = [],
  end: string | null = 'done',
): AttemptVerdict {
  const checks = failed.map((id) => ({ id, verdict: 'failed' }));
  return { verdict, checks, end: end ?? undefined } as unknown as AttemptVerdict;
}

const isExcused = (entries: readonly QuarantineEntry[], ...attempts: readonly AttemptVerdict[]): boolean =>
  excusedBy(entries, attempts) !== undefined;

test('an entry without a check excuses checks and steps; one with a check only that', () => {
  expect(isExcused([entry()], attempt('failed', ['stored', 'step ordered'], 'step-failed'))).toBe(true);
  expect(isExcused([entry('stored')], attempt('failed', ['stored']))).toBe(true);
  expect(isExcused([entry('stored')], attempt('failed', ['stored', 'confirmed']))).toBe(false);
  expect(isExcused([entry('stored'), entry('confirmed')], attempt('failed', ['stored', 'confirmed']))).toBe(
    true,
  );
  expect(isExcused([], attempt('failed', ['stored']))).toBe(false);
});

test.each(['processes', 'logs'])('%s is excused only by its name', (gate) => {
  expect(isExcused([entry()], attempt('failed', ['stored', gate]))).toBe(false);
  expect(isExcused([entry(), entry(gate)], attempt('failed', ['stored', gate]))).toBe(true);
});

test.each([
  ['timeout', 'timeout'],
  ['flow-failed', 'flow'],
])('an attempt that ended by %s is excused only by name', (end, name) => {
  expect(isExcused([entry()], attempt('failed', [], end))).toBe(false);
  expect(isExcused([entry()], attempt('failed', ['stored'], end))).toBe(false);
  expect(isExcused([entry(name)], attempt('failed', [], end))).toBe(true);
});

test('every attempt that failed must be excused, and one that could not be judged never is', () => {
  const flaky = attempt('failed', ['stored']);
  expect(isExcused([entry('stored')], attempt('passed'), flaky, flaky)).toBe(true);
  expect(isExcused([entry('stored')], flaky, attempt('failed', ['confirmed']))).toBe(false);
  expect(isExcused([entry()], flaky, attempt('unknown'))).toBe(false);
  expect(isExcused([entry()], attempt('failed'))).toBe(false);
});

test('an attempt whose end is not recorded is never excused', () => {
  expect(isExcused([entry()], attempt('failed', ['stored'], null))).toBe(false);
  expect(
    isExcused([entry('stored')], attempt('failed', ['stored']), attempt('failed', ['stored'], null)),
  ).toBe(false);
});
