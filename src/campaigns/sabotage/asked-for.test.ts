import { expect, test } from 'vitest';
import type { Mutant } from '../../patterns/mutants/mutant.ts';
import { isShown, type Question } from './asked-for.ts';

const mutant = (keys: Mutant['keys'], value: unknown): Mutant => ({ kind: 'value', keys, value, what: 'x' });

test.each<[kind: string, question: Question, value: unknown[], mutant: Mutant, shown: boolean]>([
  ['rows', { where: { name: 'tea' } }, [{ name: 'tea', price: 4 }], mutant([0, 'name'], 'cake'), false],
  ['rows', { where: { name: 'tea' } }, [{ name: 'tea', price: 4 }], mutant([0, 'price'], 5), true],
  ['rows', { where: { name: 'tea' } }, [{ name: 'tea  ', price: 4 }], mutant([0, 'name'], 'cake'), false],
  ['rows', { where: { name: 'tea' } }, [{ name: 'tea  ', price: 4 }], mutant([0, 'price'], 5), true],
  [
    'rows',
    { where: { row: { yes: 'yes' } } },
    [{ row: { yes: true, n: 1 } }],
    mutant([0, 'row', 'yes'], false),
    false,
  ],
  [
    'rows',
    { where: { row: { yes: 'yes' } } },
    [{ row: { yes: true, n: 1 } }],
    mutant([0, 'row', 'n'], 2),
    true,
  ],
  ['rows', { where: { name: 'tea' } }, [{ price: 4 }], mutant([0, 'price'], 5), true],
  ['logs', { match: '^INFO' }, [{ line: 1, text: 'INFO a' }], mutant([0, 'text'], 'other'), false],
  ['logs', { match: '^INFO' }, [{ line: 1, text: 'INFO a' }], mutant([0, 'text'], 'INFO b'), true],
  ['files', { path: 'out/*.md' }, [{ path: 'out/a.md' }], mutant([0, 'path'], 'in/a.md'), false],
  ['files', { path: 'home:*.md' }, [{ path: 'a.md' }], mutant([0, 'path'], 'b.md'), true],
  ['spans', { name: 'GET *' }, [{ name: 'GET /a' }], mutant([0, 'name'], 'PUT /a'), false],
  ['calls', {}, [{ path: '/a' }], mutant([0, 'path'], '/b'), true],
  ['logs', { match: '^INFO' }, [{ line: 1, text: 'INFO a' }], mutant([], []), true],
])('%s by %j: of %j, %j', (kind, question, value, answered, shown) => {
  expect(isShown({ kind, question, value })(answered)).toBe(shown);
});
