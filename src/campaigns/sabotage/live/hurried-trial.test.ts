import { expect, test } from 'vitest';
import { attemptJournal, check, sampled } from '../../../../test/harness/attempt-journal.ts';
import { type AttemptView, viewAttempt } from '../../../checks/attempt-view.ts';
import type { Trial } from '../../../trials/trial.ts';
import { hurriedTrial } from './hurried-trial.ts';

/** The one step took 399 ms, the whole half a second. */
const view = viewAttempt(
  attemptJournal({
    events: [
      { type: 'probe.sampled', probe: 'slow', value: 1, from: 500, to: 800, samples: 9 },
      { type: 'probe.sampled', probe: 'slow', value: 2, from: 900, to: 900, samples: 1 },
      sampled('quick', 1),
    ],
  }),
) as AttemptView;

function hurried(over: Partial<Trial>): Trial {
  const record = { id: 'x', steps: [], checks: [] } as unknown as Trial['record'];
  return hurriedTrial({ record, steps: [], timeoutMs: 60_000, ...over } as unknown as Trial, view);
}

const step = (timeoutMs: number, name = 'ask') => ({ name, timeoutMs }) as unknown as Trial['steps'][0];

test('three times what it took, half a second at least, and never more than its own', () => {
  const times = (timeoutMs: number) => hurried({ steps: [step(timeoutMs)] }).steps[0]?.timeoutMs;
  expect(times(10_000)).toBe(3 * 399);
  expect(times(700)).toBe(700);
  expect(hurried({ steps: [step(10_000, 'never-done')] }).steps[0]?.timeoutMs).toBe(10_000);
  expect(hurried({}).timeoutMs).toBe(5_000);
  expect(hurried({ timeoutMs: 2_000 }).timeoutMs).toBe(2_000);
});

test('a check that waits is given three times what it waited', () => {
  const checks = ['slow', 'quick', 'new'].map((id) => check({ id, mode: 'within', withinMs: 10_000 }));
  const record = { checks: [...checks, check({ id: 'quiet' })] } as unknown as Trial['record'];
  const after = hurried({ record }).record.checks.map(({ withinMs }) => withinMs);
  expect(after).toEqual([1_200, 500, 10_000, undefined]);
});
