/** What of a failed trial is shown first. */
import { expect, test } from 'vitest';
import { answered, attemptJournal, call, chain, sampled } from '../../../../test/harness/attempt-journal.ts';
import { attemptOf, failedTrial, trialVerdict } from '../../../../test/harness/report-content.ts';
import type { CheckVerdict } from '../../../checks/verdict.ts';
import { ghostOf, itemsOf } from '../sequence/items.ts';
import type { Emphasis } from './attempt-story.ts';
import { badChecks, firstToLookAt } from './failure.ts';

const items = itemsOf(
  attemptOf(
    attemptJournal({
      topology: chain,
      events: [
        call('agent -> files', [10, 20]),
        call('gateway -> bank', [30, 40], { response: answered(500) }),
        call('gateway -> bank', [50, 60]),
        sampled('refunded', []),
      ],
    }),
  ),
);
const emphasis: Emphasis = {
  blamed: new Set(['gateway']),
  ...{ blameSeqs: new Set(), checkSeqs: new Set(), pairings: new Map() },
};
const blame = { party: 'gateway', rule: 4, because: 'it is so', evidence: [7] } as const;
const trial = { ...failedTrial, blame };
const [check] = badChecks(failedTrial);

test('what was done wrong comes before what a check saw of it', () => {
  const pairings = new Map([[6, 'only-here'] as const]);
  expect(firstToLookAt(trial, check, items, { ...emphasis, pairings })).toBe(6);
  expect(firstToLookAt({ ...trial, blame: { ...blame, evidence: [4, 6] } }, check, items, emphasis)).toBe(6);
});

test('what was not done comes next, then the evidence', () => {
  const missing = items.find(({ seq }) => seq === 5);
  const ghosts = missing ? [ghostOf(missing, 45)] : [];
  expect(firstToLookAt(trial, check, [...items, ...ghosts], emphasis)).toBe(-5);
  expect(firstToLookAt(trial, check, items, emphasis)).toBe(7);
});

test('without a blame, what failed', () => {
  const nobody = { ...emphasis, blamed: new Set<string>() };
  expect(firstToLookAt(trialVerdict('a'), undefined, items, nobody)).toBe(5);
});

test('with nothing else to go by, the end of a process', () => {
  const ended = {
    type: 'node.exited',
    ...({ kind: 'service', name: 'gateway', code: 1, signal: null, expected: false } as const),
  } as const;
  const events = attemptJournal({ topology: chain, events: [call('gateway -> bank', [30, 40]), ended] });
  const seq = events.find(({ type }) => type === ended.type)?.seq;
  expect(firstToLookAt(failedTrial, undefined, itemsOf(attemptOf(events)), emphasis)).toBe(seq);
});

test('the check that proves the blame, or is the cause, leads; those that held are left out', () => {
  const one = (
    id: string,
    verdict: CheckVerdict['verdict'],
    ...evidence: readonly number[]
  ): CheckVerdict => ({
    ...{ id, verdict, evidence, line: 1, expected: 'a', observed: 'b' },
  });
  const checks = [
    one('held', 'passed', 7),
    one('open', 'unknown', 7),
    one('first', 'failed', 2),
    one('lead', 'failed', 7),
  ];
  expect(badChecks(trialVerdict('a', { checks, blame })).map(({ id }) => id)).toEqual([
    'lead',
    'first',
    'open',
  ]);
  const cause = { kind: 'check', text: 'first: expected a, observed b' } as const;
  expect(badChecks(trialVerdict('a', { checks, cause })).map(({ id }) => id)).toEqual([
    'first',
    'lead',
    'open',
  ]);
});
