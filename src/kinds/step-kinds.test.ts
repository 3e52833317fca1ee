import { describe, expect, test } from 'vitest';
import { checkKinds, fieldNamed } from './check-kinds.ts';
import { stepFields, stepKinds } from './step-kinds.ts';

const known = Object.entries(stepKinds).flatMap(([kind, { evidence }]) =>
  typeof evidence === 'object' ? [{ kind, evidence }] : [],
);

describe.each(known)('the evidence of $kind', ({ evidence: { fields, outcome, format } }) => {
  test('its outcome, and what decides how it is shown, are fields of it', () => {
    const named = [...(outcome ? [outcome.field] : []), ...(format?.when ?? [])];
    expect(named.filter((name) => !Object.hasOwn(fields, name))).toEqual([]);
  });

  test('a failed system answers with fields that it has, and is not ok', () => {
    if (!outcome?.failure) return;
    const healthy = Object.fromEntries(Object.keys(fields).map((name) => [name, 'x']));
    for (const answer of outcome.failure.answers(healthy)) {
      expect(Object.keys(answer).filter((name) => !Object.hasOwn(fields, name))).toEqual([]);
      expect(outcome.failure.isWell(answer[outcome.field])).toBe(false);
    }
  });

  test('kinds that share a field agree about it', () => {
    for (const [name, field] of Object.entries(fields)) expect(stepFields()?.[name]).toEqual(field);
  });
});

test('a field is found by the kind of check that shows it', () => {
  expect(fieldNamed('exchange', 'endedBy')?.enum).toEqual(['peer', 'timeout', 'cap']);
  expect(fieldNamed('calls', 'from')?.origin).toBe('request');
  expect(fieldNamed('rows', 'id')).toBeUndefined();
  expect(fieldNamed('calls', 'toString')).toBeUndefined();
});

test('what changes can be observed of has its operations, and a call has none', () => {
  const changing = Object.entries(checkKinds).filter(([, { change }]) => change !== undefined);
  expect(Object.fromEntries(changing.map(([kind, { operations }]) => [kind, operations?.length]))).toEqual({
    calls: undefined,
    rows: 3,
    redis: 3,
    files: 3,
  });
});
