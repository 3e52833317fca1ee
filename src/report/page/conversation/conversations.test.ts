/** Who talked with which model, turn by turn. */
import { expect, test } from 'vitest';
import {
  asked,
  attemptJournal,
  call,
  chain,
  modelCalled,
  turn,
} from '../../../../test/harness/attempt-journal.ts';
import { attemptOf } from '../../../../test/harness/report-content.ts';
import type { AttemptEventBody } from '../../../journal/trial-event.ts';
import { itemsOf } from '../sequence/items.ts';
import { conversationsOf } from './conversations.ts';

const first = { role: 'user', content: 'Refund order 7' };
const answer = { role: 'assistant', content: 'I do.' };
const refund = { id: 'c1', name: 'refund', arguments: { order: 7 } };

function conversations(...events: readonly AttemptEventBody[]) {
  const journal = attemptJournal({ topology: chain, events });
  return conversationsOf(itemsOf(attemptOf(journal)), journal);
}

const ask = (at: number, messages: readonly unknown[], calls: readonly (typeof refund)[] = []) =>
  call('gateway -> model', [at, at + 10], {
    ...{ path: '/v1/chat/completions', request: asked({ messages, tools: [{ name: 'refund' }] }) },
    turn: turn({ calls }),
  });

test('a turn says what is new, and whether an earlier message was changed', () => {
  const changed = { role: 'user', content: 'Refund order 8' };
  const [only] = conversations(ask(10, [first]), ask(30, [first, answer]), ask(50, [changed, answer]));
  expect(only?.agent).toBe('gateway');
  expect(only?.turns.map(({ seenBefore, isRewritten }) => [seenBefore, isRewritten])).toEqual([
    ...[
      [0, false],
      [1, false],
      [0, true],
    ],
  ]);
});

test('a tool call is beside what the tool received, and what was written meanwhile', () => {
  const tool = call('gateway -> bank', [40, 60], {
    ...{ protocol: 'json-rpc', method: 'tools/call', params: { name: 'refund', arguments: { order: 7 } } },
  });
  const statement = {
    protocol: 'postgres',
    method: 'INSERT',
    path: 'main',
    statement: 'INSERT INTO refunds',
  } as const;
  const [only] = conversations(ask(10, [first], [refund]), tool, call('bank -> db', [45, 50], statement));
  const [use] = only?.turns[0]?.uses ?? [];
  expect(use).toMatchObject({ name: 'refund', given: { order: 7 }, received: { to: 'bank' } });
  expect(use?.changes.map(({ label }) => label)).toEqual(['INSERT INTO refunds']);
});

test('a tool call that nobody received is shown, too', () => {
  const [only] = conversations(ask(10, [first], [refund]));
  expect(only?.turns[0]?.uses).toEqual([{ name: 'refund', given: { order: 7 }, changes: [] }]);
});

test('each pair of an agent and a model has a conversation of its own, with what the model is known to cost', () => {
  const other = { ...ask(30, [first]), from: 'agent' };
  const found = conversations(ask(10, [first]), other, modelCalled({ startedAt: 10, endedAt: 20 }));
  expect(found.map(({ agent }) => agent)).toEqual(['gateway', 'agent']);
  expect(found[0]?.turns[0]?.known?.costUsd).toBe(0.001);
});
