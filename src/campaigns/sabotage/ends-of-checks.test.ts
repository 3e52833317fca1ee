/** A check is pasted behind the last one, not into it. */
import { expect, test } from 'vitest';
import { endOfCheck } from './ends-of-checks.ts';

const yaml = `checks:
  first: { exchange: a, expect: { status: 200 } }
  last:
    rows: shop.orders
    where: { id: 7 }

    expect: [{ total: 8 }]

logs: { allow: [] }`.split('\n');

const flow = `    check('one', answer, { status: 200 });
    check(
      'two',
      rows('shop.orders'),
      [{ total: 8 }],
    );
    await quiet();`.split('\n');

test.each([
  [yaml, 2, 2],
  [yaml, 3, 7],
  [flow, 1, 1],
  [flow, 2, 6],
  [["  check('last', answer, { status: 200 });", '});'], 1, 1],
  [[], 4, 4],
])('%#', (lines, begin, end) => {
  expect(endOfCheck(lines, begin)).toBe(end);
});
