import { expect, test } from 'vitest';
import { ExactNumber } from '../../kernel/exact-json.ts';
import { readRow } from './read-row.ts';

const columns = [
  { name: 'at', type: 'timestamptz' },
  { name: 'day', type: 'timestamp' },
  { name: 'text', type: 'text' },
];

test.each([
  ['7', 7],
  ['9007199254740991', 9007199254740991],
  ['9007199254740993', 9007199254740993n],
  ['-12345678901234567890', -12345678901234567890n],
  ['1.50', 1.5],
  ['0.10000000000000000000', 0.1],
  ['0.12345678901234567891', new ExactNumber('0.12345678901234567891')],
  ['100.00000000000000000000', 100],
  ['0.00000000000000000000', 0],
  ['1e+300', 1e300],
  ['12345678.125000000000000', 12345678.125],
])('the number %s becomes %o', (source, value) => {
  expect(readRow(`{"n":${source},"deep":[{"n":${source}}]}`, columns)).toEqual({
    n: value,
    deep: [{ n: value }],
  });
});

test.each([
  ['2026-08-02T10:00:00+00:00', '2026-08-02T10:00:00.000Z'],
  ['2026-08-02T10:00:00.5+00:00', '2026-08-02T10:00:00.500Z'],
  ['2026-08-02T10:00:00.123456+00:00', '2026-08-02T10:00:00.123456Z'],
  ['2026-08-02T10:00:00+02:00', '2026-08-02T10:00:00+02:00'],
  ['infinity', 'infinity'],
])('the moment %s becomes %s', (source, value) => {
  expect(readRow(JSON.stringify({ at: source, text: source }), columns)).toEqual({ at: value, text: source });
});

test('a moment without a zone gets none', () => {
  expect(readRow('{"day":"2026-08-02T10:00:00"}', columns)).toEqual({ day: '2026-08-02T10:00:00.000' });
});

test('a map with a key twice, which only the type json keeps, is not read as one of them', () => {
  const both = [...columns, { name: 'j', type: 'json' }, { name: 'k', type: 'json' }];
  expect(readRow('{"text":"a","j":{"a":1,"a":2}, "k":null}', both)).toEqual({
    text: 'a',
    j: { $broken: '{"text":"a","j":{"a":1,"a":2}, "k":null}' },
    k: null,
  });
  expect(readRow('{"text":"\\"a\\":","j":{"a":1}}', both)).toEqual({ text: '"a":', j: { a: 1 } });
});
