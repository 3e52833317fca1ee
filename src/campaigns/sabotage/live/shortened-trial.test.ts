import { expect, test } from 'vitest';
import { attemptJournal, check, sampled } from '../../../../test/harness/attempt-journal.ts';
import { type AttemptView, viewAttempt } from '../../../checks/attempt-view.ts';
import type { Trial } from '../../../trials/trial.ts';
import { shortenedTrial } from './shortened-trial.ts';

/** The only step took 399 ms, the whole trial half a second. */
const view = viewAttempt(
  attemptJournal({
    events: [
      { type: 'probe.sampled', probe: 'slow', value: 1, from: 500, to: 800, samples: 9 },
      { type: 'probe.sampled', probe: 'slow', value: 2, from: 900, to: 900, samples: 1 },
      sampled('quick', 1),
    ],
  }),
) as AttemptView;

function shortened(over: Partial<Trial>): Trial {
  const record = { id: 'x', steps: [], checks: [] } as unknown as Trial['record'];
  return shortenedTrial({ record, steps: [], timeoutMs: 60_000, ...over } as unknown as Trial, view);
}

const step = (timeoutMs: number, name = 'ask') => ({ name, timeoutMs }) as unknown as Trial['steps'][0];

test('three times the duration, at least half a second, and never more than its own timeout', () => {
  const times = (timeoutMs: number) => shortened({ steps: [step(timeoutMs)] }).steps[0]?.timeoutMs;
  expect(times(10_000)).toBe(3 * 399);
  expect(times(700)).toBe(700);
  expect(shortened({ steps: [step(10_000, 'never-done')] }).steps[0]?.timeoutMs).toBe(10_000);
  expect(shortened({}).timeoutMs).toBe(5_000);
  expect(shortened({ timeoutMs: 2_000 }).timeoutMs).toBe(2_000);
});

test('on a busy machine everything is given more time', () => {
  const record = { id: 'x', steps: [], checks: [] } as unknown as Trial['record'];
  const trial = { record, steps: [step(10_000), step(3_000)], timeoutMs: 60_000 } as unknown as Trial;
  const { steps, timeoutMs } = shortenedTrial(trial, view, 4);
  expect(steps.map((one) => one.timeoutMs)).toEqual([4 * 3 * 399, 3_000]);
  expect(timeoutMs).toBe(20_000);
});

test('an unused line is waited for three times as long as quiet was late in the run', () => {
  const late = (...waited: number[]): number | undefined => {
    const events = waited.map((waitedMs) => ({ type: 'quiet', quiet: true, waitedMs, busy: [] }) as const);
    const run = viewAttempt(attemptJournal({ events })) as AttemptView;
    const record = { id: 'x', steps: [], checks: [] } as unknown as Trial['record'];
    return shortenedTrial({ record, steps: [], settleMs: 300 } as unknown as Trial, run).unusedLineMs;
  };
  expect([late(), late(300), late(700, 300), late(5_000)]).toEqual([0, 0, 1_200, 3_000]);
});

test('a check that waits is given three times what it waited', () => {
  const checks = ['slow', 'quick', 'new'].map((id) => check({ id, mode: 'within', withinMs: 10_000 }));
  const record = { checks: [...checks, check({ id: 'quiet' })] } as unknown as Trial['record'];
  const after = shortened({ record }).record.checks.map(({ withinMs }) => withinMs);
  expect(after).toEqual([1_200, 500, 10_000, undefined]);
});
