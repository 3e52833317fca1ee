import { expect, test } from 'vitest';
import type { Lie } from '../../patterns/lies/lie.ts';
import { inOurWords } from './our-words.ts';

const words = (kind: string, value: unknown, lie: Omit<Lie, 'what'>): unknown[] =>
  inOurWords({ kind, value }, { ...lie, what: 'x' }).map((one) => one.value);

test('where one of our words stands, a lie is told in another of them', () => {
  const ended = { endedBy: 'peer' };
  expect(words('exchange', ended, { kind: 'value', keys: ['endedBy'], value: 'nobody' })).toEqual([
    'timeout',
    'cap',
  ]);
  expect(
    words('exchange', {}, { kind: 'extra', keys: ['closedBy'], value: 'something', literals: [] }),
  ).toEqual(['peer', 'us', 'reset']);
  const span = [{ status: { code: 'ok' } }];
  expect(words('spans', span, { kind: 'value', keys: [0, 'status', 'code'], value: '' })).toEqual([
    'unset',
    'error',
  ]);
});

test('what a check denies by name is one of them, or no lie; other places are left alone', () => {
  const denied = (value: string): unknown[] =>
    words('calls', [{}], { kind: 'extra', keys: [0, 'incomplete'], value, literals: [value] });
  expect(denied('cut')).toEqual(['cut']);
  expect(denied('vanished')).toEqual([]);
  expect(words('exchange', { endedBy: 'peer' }, { kind: 'type', keys: ['endedBy'], value: 7 })).toEqual([]);
  expect(words('rows', [{ kind: 'a' }], { kind: 'value', keys: [0, 'kind'], value: 'b' })).toEqual(['b']);
});
