/** Two attempts beside each other. */
import { expect, test } from 'vitest';
import { answered, asked, attemptJournal, call, chain } from '../../../../test/harness/attempt-journal.ts';
import { attemptOf } from '../../../../test/harness/report-content.ts';
import type { CallEvent } from '../../../journal/call-event.ts';
import { type Item, itemsOf } from '../sequence/items.ts';
import { align, contentOf } from './align.ts';

const itemsFor = (...calls: readonly CallEvent[]): readonly Item[] =>
  itemsOf(attemptOf(attemptJournal({ topology: chain, events: calls })));
const pairs = (here: readonly CallEvent[], there: readonly CallEvent[]): readonly string[] =>
  align(itemsFor(...here), itemsFor(...there))
    .filter(({ here: mine, there: theirs }) => (mine ?? theirs)?.kind !== 'step')
    .map(({ pairing, here: mine, there: theirs }) => `${pairing} ${(mine ?? theirs)?.label}`);

test('ids and times may differ, other contents may not', () => {
  const id = (text: string) => asked({ id: text, cents: 12 });
  const a = call('agent -> files', [10, 20], { request: id('0b5cd37f-8b38-4c1c-9d0b-2a1a5b1f7a11') });
  const b = call('agent -> files', [30, 90], { request: id('9e107d9d-372b-4b6a-8a5f-3f1d2c4b5a66') });
  expect(pairs([a], [b])).toEqual(['same POST /ask']);
  expect(pairs([a], [{ ...b, request: asked({ id: 'x', cents: 13 }) }])).toEqual(['changed POST /ask']);
  expect(pairs([{ ...a, response: answered(500, { text: 'fine' }) }], [a])).toEqual(['changed POST /ask']);
});

test('what one of them lacks is found edge by edge, however both are mixed', () => {
  const files = (path: string, at: number) => call('agent -> files', [at, at + 1], { path });
  const bank = call('gateway -> bank', [5, 6]);
  expect(
    pairs([files('/a', 1), bank, files('/c', 9)], [bank, files('/a', 7), files('/b', 8), files('/c', 9)]),
  ).toEqual([...['same POST /a', 'only-there POST /b', 'same POST /ask', 'same POST /c']]);
  expect(pairs([files('/a', 1), files('/a', 2)], [files('/a', 1)])).toEqual([
    ...['same POST /a', 'only-here POST /a'],
  ]);
});

test('handshakes, which come in whichever attempt is first, are no difference', () => {
  const rpc = (method: string, at: number) =>
    call('agent -> files', [at, at + 1], {
      protocol: 'json-rpc',
      method,
      path: '/mcp',
      params: {},
      result: {},
    });
  const [hello, asks] = [rpc('initialize', 1), rpc('tools/call', 5)];
  expect(pairs([hello, asks], [asks])).toEqual(['same tools/call']);
  expect(pairs([asks], [hello, asks])).toEqual(['same tools/call']);
  const stream = call('agent -> files', [2, 3], { method: 'GET', response: answered(405, { text: '' }) });
  expect(pairs([stream, asks], [asks])).toEqual(['same tools/call']);
});

test('attempts that have almost nothing in common are compared one by one', () => {
  const many = (letter: string, count: number) =>
    Array.from({ length: count }, (_, at) =>
      call('agent -> files', [at, at], { path: `/${letter.repeat(at % 40)}` }),
    );
  const found = align(itemsFor(...many('a', 2_000)), itemsFor(...many('b', 1_990)));
  expect(found.filter(({ pairing }) => pairing === 'only-here').length).toBeLessThanOrEqual(20);
});

test('the order of keys means nothing', () => {
  const [, one] = itemsFor(call('agent -> files', [1, 2], { request: asked({ a: 1, b: { d: 1, c: 2 } }) }));
  const [, other] = itemsFor(call('agent -> files', [1, 2], { request: asked({ b: { c: 2, d: 1 }, a: 1 }) }));
  expect(one && contentOf(one)).toBe(other && contentOf(other));
});
