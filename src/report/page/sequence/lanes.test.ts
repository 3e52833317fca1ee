/** Lanes: their order, and which of them are open at first. */
import { expect, test } from 'vitest';
import { attemptJournal, call, chain } from '../../../../test/harness/attempt-journal.ts';
import { attemptOf } from '../../../../test/harness/report-content.ts';
import { itemsOf } from './items.ts';
import { lanesOf, openLanes } from './lanes.ts';

const attempt = attemptOf(
  attemptJournal({
    topology: chain,
    events: [
      call('outside -> agent', [1, 90]),
      call('agent -> gateway', [2, 80]),
      call('agent -> files', [3, 9]),
      call('agent -> files.admin', [10, 12]),
      call('gateway -> model', [20, 30]),
      call('gateway -> bank', [40, 50]),
      call('agent -> traces', [60, 61], { path: '/v1/traces' }),
    ],
  }),
);
const items = itemsOf(attempt);
const lanes = lanesOf(attempt, items);
const open = (parties: readonly string[], ...seqs: readonly number[]): readonly string[] => [
  ...openLanes(lanes, items, { parties, seqs: new Set(seqs) }),
];

test('callers come before those whom they call, and what they use last', () => {
  expect(lanes.map(({ name }) => name)).toEqual([
    ...['outside', 'agent', 'gateway', 'files', 'traces', 'bank', 'model'],
  ]);
  expect(lanes.find(({ name }) => name === 'files')?.items).toBe(2);
});

test('the way to who is blamed is open, and whom it calls; the others are not', () => {
  expect(open(['gateway'])).toEqual(['outside', 'agent', 'gateway', 'model', 'bank']);
  expect(open(['files'])).toEqual(['outside', 'agent', 'files']);
});

test('both ends of a marked call are open', () => {
  const payment = items.find(({ to }) => to === 'bank')?.seq ?? 0;
  expect(open([], payment)).toEqual(['outside', 'agent', 'gateway', 'bank', 'model']);
});

test('where nothing failed the busiest are open, and never who only gets telemetry', () => {
  expect(open([])).toHaveLength(6);
  expect(open([])).not.toContain('traces');
});

test('a journal without a topology has lanes, too', () => {
  const bare = attemptOf(attemptJournal({ events: [call('agent -> files', [1, 2])] }));
  expect(lanesOf(bare, itemsOf(bare)).map(({ name }) => name)).toEqual(['outside', 'agent', 'files']);
});
