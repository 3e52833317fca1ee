import { expect, test } from 'vitest';
import { holdExchange } from '../../checks/hold-exchange.ts';
import { claimsOf } from '../../patterns/mutants/claims-of.ts';
import type { CheckUnderTest } from './check-under-test.ts';
import { holdsForEveryFailure } from './vitality.ts';

const answered = { status: 200, json: { total: 8 }, headers: {} };
const called = { isError: false, result: { total: 8 }, content: [] };
const printed = { exitCode: 0, stdout: '8\n', stderr: '' };

test.each<[value: object, pattern: object, holds: boolean]>([
  [answered, { $any: [{ status: 200, json: { total: 8 } }, { status: { $ne: 200 } }] }, true],
  [answered, { $any: [{ status: 200, json: { total: 8 } }, { status: { $gte: 400 } }] }, true],
  [answered, { $any: [{ status: 200, json: { total: 8 } }, { status: 503 }] }, false],
  [answered, { status: { $any: [200, 202] } }, false],
  [answered, { status: { $gte: 200 }, json: { total: { $any: [8, 9] } } }, false],
  [{ ...answered, status: 422 }, { $any: [{ status: 422 }, { status: { $ne: 422 } }] }, false],
  [called, { $any: [{ isError: false, result: { total: 8 } }, { isError: true }] }, true],
  [called, { $any: [{ isError: false }, { isError: true, result: { $regex: 'not today' } }] }, false],
  [printed, { $any: [{ exitCode: 0, stdout: '8\n' }, { exitCode: { $gt: 0 } }] }, true],
  [printed, { $any: [{ exitCode: 0 }, { exitCode: 2 }] }, false],
])('%j by %j: %j', (value, pattern, holds) => {
  const checkUnderTest = {
    kind: 'exchange',
    value,
    expectation: { expect: pattern },
    judge: (mutated: unknown) => (holdExchange({ expect: pattern }, mutated).held ? 'passed' : 'failed'),
  } as CheckUnderTest;
  const failure = holdsForEveryFailure(checkUnderTest, claimsOf(pattern, value));
  expect(failure !== undefined, failure).toBe(holds);
});
