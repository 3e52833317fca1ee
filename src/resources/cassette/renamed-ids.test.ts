import { expect, test } from 'vitest';
import { RenamedIds } from './renamed-ids.ts';

const uuid = (digit: string): string => `${digit.repeat(8)}-aaaa-4bbb-8ccc-${digit.repeat(12)}`;
const [a, b, c, d] = ['1', '2', '3', '4'].map(uuid);

test('ids that are mixed up within one request are objected to, certain or not', () => {
  const ids = new RenamedIds();
  const recorded = `customers ${a} and ${b}: refund ${a}`;
  for (const certain of [true, false]) {
    expect(ids.objection(recorded, `customers ${c} and ${d}: refund ${c}`, certain)).toBeUndefined();
    expect(ids.objection(recorded, `customers ${c} and ${d}: refund ${d}`, certain)).toContain(`got ${d}`);
    expect(ids.objection(recorded, `customers ${c} and ${c}: refund ${c}`, certain)).toContain(
      'replaces two',
    );
  }
});

test('what was guessed of calls side by side is no reason to object', () => {
  const ids = new RenamedIds();
  ids.learn(a, d, false);
  ids.learn(b, c, false);
  expect(ids.objection(`${a} ${b}`, `${c} ${d}`)).toBeDefined();
  expect(ids.objection(`${a} ${b}`, `${c} ${d}`, true)).toBeUndefined();
  const certain = new RenamedIds();
  certain.learn(a, c);
  expect(certain.objection(a, d, true)).toBe(`got ${d}, expected ${c} (${a} in the recording)`);
});

test('two moments may be one in another run', () => {
  const ids = new RenamedIds();
  expect(ids.objection('1763359200123 1763359200124', '1763359300000 1763359300000', true)).toBeUndefined();
});
