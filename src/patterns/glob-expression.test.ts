import { expect, test } from 'vitest';
import { globBase, globDepth, globExpression, globText } from './glob-expression.ts';

function matches(glob: string, path: string): boolean {
  return new RegExp(globExpression(glob) ?? 'no glob').test(path);
}

test.each([
  ['**', ['a', 'a/b/c.txt', '.hidden/.x'], []],
  ['**/*.json', ['a.json', 'a/b.json', '.x/.y.json'], ['a.jsonl', 'ajson']],
  ['*.json', ['a.json', '.json'], ['a/b.json', 'a.json5']],
  ['a/*/c', ['a/b/c'], ['a/c', 'a/b/b/c']],
  ['a/**/c', ['a/c', 'a/b/c', 'a/b/b/c'], ['ac', 'b/a/c']],
  ['a/**', ['a/b', 'a/b/c'], ['a', 'ab/c']],
  ['a?.[ab]', ['ax.a', 'ay.b'], ['a.a', 'axx.a', 'a/.a', 'ax.c']],
  ['a[!0-9]', ['ax'], ['a1', 'a']],
  ['{a,b/c}.md', ['a.md', 'b/c.md'], ['c.md', 'a,b/c.md']],
  ['{a,{b,c}d}', ['a', 'bd', 'cd'], ['b', 'd']],
  ['a+(b).t', ['a+(b).t'], ['aab.t', 'a+(b)xt']],
  ['\\*.md', ['*.md'], ['a.md']],
  ['a,b', ['a,b'], ['a', 'b']],
  ['[', ['['], ['a']],
])('%s', (glob, yes, no) => {
  for (const path of yes) expect([path, matches(glob, path)]).toEqual([path, true]);
  for (const path of no) expect([path, matches(glob, path)]).toEqual([path, false]);
});

test('an unclosed glob is invalid', () => {
  expect(globExpression('{a,b')).toBeUndefined();
  expect(globExpression('a\\')).toBeUndefined();
});

test('the path that a glob without stars means', () => {
  expect(globText('a/\\[1\\]\\\\x.md')).toBe('a/[1]\\x.md');
});

test('where a search begins, and how deep it goes', () => {
  const facts = ['a/b/*.md', 'a/b.md', '**', 'a/{b/c,d}/e', 'a/[x]/b/c'].map((glob) => [
    globBase(glob),
    globDepth(glob),
  ]);
  expect(facts).toEqual([
    ['a/b', 3],
    ['a', 2],
    ['', Number.POSITIVE_INFINITY],
    ['a', Number.POSITIVE_INFINITY],
    ['a', 4],
  ]);
});
