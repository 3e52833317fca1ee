import { expect, test } from 'vitest';
import { suggestCheck } from './suggest-check.ts';

test.each([
  ['events shop e.jsonl', [0, 'kind'], 'events: shop', 'file: "e.jsonl"'],
  ['files shop out/*.json', [0, 'json', 'total'], 'files: shop', 'path: "out/*.json"', 'as: json'],
  ['files shop **', [0, 'bytes'], 'files: shop', 'path: "**"'],
  ['spans shop pay order', [0, 'name'], 'spans: shop', 'name: "pay order"'],
  ['spans shop', [0, 'name'], 'spans: shop'],
  ['rows shop.orders', [0, 'total'], 'rows: shop.orders'],
  ['calls shop -> bank', [0, 'status'], 'calls: shop -> bank'],
])('%s is written as a check reads it', (source, keys, ...lines) => {
  const [, ...written] = suggestCheck({ source, kind: source.split(' ')[0] ?? '', keys, value: 7 }).split(
    '\n',
  );
  expect(written.slice(0, -1)).toEqual(lines.map((line) => `    ${line}`));
});
