import { expect, test } from 'vitest';
import { couldMean, declaredWords, refusedField } from './declared-away.ts';

const fields = {
  id: { type: 'integer', always: true },
  seats: { type: 'integer', least: 1, most: 9 },
  class: { type: 'string', values: ['deck', 'lounge'] },
} as const;
const rows = [{ id: 1, seats: 2, class: 'deck' }];
const refused = (keys: readonly (string | number)[], value: unknown) =>
  refusedField({ value: rows }, { keys, value }, fields);

test('a mutant of a column, of a row or of the list is refused for the first column that cannot be so', () => {
  expect(refused([0, 'seats'], 10)).toBe('seats');
  expect(refused([0, 'seats'], undefined)).toBe('seats');
  expect(refused([0], { id: null, seats: 1 })).toBe('id');
  expect(refused([], [...rows, { id: 2, seats: 3, class: 'roof' }])).toBe('class');
});

test('other mutants are not', () => {
  expect(refused([0, 'seats'], 9)).toBeUndefined();
  expect(refused([0, 'seats'], null)).toBeUndefined();
  expect(refused([0, 'note'], 7)).toBeUndefined();
  expect(refused([0, 'class', 'inner'], 'roof')).toBeUndefined();
  expect(refused([], [])).toBeUndefined();
  expect(refused([], [{ strange: true }])).toBeUndefined();
});

test('a condition is read as the database reads it', () => {
  expect([7, '7', 'x', null].map((value) => couldMean(fields.seats, value))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect([10, '10', 1.5].map((value) => couldMean(fields.seats, value))).toEqual([false, false, false]);
  expect([null, 'deck', 'roof'].map((value) => couldMean(fields.class, value))).toEqual([true, true, false]);
  expect(couldMean(fields.id, null)).toBe(false);
});

test('the reason names the column and its table', () => {
  expect(declaredWords('rows office.bookings', 'class', fields)).toBe(
    'column `class` of `office.bookings` is declared as one of exactly these values: deck, lounge',
  );
});
