import { describe, expect, test } from 'vitest';
import type { CheckRecord } from '../checks/trial-record.ts';
import { refusalIn } from './refusal-in.ts';
import { refusalsOf } from './refusals.ts';

const refusing: readonly unknown[] = [
  { status: 401 },
  { status: { $gte: 400 } },
  { status: { $any: [403, 404] } },
  { status: { $between: [500, 599] } },
  { status: 422, json: { accepted: true } },
  { error: { kind: 'refused' } },
  { error: { $present: true } },
  { isError: true },
  { exitCode: 1 },
  { exitCode: { $ne: 0 } },
  { exitCode: { $not: 0 } },
  { status: 200, json: { error: 'no such thing' } },
  { json: { ok: false } },
  { json: { outcome: 'rejected' } },
  { json: { code: 'motor_overload' } },
  { received: [{ TYPE: ':ERROR', PAYLOAD: { REASON: { $type: 'string' } } }] },
  { received: [[':ERROR', 'bad frame']] },
  { answers: { $some: { status: 429 } } },
  { answers: { $length: 3, $each: { status: 409 } } },
  { answers: { $unordered: [{ status: 200 }, { status: 409 }] } },
  { $path: { 'json.error.code': -32_601 } },
  { $all: [{ json: { id: 1 } }, { status: 400 }] },
  { $any: [{ status: 400 }, { error: { kind: 'closed' } }] },
  [{ status: 'failed' }],
  { json: { $eq: { error: 'unknown_key' } } },
];

const notRefusing: readonly unknown[] = [
  undefined,
  'rejected',
  { status: 200 },
  { status: { $lt: 500 } },
  { status: { $not: 200 } },
  { status: '${case.status}' },
  { status: { $gte: '${case.least}' } },
  { text: { $contains: 'rejected' } },
  { text: 'ERROR: it was rejected' },
  { json: { message: 'the request was refused' } },
  { json: { status: 'not a failed one, in words' } },
  { error: { $absent: true } },
  { error: null },
  { errors: [] },
  { error: { $any: [null, { kind: 'closed' }] } },
  { isError: false },
  { exitCode: 0 },
  { exitCode: { $gte: 0 } },
  { json: { ok: true } },
  { json: { ok: { $type: 'boolean' } } },
  { answers: { $each: { status: 409 } } },
  { $any: [{ status: 400 }, { status: 200 }] },
  { $not: { status: 200 } },
  { title: 'is blocked' },
  { received: [{ TYPE: ':EVENT', TEXT: ':ERROR is a word' }] },
  { json: { outcome: { $regex: 'rejected' } } },
];

describe('a pattern that only a refusal fulfils', () => {
  test.each(refusing.map((pattern) => [JSON.stringify(pattern), pattern]))('%s', (_, pattern) => {
    expect(refusalIn(pattern)).toEqual(expect.any(String));
  });
});

describe('a pattern that a success fulfils, too, or that only has the word', () => {
  test.each(notRefusing.map((pattern) => [String(JSON.stringify(pattern)), pattern]))('%s', (_, pattern) => {
    expect(refusalIn(pattern)).toBeUndefined();
  });
});

const check = (parts: Partial<CheckRecord>): CheckRecord => ({
  id: 'c',
  line: 1,
  kind: 'rows',
  source: 'rows a.b',
  query: {},
  mode: 'quiet',
  absence: false,
  ...parts,
});

test('an absence counts when something proves that it would have been seen', () => {
  const parts = (one: Partial<CheckRecord>): readonly string[] =>
    refusalsOf({ steps: [], checks: [check(one)] }).map(({ part }) => part);
  expect(parts({ absence: true, provenBy: 'twin', expect: [] })).toEqual(['check c']);
  expect(parts({ absence: true, expect: [] })).toEqual([]);
  expect(parts({ mode: 'never', absence: true, provenBy: 'twin', expect: [{ status: 200 }] })).toHaveLength(
    1,
  );
  expect(parts({ mode: 'never', kind: 'exchange', expect: { status: 200 } })).toHaveLength(1);
  expect(parts({ kind: 'changes', expect: [] })).toHaveLength(1);
  expect(parts({ kind: 'changes', expect: [], only: ['kept'] })).toEqual([]);
});

test('a disturbance that makes an exchange fail counts, one that only changes its form or time does not', () => {
  const counted = [
    'cut at {"event":2} by fin',
    'answer 503 instead',
    'hold at {"head":true}',
    'drop event 3',
  ];
  const others = [
    'answer 201 instead',
    'delay the response by 300 ms',
    'shape S05',
    'send the request twice',
  ];
  const disturbs = [...counted, ...others].map((what, index) => ({
    name: `disturb[${index}]`,
    edge: 'a -> b',
    what,
    times: 1,
  }));
  expect(refusalsOf({ steps: [], checks: [], disturbs }).map(({ because }) => because)).toEqual(
    counted.map((what) => `a -> b is disturbed: ${what}`),
  );
});

test('what is looked for counts when it must be found, and a closure never', () => {
  const where = { where: { status: 401 } };
  expect(refusalsOf({ steps: [], checks: [check({ kind: 'calls', query: where, count: 1 })] })).toHaveLength(
    1,
  );
  expect(
    refusalsOf({ steps: [], checks: [check({ kind: 'calls', query: where, count: 0, absence: true })] }),
  ).toEqual([]);
  expect(
    refusalsOf({ steps: [], checks: [check({ opaque: { held: true }, expect: { status: 401 } })] }),
  ).toEqual([]);
});

test('titles say nothing', () => {
  const steps = [{ name: 'refused', line: 3, driver: 'http', expect: { status: 200 } }];
  const checks = [check({ id: 'is-rejected', title: 'it is blocked with an error', expect: [{ id: 1 }] })];
  expect(refusalsOf({ steps, checks })).toEqual([]);
});
