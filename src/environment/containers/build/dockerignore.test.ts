import { expect, test } from 'vitest';
import { readDockerignore } from './dockerignore.ts';

test.each([
  ['node_modules', ['node_modules', 'node_modules/a/b'], ['src/node_modules', 'node_modules2']],
  ['/dist/', ['dist', 'dist/a'], ['a/dist']],
  ['*.md', ['README.md'], ['docs/a.md']],
  ['**/*.md', ['README.md', 'docs/a.md', 'a/b/c.md/d'], ['docs/a.mdx']],
  ['docs/**', ['docs/a', 'docs/a/b'], ['doc', 'docs']],
  ['temp?', ['tempa', 'temp1/x'], ['temp', 'temp12']],
  ['a[0-9]b', ['a1b'], ['axb']],
  ['# no\n\n  \nx', ['x'], ['# no']],
  ['a\\*b', ['a*b'], ['axb']],
  ['*\n!keep', ['a', 'b/c'], ['keep', 'keep/a']],
  ['!keep\n*', ['keep'], []],
  ['./a/../b', ['b'], ['a']],
  ['a.b', ['a.b'], ['axb']],
])('%j', (text, out, kept) => {
  const { isIgnored } = readDockerignore(text);
  expect(out.filter((name) => !isIgnored(name))).toEqual([]);
  expect(kept.filter(isIgnored)).toEqual([]);
});

test('below what is left out, exceptions are looked for', () => {
  expect(readDockerignore('*\n!a/b').hasExceptions).toBe(true);
  expect(readDockerignore('*').hasExceptions).toBe(false);
});
