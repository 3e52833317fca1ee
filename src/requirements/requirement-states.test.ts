import { expect, test } from 'vitest';
import type { Verdict } from '../checks/verdict.ts';
import { defined } from '../kernel/defined.ts';
import { type ExecutedTrial, requirementStates, shownBy, weakestState } from './requirement-states.ts';

const ran = (verdict: Verdict): ExecutedTrial => ({ verdict, attempts: 1 });
const skipped: ExecutedTrial = { verdict: 'skipped', attempts: 0 };
const neverPerformed: ExecutedTrial = { verdict: 'unknown', attempts: 0 };

test.each([
  [[], 'orphaned'],
  [[undefined], 'not-executed'],
  [[neverPerformed], 'not-executed'],
  [[skipped], 'skipped'],
  [[ran('passed')], 'covered'],
  [[ran('passed'), undefined, skipped], 'covered'],
  [[ran('passed'), ran('unknown')], 'unknown'],
  [[ran('passed'), ran('failed'), ran('unknown')], 'failed'],
  [[ran('unstable')], 'failed'],
  [[ran('expected-failure')], 'failed'],
] as const)('%j is %s', (results, state) => {
  expect(shownBy(results)).toBe(state);
});

test('deferred stays deferred, pending waits for its dependencies, evidence takes precedence', () => {
  const requirement = (id: string, dependsOn: readonly string[] = [], deferred?: { reason: string }) =>
    defined({ id, dependsOn, deferred });
  const results: Readonly<Record<string, ExecutedTrial>> = { good: ran('passed'), bad: ran('failed') };
  const { verdicts } = requirementStates({
    requirements: [
      requirement('base'),
      requirement('broken'),
      requirement('later', [], { reason: 'not yet' }),
      requirement('waits', ['broken']),
      requirement('landed', ['base']),
      requirement('shown-early', ['broken']),
      requirement('failed-early', ['later']),
    ],
    declared: [
      { id: 'good', covers: ['base', 'later', 'shown-early'] },
      { id: 'bad', covers: ['broken', 'failed-early'] },
    ],
    resultOf: (id) => results[id],
  });
  expect(Object.fromEntries(verdicts.map(({ id, state }) => [id, state]))).toEqual({
    base: 'covered',
    broken: 'failed',
    later: 'deferred',
    waits: 'pending',
    landed: 'orphaned',
    'shown-early': 'covered',
    'failed-early': 'failed',
  });
});

test('of several backends the weakest decides', () => {
  expect(weakestState(['covered', 'covered'])).toBe('covered');
  expect(weakestState(['covered', 'not-executed'])).toBe('not-executed');
  expect(weakestState(['unknown', 'failed', 'covered'])).toBe('failed');
});
