import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  escapeReferences,
  hostVariable,
  isReference,
  parseReferences,
  type ReferencePart,
} from './references.ts';

test('a text is split into plain parts and references with their positions', () => {
  expect(parseReferences('a ${db.url} b ${butlers.*.url}')).toEqual([
    { text: 'a ' },
    { reference: 'db.url', path: ['db', 'url'], offset: 2, length: 9 },
    { text: ' b ' },
    { reference: 'butlers.*.url', path: ['butlers', '*', 'url'], offset: 14, length: 16 },
  ]);
});

test('$${ is a plain ${, and a $ before anything else is itself', () => {
  expect(parseReferences('$${HOME} $HOME $ 5$')).toEqual([{ text: '${HOME} $HOME $ 5$' }]);
});

test('only an environment variable can have a default', () => {
  expect(parseReferences('${env.A:-b:-c d}')).toEqual([
    { reference: 'env.A', path: ['env', 'A'], fallback: 'b:-c d', offset: 0, length: 16 },
  ]);
  expect(parseReferences('${env.A:-}')).toMatchObject([{ reference: 'env.A', fallback: '' }]);
  expect(parseReferences('${db.url:-x}')).toMatchObject([{ fault: 'a reference is made of names and dots' }]);
});

test.each([
  ['${}', 'it is empty'],
  ['${db url}', 'a reference is made of names and dots'],
  ['${db..url}', 'a reference is made of names and dots'],
  ['${ db.url }', 'a reference is made of names and dots'],
  ['${db.url', 'the brace is never closed'],
])('%s is faulty: %s', (text, fault) => {
  expect(parseReferences(text)).toMatchObject([{ fault, offset: 0, length: text.length }]);
});

test('an unclosed brace ends at its line end', () => {
  expect(parseReferences('${db\nnext')).toMatchObject([{ length: 4 }, { text: '\nnext' }]);
});

test('an empty variable counts as unset only where there is a default', () => {
  const [plain, withDefault] = ['${env.A}', '${env.A:-b}'].flatMap(parseReferences).filter(isReference) as [
    ReferencePart,
    ReferencePart,
  ];
  expect(hostVariable(plain, { A: '' })).toBe('');
  expect(hostVariable(plain, {})).toBeUndefined();
  expect(hostVariable({ ...plain, path: ['env', 'constructor'] }, {})).toBeUndefined();
  expect(hostVariable(withDefault, { A: '' })).toBe('b');
  expect(hostVariable(withDefault, { A: 'a' })).toBe('a');
});

test('any text can be escaped and parsed back unchanged', () => {
  const dollars = fc.string({ unit: fc.constantFrom('$', '{', '}', 'a', '.') });
  fc.assert(
    fc.property(dollars, (text) => {
      const parts = parseReferences(escapeReferences(text));
      expect(parts).toEqual(text === '' ? [] : [{ text }]);
    }),
  );
});

test('the parts of a text cover it without gaps', () => {
  const pieces = fc.array(fc.constantFrom('${db.url}', '$', '{', '}', 'x', '${', '\n', '${env.A:-b}'));
  fc.assert(
    fc.property(pieces, (written) => {
      const text = written.join('');
      fc.pre(!text.includes('$${'));
      const length = parseReferences(text).reduce(
        (sum, part) => sum + (isReference(part) ? part.length : part.text.length),
        0,
      );
      expect(length).toBe(text.length);
    }),
  );
});
