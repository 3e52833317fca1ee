import { expect, test } from 'vitest';
import { widthOf } from './fit-text.ts';
import { estimateLeft, progressLine } from './progress-line.ts';

const running = [{ id: 'butlers/two-butlers', doing: 'switchboard -> health' }];

test('one line: how many, how they went, what is running, how long it may take', () => {
  expect(progressLine({ total: 40, counts: { passed: 11, failed: 1 }, running, leftMs: 14_200 })).toBe(
    '▸ 12/40  passed 11  failed 1  running butlers/two-butlers (switchboard -> health)   about 14 s left',
  );
  expect(progressLine({ total: 3, counts: {}, running: [] })).toBe('▸ 0/3  passed 0');
  expect(progressLine({ total: 9, counts: { passed: 1, unknown: 2, skipped: 3 }, running })).toBe(
    '▸ 6/9  passed 1  unknown 2  skipped 3  running butlers/two-butlers (switchboard -> health)',
  );
});

test('what does not fit is left out, the least important first', () => {
  const many = [...running, { id: 'b' }, { id: 'c' }];
  const at = (columns: number): string =>
    progressLine({ total: 40, counts: { passed: 2 }, running: many, leftMs: 61_000 }, columns);
  expect(at(110)).toBe(
    '▸ 2/40  passed 2  running butlers/two-butlers (switchboard -> health) and 2 more   about 1 m 00 s left',
  );
  expect(at(80)).toBe('▸ 2/40  passed 2  running butlers/two-butlers and 2 more   about 1 m 00 s left');
  expect(at(60)).toBe('▸ 2/40  passed 2  running 3   about 1 m 00 s left');
  expect(at(40)).toBe('▸ 2/40  passed 2   about 1 m 00 s left');
  for (let columns = 1; columns < 120; columns += 1)
    expect(widthOf(at(columns))).toBeLessThanOrEqual(columns);
});

test.each<[number | undefined, string]>([
  [400, 'about 1 s left'],
  [59_400, 'about 59 s left'],
  [134_000, 'about 2 m 10 s left'],
  [1_234_000, 'about 21 m left'],
  [7_300_000, 'about 2 h 02 m left'],
])('%s ms are %s', (leftMs, shown) => {
  expect(progressLine({ total: 1, counts: {}, running: [], leftMs })).toMatch(`   ${shown}`);
});

const earlierMs = new Map([
  ['a', 1_000],
  ['b', 2_000],
  ['c', 6_000],
]);

test.each<[string, Partial<Parameters<typeof estimateLeft>[0]>, number | undefined]>([
  ['one after the other', { waiting: ['a', 'b', 'c'] }, 9_000],
  ['three at once', { waiting: ['a', 'b', 'c'], atOnce: 3 }, 6_000],
  ['what runs has less left', { waiting: ['a'], running: [{ id: 'c', ranMs: 2_500 }] }, 4_500],
  ['a new one takes as long as the usual', { waiting: ['a', 'b', 'c', 'new'] }, 11_000],
  ['too many new ones', { waiting: ['a', 'new', 'newer'] }, undefined],
  ['no earlier run', { waiting: ['a'], earlierMs: new Map() }, undefined],
  ['longer than ever before', { running: [{ id: 'a', ranMs: 5_000 }] }, undefined],
  ['nothing left', {}, undefined],
])('time left: %s', (_, over, left) => {
  expect(estimateLeft({ waiting: [], running: [], earlierMs, atOnce: 1, ...over })).toBe(left);
});
