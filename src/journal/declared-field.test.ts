import { expect, test } from 'vitest';
import { parseExactJson } from '../kernel/exact-json.ts';
import { couldShow, type DeclaredField, inWords } from './declared-field.ts';

test.each<[DeclaredField, unknown[], unknown[]]>([
  [{ type: 'integer' }, [0, -7, null, 12345678901234567890n], [1.5, '7', undefined]],
  [{ type: 'integer', always: true, least: 1, most: 9 }, [1, 9], [0, 10, null]],
  [{ type: 'number', above: 0, below: 1 }, [0.1, 'NaN'], [0, 1, '0.1']],
  [
    { type: 'number', most: 1 },
    [parseExactJson('0.99999999999999999999')],
    [parseExactJson('1.00000000000000000001')],
  ],
  [{ type: 'string', values: ['held', 'paid'] }, ['held', null], ['void', 'Held', '']],
  [{ values: [1, 2] }, [1], [3, '1']],
  [{ type: 'string', leastChars: 1, mostChars: 2 }, ['a', '🚢🚢'], ['', 'abc']],
  [{ type: 'string', form: 'UUID' }, ['0a1b2c3d-0000-4000-8000-000000000001'], ['0a1b2c3d', 'something']],
  [
    { type: 'string', form: 'moment' },
    ['2026-08-02T10:00:00.123456Z', '2026-08-02T10:00:00', 'infinity'],
    ['2026-08-02', '2026-08'],
  ],
  [{ type: 'string', form: 'day' }, ['2026-08-02'], ['2026-08-02T10:00:00Z', '20']],
  [{ type: 'array' }, [[], [1]], ['{}', { a: 1 }]],
  [{}, ['anything', 7, { a: 1 }, null], [undefined]],
])('%j could show some values, and not others', (field, possible, refused) => {
  expect(possible.filter((value) => !couldShow(field, value))).toEqual([]);
  expect(refused.filter((value) => couldShow(field, value))).toEqual([]);
});

test('a declaration in words, without the bounds of its type', () => {
  expect(inWords({ type: 'integer', least: 0, most: 2 ** 31 - 1, always: true })).toBe(
    'never null, an integer, at least 0',
  );
  expect(inWords({ type: 'string', values: ['held', 'paid'] })).toBe(
    'one of exactly these values: held, paid',
  );
  expect(inWords({ type: 'string', form: 'UUID' })).toBe('a UUID');
});
