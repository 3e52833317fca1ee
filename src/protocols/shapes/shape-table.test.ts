import { expect, test } from 'vitest';
import { shapeOf, shapes } from './shape-table.ts';

const numbered = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${letter}${String(at + 1).padStart(2, '0')}`);

test('every row of the corpus is there once, in its order', () => {
  expect(shapes.map(({ id }) => id)).toEqual([
    ...numbered('S', 28),
    ...numbered('C', 44),
    ...numbered('R', 26),
    ...numbered('A', 26),
    ...numbered('G', 7),
    ...numbered('M', 44),
  ]);
  expect(shapes).toHaveLength(175);
  expect(shapeOf('C05')?.title).toBe('tool_call delta without `index`');
  expect(shapeOf('C99')).toBeUndefined();
});

test('each has a generator or the reason why not, and a policy where there is a choice', () => {
  for (const { id, tier, policy, make, makeRpc, why, over } of shapes) {
    expect([id, make !== undefined || makeRpc !== undefined], id).toEqual([id, why === undefined]);
    expect([id, policy !== undefined], id).toEqual([id, tier === '2c']);
    expect(over.length, id).toBeGreaterThan(0);
  }
});

test('threads are identified by repository and number', () => {
  const odd = shapes.flatMap(({ id, seen }) =>
    seen.filter((thread) => !/^[\w.-]+\/[\w.-]+#\d+$/.test(thread)).map((thread) => `${id} ${thread}`),
  );
  expect(odd).toEqual([]);
  expect(new Set(shapes.flatMap(({ seen }) => seen)).size).toBeGreaterThan(300);
});
