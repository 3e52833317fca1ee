import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { printYaml } from './print-yaml.ts';

test('printed values are read back unchanged', () => {
  const value = fc.dictionary(
    fc.oneof(fc.string(), fc.constantFrom('on', 'null', '*', '$type', 'a -> b', '- x', '#', 'y')),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(value, (map) => {
      const plain = JSON.parse(JSON.stringify(map));
      expect(parse(printYaml(plain))).toEqual(Object.keys(plain).length === 0 ? null : plain);
    }),
    { numRuns: 5000 },
  );
});

test('short values are on one line, lists of maps one per line, and undefined values are omitted', () => {
  const lines = [
    { on: 'POST /send', answer: { status: 200 } },
    { on: 'GET /x y', times: 2 },
  ];
  expect(printYaml({ id: 'a/b', peers: { bank: lines }, none: undefined, text: '$${HOME}' })).toBe(
    `id: a/b
peers:
  bank:
    - { on: POST /send, answer: { status: 200 } }
    - { on: GET /x y, times: 2 }
text: "$\${HOME}"`,
  );
});
