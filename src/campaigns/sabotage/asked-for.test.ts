import { expect, test } from 'vitest';
import type { Lie } from '../../patterns/lies/lie.ts';
import { isShown, type Question } from './asked-for.ts';

const lie = (keys: Lie['keys'], value: unknown): Lie => ({ kind: 'value', keys, value, what: 'x' });

test.each<[kind: string, question: Question, value: unknown[], lie: Lie, shown: boolean]>([
  ['rows', { where: { name: 'tea' } }, [{ name: 'tea', price: 4 }], lie([0, 'name'], 'cake'), false],
  ['rows', { where: { name: 'tea' } }, [{ name: 'tea', price: 4 }], lie([0, 'price'], 5), true],
  ['rows', { where: { name: 'tea' } }, [{ name: 'tea  ', price: 4 }], lie([0, 'name'], 'cake'), false],
  ['rows', { where: { name: 'tea' } }, [{ name: 'tea  ', price: 4 }], lie([0, 'price'], 5), true],
  [
    'rows',
    { where: { row: { yes: 'yes' } } },
    [{ row: { yes: true, n: 1 } }],
    lie([0, 'row', 'yes'], false),
    false,
  ],
  ['rows', { where: { row: { yes: 'yes' } } }, [{ row: { yes: true, n: 1 } }], lie([0, 'row', 'n'], 2), true],
  ['rows', { where: { name: 'tea' } }, [{ price: 4 }], lie([0, 'price'], 5), true],
  ['logs', { match: '^INFO' }, [{ line: 1, text: 'INFO a' }], lie([0, 'text'], 'other'), false],
  ['logs', { match: '^INFO' }, [{ line: 1, text: 'INFO a' }], lie([0, 'text'], 'INFO b'), true],
  ['files', { path: 'out/*.md' }, [{ path: 'out/a.md' }], lie([0, 'path'], 'in/a.md'), false],
  ['files', { path: 'home:*.md' }, [{ path: 'a.md' }], lie([0, 'path'], 'b.md'), true],
  ['spans', { name: 'GET *' }, [{ name: 'GET /a' }], lie([0, 'name'], 'PUT /a'), false],
  ['calls', {}, [{ path: '/a' }], lie([0, 'path'], '/b'), true],
  ['logs', { match: '^INFO' }, [{ line: 1, text: 'INFO a' }], lie([], []), true],
])('%s by %j: of %j, %j', (kind, question, value, told, shown) => {
  expect(isShown({ kind, question, value })(told)).toBe(shown);
});
