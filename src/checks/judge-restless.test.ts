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
  const view = {
    checks,
    restless: undefined,
    unwatched: [],
    events: [],
    calls: [],
    ...rest,
  } as unknown as AttemptView;
  return openIfRestless(passed, view).map(({ verdict, explanation = '' }) => [verdict, explanation]);
}

test('what was not waited for is reported with each absence, and leaves absences about itself open', () => {
  const shown = 'not waited for, as configured: worker -> queue';
  expect(judged({ unwatched: ['worker -> queue'] })).toEqual([
    ['passed', shown],
    ['unknown', shown],
    ['passed', ''],
  ]);
});

test('what passed on another listener and is not read leaves absences about it open', () => {
  const passing = (to: string) => ({
    type: 'edges.passed',
    edges: [{ from: 'worker', to, sent: 9, received: 0 }],
  });
  const events = [passing('queue.raw'), passing('store')];
  const shown = 'what passed on worker -> queue.raw is not read';
  expect(judged({ events })).toEqual([
    ['passed', ''],
    ['unknown', shown],
    ['passed', ''],
  ]);
  const calls = [{ edge: 'worker -> queue.raw' }];
  expect(judged({ events, calls })).toEqual([
    ['passed', ''],
    ['passed', ''],
    ['passed', ''],
  ]);
});

test('a system that was not quiet leaves every absence open, and says what to configure', () => {
  const restless = { busy: ['worker -> queue'], busyBytes: [3_000], waitedMs: 10_000 };
  const shown = `the system was not quiet: ${whoIsBusy(restless)}`;
  expect(judged({ restless })).toEqual([
    ['unknown', shown],
    ['unknown', shown],
    ['passed', ''],
  ]);
  expect(shown).toContain('worker -> queue (2.9 KB in 10.0 s) still busy');
  expect(shown).toContain('edges: { "worker -> queue": { idle: { below: 1KB/s } } }');
});

test('a call without an answer is not polling', () => {
  expect(whoIsBusy({ busy: ['a -> b'], busyBytes: [0], waitedMs: 10_000 })).toBe('a -> b still busy');
});
