import { expect, test } from 'vitest';
import type { AttemptView } from './attempt-view.ts';
import { openIfRestless, whoIsBusy } from './judge-restless.ts';
import type { CheckVerdict } from './verdict.ts';

const checks = [
  { id: 'rows', kind: 'rows', absence: true, query: {} },
  { id: 'calls', kind: 'calls', absence: true, query: { from: 'worker', to: 'queue' } },
  { id: 'there', kind: 'rows', absence: false, query: {} },
];
const passed = checks.map(({ id }) => ({ id, verdict: 'passed' })) as unknown as readonly CheckVerdict[];

function judged(rest: object): unknown {
  const view = { checks, restless: undefined, unwatched: [], ...rest } as unknown as AttemptView;
  return openIfRestless(passed, view).map(({ verdict, explanation = '' }) => [verdict, explanation]);
}

test('what was not waited for is told with each absence, and leaves those about itself open', () => {
  const told = 'not waited for, as the config says: worker -> queue';
  expect(judged({ unwatched: ['worker -> queue'] })).toEqual([
    ['passed', told],
    ['unknown', told],
    ['passed', ''],
  ]);
});

test('a system that did not come to rest leaves every absence open, and says what to write', () => {
  const restless = { busy: ['worker -> queue'], busyBytes: [3_000], waitedMs: 10_000 };
  const told = `the system had not come to rest: ${whoIsBusy(restless)}`;
  expect(judged({ restless })).toEqual([
    ['unknown', told],
    ['unknown', told],
    ['passed', ''],
  ]);
  expect(told).toContain('worker -> queue (2.9 KB in 10.0 s) still busy');
  expect(told).toContain('edges: { "worker -> queue": { idle: { below: 1KB/s } } }');
});

test('a call that has no answer is no poll', () => {
  expect(whoIsBusy({ busy: ['a -> b'], busyBytes: [0], waitedMs: 10_000 })).toBe('a -> b still busy');
});
