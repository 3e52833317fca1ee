/** What is printed can be pasted: it is read as what it was. */
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { printCheck, printExpect } from './print-check.ts';

test.each([
  { exchange: 'ordered', expect: { status: 201, json: { note: 'a "b": #c' } } },
  { exchange: 'true', expect: { json: { 'odd key': [1, null] } } },
  { calls: 'shop -> ledger', where: { method: 'POST' }, count: 2 },
])('%j as YAML', (raw) => {
  expect(parse(`checks:\n${printCheck('it', raw, false)}`)).toEqual({ checks: { it: raw } });
});

test.each(['order ${trial.uid}', 'a `b` of "${trial.uid}"', 'two\nlines \\ ${trial.uid}'])(
  '%j as code',
  (text) => {
    const read = new Function('trial', `return { ${printExpect({ json: { text } }, 'ordered', true)}\n}`);
    expect(read({ uid: 'u-1' })).toEqual({ expect: { json: { text: text.replace('${trial.uid}', 'u-1') } } });
  },
);
