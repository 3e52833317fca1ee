import { expect, test } from 'vitest';
import type { Mutant } from '../../patterns/mutants/mutant.ts';
import { inOurWords } from './mutants-for.ts';

const words = (kind: string, value: unknown, mutant: Omit<Mutant, 'what'>): unknown[] =>
  inOurWords({ kind, value }, { ...mutant, what: 'x' }).map((one) => one.value);

test('a mutant of one of our enum values is another of them', () => {
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

test('a value that a check denies is one of them or gives no mutant; other places are unaffected', () => {
  const denied = (value: string): unknown[] =>
    words('calls', [{}], { kind: 'extra', keys: [0, 'incomplete'], value, literals: [value] });
  expect(denied('cut')).toEqual(['cut']);
  expect(denied('vanished')).toEqual([]);
  expect(words('exchange', { endedBy: 'peer' }, { kind: 'type', keys: ['endedBy'], value: 7 })).toEqual([]);
  expect(words('rows', [{ kind: 'a' }], { kind: 'value', keys: [0, 'kind'], value: 'b' })).toEqual(['b']);
});
