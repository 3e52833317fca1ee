import { expect, test } from 'vitest';
import { attemptJournal } from '../../test/harness/attempt-journal.ts';
import { judge } from './judge/judge-attempt.ts';
import type { StepRecord } from './trial-record.ts';

const step = { name: 'ask', line: 3, driver: 'http', expect: { status: 200 } };
const otherwise = 'it was not performed as it is written now; run it again';

function judged(now: Partial<StepRecord>, written?: string, more: readonly StepRecord[] = []) {
  const events = attemptJournal({ record: { steps: [step], written: 'w' } });
  const { verdict, cause, checks } = judge(events, {
    steps: [{ ...step, ...now }, ...more],
    checks: [],
    ...(written === undefined ? {} : { written }),
  });
  return [verdict, cause?.text, checks[0]?.verdict];
}

test('what a step expects now is judged on what it got then', () => {
  expect(judged({}, 'w')).toEqual(['passed', undefined, 'passed']);
  expect(judged({ expect: { status: 201 } }, 'w')).toEqual([
    'failed',
    'step ask: expected 201, observed 200',
    'failed',
  ]);
});

test('other steps were not performed', () => {
  expect(judged({}, 'x')).toEqual(['unknown', otherwise, undefined]);
  expect(judged({}, 'w', [{ name: '#2', line: 4, driver: 'http' }])).toEqual([
    'unknown',
    otherwise,
    undefined,
  ]);
  expect(judged({ name: 'other' }, 'w')).toEqual(['unknown', otherwise, undefined]);
});

test('an attempt of an older version is compared by its steps alone', () => {
  const events = attemptJournal({ record: { steps: [step] } });
  expect(judge(events, { steps: [step], checks: [], written: 'w' }).verdict).toBe('passed');
  expect(judge(events, { steps: [], checks: [], written: 'w' }).cause?.text).toBe(otherwise);
});

test('where the attempt ended at a step that would hold now, the rest is open', () => {
  const events = attemptJournal({
    record: { steps: [step] },
    evidence: { status: 500 },
    end: 'step-failed',
  }).map((event) => (event.type === 'step.ended' ? { ...event, outcome: 'failed' as const } : event));
  expect(judge(events).verdict).toBe('failed');
  const now = (expected: object) => judge(events, { steps: [{ ...step, expect: expected }], checks: [] });
  expect(now({ status: 501 }).verdict).toBe('failed');
  expect(now({ status: 500 })).toMatchObject({
    verdict: 'unknown',
    cause: {
      text: 'the attempt ended at step `ask`, which did not match what was expected then; run it again',
    },
  });
});

test('on an open connection, more may have come', () => {
  const evidence = { received: [1] };
  const talk = { name: 'ask', line: 3, driver: 'on', expect: { received: [1] } };
  const verdictNow = (driver: string, more: object = {}): string | undefined => {
    const events = attemptJournal({
      record: { steps: [{ ...talk, driver }] },
      evidence: { ...evidence, ...more },
    });
    const now = { ...talk, driver, expect: { received: [1, 2] } };
    return judge(events, { steps: [now], checks: [] }).checks[0]?.verdict;
  };
  expect(['on', 'tcp', 'http'].map((driver) => verdictNow(driver))).toEqual(['unknown', 'unknown', 'failed']);
  expect(verdictNow('command', { exitCode: 0 })).toBe('failed');
});
