import { expect, test } from 'vitest';
import { parseJson } from './parse-json.ts';

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

test('JSON is read, and what is none is told', () => {
  expect(parseJson('{"a":[1,null]}')).toEqual({ value: { a: [1, null] } });
  expect(parseJson(' 7\n')).toEqual({ value: 7 });
  expect(parseJson('{"a":')).toEqual({ fault: expect.stringMatching(/JSON/) });
  expect(parseJson('')).toHaveProperty('fault');
  expect(parseJson('{"a\\":":{"a":":"},"b":[{"a":1},{"a":2}]}')).toHaveProperty('value');
  expect(parseJson('[{"role":"admin", "r\\u006fle" : "user"}]')).toEqual({
    fault: 'a map has the same key twice',
  });
});

test('nesting that would overflow whoever prints it again is refused', () => {
  expect(parseJson(nested(256))).toHaveProperty('value');
  expect(parseJson(nested(257))).toEqual({ fault: 'it has more than 256 levels' });
  expect(parseJson(nested(1_000_000))).toHaveProperty('fault');
});
