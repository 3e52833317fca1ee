import { expect, test } from 'vitest';
import { folderMatcher, globMatcher } from './matching-globs.ts';

test.each([
  ['src/*.ts', 'src/a.ts', true],
  ['./src/*.ts', 'src/a.ts', true],
  ['src/*.ts', 'src/b/a.ts', false],
  ['**/*.test.ts', 'src/b/a.test.ts', true],
  ['src/{a,b}.ts', 'src/b.ts', true],
  ['../other/**', '../other/src/a.ts', true],
  ['src/{a', 'src/{a', true],
])('%s and %s: %s', (glob, file, isMeant) => {
  expect(globMatcher(glob)(file)).toBe(isMeant);
});

test('a folder covers everything below it', () => {
  expect(folderMatcher('src/channel')('src/channel/deep/a.ts')).toBe(true);
  expect(folderMatcher('src/*/')('src/channel/a.ts')).toBe(true);
  expect(folderMatcher('src/channel')('src/channels/a.ts')).toBe(false);
});
