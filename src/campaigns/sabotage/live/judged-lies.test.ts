import { expect, test } from 'vitest';
import { judgedLies } from './judged-lies.ts';
import type { LiveOutcome } from './sabotage-live.ts';

const told: readonly LiveOutcome['outcome'][] = [
  'green',
  'red',
  'proves-nothing',
  'not-met',
  'undecided',
  'left',
];

test('only an attempt that was green or red says something about what was accepted', () => {
  const outcomes = told.map((outcome) => ({ service: outcome, lie: 'dead' as const, trial: 'a', outcome }));
  const isJudged = judgedLies(outcomes, ['a', 'b']);
  expect(told.filter((service) => isJudged({ service, lie: 'dead', trial: 'a' }))).toEqual(['green', 'red']);
});

test('a lie that was not told to it, a trial that was not tried, and one that is gone', () => {
  const isJudged = judgedLies([{ service: 's', lie: 'dead', trial: 'a', outcome: 'red' }], ['a', 'b']);
  expect(isJudged({ service: 's', lie: 'garbage', trial: 'a' })).toBe(false);
  expect(isJudged({ service: 's', lie: 'dead', trial: 'b' })).toBe(false);
  expect(isJudged({ service: 's', lie: 'dead', trial: 'gone' })).toBe(true);
});
