import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Problem } from '../../kernel/problem.ts';
import type { Trial } from '../../trials/trial.ts';
import { type Selection, selectTrials } from './select-trials.ts';

interface Shown {
  readonly tags?: readonly string[];
  readonly priority?: string;
  readonly provenBy?: string;
  readonly covers?: readonly string[];
}

const cwd = path.resolve('/place');

function trial(id: string, { tags = [], priority, provenBy, covers }: Shown = {}): Trial {
  const checks = provenBy === undefined ? [] : [{ id: 'none', provenBy }];
  const record = { id, tags, covers: covers ?? [], checks, ...(priority === undefined ? {} : { priority }) };
  const file = path.join(cwd, 'trials', `${id.split('[')[0]}.trial.yaml`);
  return { record, file } as unknown as Trial;
}

const all = [
  trial('desk/junk[long]'),
  trial('desk/junk[short]'),
  trial('desk/silent', { provenBy: 'desk/talks' }),
  trial('desk/talks', { provenBy: 'shop/pay-later' }),
  trial('shop', { tags: ['quick'], priority: 'p0' }),
  trial('shop/cart', { tags: ['quick', 'money'], priority: 'p0' }),
  trial('shop/pay', { tags: ['quick', 'money'], priority: 'p1' }),
  trial('shop/pay-later', { tags: ['money'], priority: 'p2' }),
];
const ids = all.map(({ record }) => record.id);

function select(selection: Partial<Selection>): { own: readonly string[]; twins: readonly string[] } {
  const { trials, twins } = selectTrials(all, { words: [], tags: [], cwd, ...selection });
  const own = trials.map(({ record }) => record.id).filter((id) => !twins.has(id));
  return { own, twins: [...twins].sort() };
}

test.each<[word: string, own: readonly string[]]>([
  ['shop/pay', ['shop/pay']],
  ['shop', ['shop']],
  ['shop/', ['shop/cart', 'shop/pay', 'shop/pay-later']],
  ['desk', ids.slice(0, 4)],
  ['desk/junk', ['desk/junk[long]', 'desk/junk[short]']],
  ['desk/junk[short]', ['desk/junk[short]']],
  ['shop/pay*', ['shop/pay', 'shop/pay-later']],
  ['desk/j*', ['desk/junk[long]', 'desk/junk[short]']],
  ['**/*-later', ['shop/pay-later']],
  ['trials/shop/cart.trial.yaml', ['shop/cart']],
  ['./trials/shop/cart.trial.yaml', ['shop/cart']],
  ['trials/shop', ['shop/cart', 'shop/pay', 'shop/pay-later']],
  ['trials/shop/*.yaml', ['shop/cart', 'shop/pay', 'shop/pay-later']],
  ['/place/trials/desk/', ids.slice(0, 4)],
])('the word %s', (word, own) => {
  expect(select({ words: [word] }).own).toEqual(own);
});

test('a path through a link', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'test-links-'));
  try {
    const file = path.join(folder, 'real/pay.trial.yaml');
    mkdirSync(path.dirname(file));
    writeFileSync(file, '');
    symlinkSync('real', path.join(folder, 'link'));
    const some = [...all, { ...trial('pay'), file }];
    for (const word of ['link/pay.trial.yaml', 'link', 'real'])
      expect(
        selectTrials(some, { words: [path.join(folder, word)], tags: [], cwd }).trials.map(
          ({ record }) => record.id,
        ),
      ).toEqual(['pay']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('words add up; words, tags and gates narrow each other', () => {
  expect(select({ words: ['shop/cart', 'desk/talks'] }).own).toEqual(['desk/talks', 'shop/cart']);
  expect(select({ tags: ['quick', 'money'] }).own).toEqual(['shop/cart', 'shop/pay']);
  expect(select({ gate: { priority: ['p0', 'p1'] }, tags: ['money'] }).own).toEqual([
    'shop/cart',
    'shop/pay',
  ]);
  expect(select({ gate: { tags: ['money'], priority: ['p0'] } }).own).toEqual(['shop/cart']);
  expect(select({ words: ['shop/'], ids: ['shop/pay', 'desk/silent'] }).own).toEqual(['shop/pay']);
});

test('the twin of an absence is added, and the twin of that', () => {
  expect(select({ words: ['desk/silent'] })).toEqual({
    own: ['desk/silent'],
    twins: ['desk/talks', 'shop/pay-later'],
  });
  expect(select({ words: ['desk'] }).twins).toEqual(['shop/pay-later']);
  expect(select({}).twins).toEqual([]);
});

test.each([1, 2, 3, 5, 8])('%i shards are disjoint and complete, each with the twins of its own', (of) => {
  const parts = Array.from({ length: of }, (_, index) => select({ shard: { index: index + 1, of } }));
  expect(parts.flatMap(({ own }) => own).sort()).toEqual([...ids].sort());
  for (const { own, twins } of parts) {
    expect(own.filter((id) => twins.includes(id))).toEqual([]);
    const there = [...own, ...twins];
    if (there.includes('desk/silent')) expect(there).toContain('desk/talks');
    if (there.includes('desk/talks')) expect(there).toContain('shop/pay-later');
  }
});

test.each<[Partial<Selection>, code: string, shown: RegExp]>([
  [{ words: ['shop/pya'] }, 'usage.bad-value', /did you mean `shop\/pay`\?/],
  [{ words: ['shop', 'desk/junk[shorter]'] }, 'usage.bad-value', /did you mean `desk\/junk\[short\]`\?/],
  [{ words: ['gone*'] }, 'usage.bad-value', /nothing is called "gone\*"/],
  [{ words: ['shop/p'] }, 'usage.bad-value', /nothing is called "shop\/p"/],
  [
    { tags: ['quick', 'slow'] },
    'suite.nothing-selected',
    /none of 8 trials is selected by the tags quick and slow/,
  ],
  [{ ids: [] }, 'suite.nothing-selected', /by those that failed last/],
  [{ words: ['shop'], shard: { index: 2, of: 2 } }, 'suite.nothing-selected', /by shard 2\/2/],
])('%j selects nothing', (selection, code, shown) => {
  try {
    select(selection);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(Problem);
    const { code: seen, what, next } = error as Problem;
    expect(seen).toBe(code);
    expect(`${what}; ${next}`).toMatch(shown);
  }
});

test('a trial without a priority has the highest of what it covers; P0 is p0', () => {
  const some = [
    trial('own', { priority: 'p1', covers: ['A'] }),
    trial('covers-p0', { covers: ['B', 'A'] }),
    trial('covers-p1', { covers: ['B'] }),
    trial('covers-nothing'),
  ];
  const priorities = new Map([
    ['A', 'p0'],
    ['B', 'p1'],
  ]);
  const picked = (priority: string): readonly string[] =>
    selectTrials(some, { words: [], tags: [], cwd, gate: { priority: [priority] }, priorities }).trials.map(
      ({ record }) => record.id,
    );
  expect(picked('P0')).toEqual(['covers-p0']);
  expect(picked('p1')).toEqual(['own', 'covers-p1']);
});
