/** Rows of the diagram: calls in two where something is between, folds, frames, and what is missing. */
import { expect, test } from 'vitest';
import { answered, attemptJournal, call, chain } from '../../../../test/harness/attempt-journal.ts';
import { attemptOf } from '../../../../test/harness/report-content.ts';
import type { CallEvent } from '../../../journal/call-event.ts';
import { ghostOf, type Item, itemKinds, itemsOf } from './items.ts';
import { type Row, type RowOptions, rowsOf } from './rows.ts';

const itemsFor = (...calls: readonly CallEvent[]): readonly Item[] =>
  itemsOf(attemptOf(attemptJournal({ topology: chain, events: calls })));
const all: RowOptions = {
  open: new Set(['outside', 'agent', 'gateway', 'files']),
  kinds: new Set(itemKinds.filter((kind) => kind !== 'step')),
  unfolded: new Set(),
  allGhosts: false,
};

function brief(row: Row): string {
  if (row.type === 'fold') return `${row.count} more: ${row.of}`;
  if (row.type === 'frame') return `frame ${row.text}`;
  return `${row.part} ${row.item.to}`;
}

test('a call is one row, or two around what happened before its answer', () => {
  const items = itemsFor(call('outside -> agent', [10, 50]), call('agent -> files', [20, 30]));
  const rows = rowsOf(items, all);
  expect(rows.map(brief)).toEqual(['request agent', 'whole files', 'response agent']);
  expect(rows[1]).toMatchObject({ active: ['agent'] });
});

test('what is on closed lanes is counted, once for what follows each other', () => {
  const items = itemsFor(
    call('gateway -> model', [10, 11]),
    call('gateway -> bank', [12, 13]),
    call('agent -> files', [20, 30]),
    call('gateway -> bank', [40, 41]),
  );
  expect(rowsOf(items, all).map(brief)).toEqual(['2 more: lanes', 'whole files', '1 more: lanes']);
});

test('kinds that are not shown are not counted either', () => {
  const items = itemsFor(call('agent -> files', [20, 30]));
  expect(rowsOf(items, { ...all, kinds: new Set() })).toEqual([]);
});

test('the frames of a stream are unfolded at their times', () => {
  const events = [
    { data: 'a', at: 2 },
    { event: 'end', data: { b: 1 }, at: 9 },
  ];
  const items = itemsFor(call('agent -> files', [20, 30], { response: { ...answered(200), events } }));
  const unfolded = new Set(items.map(({ seq }) => seq));
  const rows = rowsOf(items, { ...all, unfolded });
  expect(rows.map(brief)).toEqual(['request files', 'frame a', 'frame end: {"b":1}', 'response files']);
  expect(rows.map(({ at }) => at)).toEqual([20, 22, 29, 30]);
});

test('what only the attempt that passed had is one row each, and many are counted', () => {
  const items = itemsFor(
    ...Array.from({ length: 8 }, (_, index) => call('agent -> files', [index, index + 5])),
  );
  const ghosts = items.filter(({ kind }) => kind === 'call').map((item) => ghostOf(item, 100));
  const shown = rowsOf(ghosts, all).map(brief);
  expect(shown).toEqual([...Array.from({ length: 5 }, () => 'whole files'), '3 more: ghosts']);
  expect(rowsOf(ghosts, { ...all, allGhosts: true })).toHaveLength(8);
});
