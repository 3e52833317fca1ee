import { expect, test } from 'vitest';
import { holdExchange } from './hold-exchange.ts';

const late = { error: { kind: 'timeout', message: 'no answer within 300 ms' }, durationMs: 300 };
const cut = { status: 200, text: '{"notes":', bytes: 2_000_000, truncated: true };

test('where there was no answer, that is what was observed', () => {
  expect(holdExchange({ expect: { status: 200 } }, late)).toMatchObject({
    held: false,
    observed: 'timeout: no answer within 300 ms',
  });
  expect(holdExchange({ expect: { error: { kind: 'refused' } } }, late)).toMatchObject({
    expected: '"refused"',
    observed: '"timeout"',
  });
  expect(holdExchange({ expect: { error: { kind: 'timeout' } } }, late).held).toBe(true);
});

test('an answer that is not what it says is told as such', () => {
  const broken = { status: 200, text: '{"half": ', broken: 'the body is no JSON' };
  expect(holdExchange({ expect: { json: { half: 1 } } }, broken).observed).toBe('the body is no JSON');
  expect(holdExchange({ expect: { status: 201 } }, broken).observed).toBe('200');
});

test('what was not kept is neither right nor wrong', () => {
  const because = expect.stringContaining('longer than the 1 MB that are kept');
  expect(holdExchange({ expect: { json: { notes: [] } } }, cut).undecided).toEqual(because);
  expect(holdExchange({ expect: { text: { $not: { $contains: 'password' } } } }, cut)).toMatchObject({
    held: false,
    undecided: because,
  });
  expect(holdExchange({ expect: { text: { $startsWith: '{"notes"' } } }, cut).held).toBe(true);
  expect(holdExchange({ expect: { status: 201 } }, cut).undecided).toBeUndefined();
});

test('of a burst, the answer that parts is the one that is told', () => {
  const burst = { answers: [{ status: 200 }, late, cut] };
  const all = { answers: { $each: { status: 200 } } };
  expect(holdExchange({ expect: all }, burst).observed).toBe('timeout: no answer within 300 ms');
  const third = { answers: [{}, {}, { json: { notes: [] } }] };
  expect(holdExchange({ expect: third }, burst).undecided).toContain('longer than');
});

test('a pattern that became none by what was filled in does not hold', () => {
  expect(holdExchange({ expect: { status: { $gte: { ok: true } } } }, { status: 200 })).toMatchObject({
    held: false,
    observed: 'in the pattern, by what was filled in: $gte has no order: { ok: true }',
  });
});
