import { expect, test } from 'vitest';
import { readJson } from './read-json.ts';

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

test('JSON is read, and anything else is reported', () => {
  expect(readJson('{"a":[1,null]}')).toEqual({ json: { a: [1, null] } });
  expect(readJson(' 7\n')).toEqual({ json: 7 });
  expect(readJson('{"a":')).toEqual({ fault: expect.stringMatching(/JSON/) });
  expect(readJson('')).toHaveProperty('fault');
  expect(readJson('{"a\\":":{"a":":"},"b":[{"a":1},{"a":2}]}')).toHaveProperty('json');
  expect(readJson('[{"role":"admin", "r\\u006fle" : "user"}]')).toEqual({
    fault: 'a map has the same key twice',
  });
});

test('nesting that would overflow a later printer is refused', () => {
  expect(readJson(nested(256))).toHaveProperty('json');
  expect(readJson(nested(257))).toEqual({ fault: 'it has more than 256 levels' });
  expect(readJson(nested(1_000_000))).toHaveProperty('fault');
});
