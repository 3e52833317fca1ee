/** Journals as items on lanes. */
import { expect, test } from 'vitest';
import { answered, attemptJournal, call, chain, sampled } from '../../../../test/harness/attempt-journal.ts';
import { attemptOf, hostileEvents } from '../../../../test/harness/report-content.ts';
import type { AttemptEvent, AttemptEventBody } from '../../../journal/trial-event.ts';
import { ghostOf, type Item, itemsOf } from './items.ts';

const items = (...events: readonly AttemptEventBody[]): readonly Item[] =>
  itemsOf(attemptOf(attemptJournal({ topology: chain, events })), new Set(['bad']));

const brief = ({ kind, from, to, label, isBad }: Item): string =>
  `${kind} ${from}>${to} ${label}${isBad ? ' !' : ''}`;

test('calls, statements and models have kinds of their own, in order of time', () => {
  const select = { protocol: 'postgres', statement: 'SELECT  1', method: 'SELECT', path: 'main' } as const;
  const refused = { type: 'connection.refused', from: 'agent', to: 'files', because: 'nobody listens' };
  expect(
    items(
      call('agent -> files', [50, 60], { response: answered(500) }),
      call('agent -> files', [20, 30], select),
      refused as unknown as AttemptEventBody,
    ).map(brief),
  ).toEqual([
    'step outside>agent ask: POST agent/ask',
    'statement agent>files SELECT 1',
    'call agent>files POST /ask !',
    'call agent>files connection refused !',
  ]);
});

test('a step is an arrow to where it acts only where its calls are not seen', () => {
  const seen = items(call('outside -> agent', [2, 3]));
  expect(seen.find(({ kind }) => kind === 'step')).toMatchObject({ from: 'outside', to: 'outside' });
});

test('samples of a check that did not hold are of another kind than those of others', () => {
  const kinds = items(sampled('bad', 1), sampled('good', 1)).map(({ kind }) => kind);
  expect(kinds).toEqual(['step', 'check', 'held']);
});

test('what ended by itself is bad, and what was stopped is not', () => {
  const exited = (expected: boolean) =>
    ({ type: 'node.exited', kind: 'service', name: 'agent', code: 1, signal: null, expected }) as const;
  const found = items(exited(true) as AttemptEventBody, exited(false) as AttemptEventBody);
  expect(found.filter(({ kind }) => kind === 'process').map(brief)).toEqual([
    'process agent>agent ends: code 1',
    'process agent>agent ends: code 1 !',
  ]);
});

test('damaged events are items that say so, and unknown types are none', () => {
  const found = itemsOf(attemptOf(hostileEvents()));
  const texts = found.flatMap((item) => [item.label, item.from, item.to]);
  expect(texts.every((text) => typeof text === 'string')).toBe(true);
  expect(found.filter(({ label }) => label.endsWith('not readable')).map(({ seq }) => seq)).toContain(10);
  expect(found.find(({ event }) => (event.type as string) === 'event.of.tomorrow')).toBeUndefined();
  expect(itemsOf(attemptOf([{ seq: 1, type: 'call' } as unknown as AttemptEvent]))).toHaveLength(1);
});

test('what only the attempt that passed had is neither bad nor long', () => {
  const [, one] = items(call('agent -> files', [20, 30], { response: answered(500) }));
  expect(one && ghostOf(one, 7)).toMatchObject({ seq: -4, at: 7, label: 'POST /ask' });
  expect(one && Object.keys(ghostOf(one, 7))).not.toContain('end');
});

test('spans are indented below those that they are in, even where they are in a circle', () => {
  const span = (spanId: string, parentSpanId: string | null, startedAt = '') => ({
    ...{
      type: 'span',
      resource: 'traces',
      span: { service: 'agent', name: spanId, spanId, parentSpanId, startedAt },
    },
  });
  const spans = [
    span('a', null),
    span('b', 'a'),
    span('c', 'b'),
    span('x', 'y'),
    span('y', 'x'),
    span('z', 'gone'),
  ];
  const labels = items(...(spans as unknown as AttemptEventBody[])).map(({ label }) => label);
  expect(labels).toEqual(expect.arrayContaining(['a', '└ b', '\u00a0\u00a0└ c', 'z']));
});
