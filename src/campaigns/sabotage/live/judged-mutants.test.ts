import { expect, test } from 'vitest';
import { judgedMutants, type LiveOutcome } from './sabotage-live.ts';

const tried: readonly LiveOutcome['outcome'][] = [
  'survived',
  'killed',
  'proves-nothing',
  'not-met',
  'undecided',
  'left',
];

test('only an attempt that was green or red decides an accepted finding', () => {
  const outcomes = tried.map((outcome) => ({
    service: outcome,
    mutant: 'dead' as const,
    trial: 'a',
    outcome,
  }));
  const isJudged = judgedMutants(outcomes, ['a', 'b']);
  expect(tried.filter((service) => isJudged({ service, mutant: 'dead', trial: 'a' }))).toEqual([
    'survived',
    'killed',
  ]);
});

test('a mutant that was not applied, a trial that was not tried, and one that is gone', () => {
  const isJudged = judgedMutants(
    [{ service: 's', mutant: 'dead', trial: 'a', outcome: 'killed' }],
    ['a', 'b'],
  );
  expect(isJudged({ service: 's', mutant: 'garbage', trial: 'a' })).toBe(false);
  expect(isJudged({ service: 's', mutant: 'dead', trial: 'b' })).toBe(false);
  expect(isJudged({ service: 's', mutant: 'dead', trial: 'gone' })).toBe(true);
});
