/** Teardown as a stack: each undo is registered before its action and has a time limit; no error is swallowed. */
import type { Clock } from '../kernel/clock.ts';
import { within } from '../kernel/deadline.ts';
import { Problem, problemsIn } from '../kernel/problem.ts';

export interface TeardownFailure {
  readonly step: string;
  readonly problem: Problem;
}

export function createTeardown(clock: Clock) {
  const steps: Array<{ step: string; undo: () => Promise<void> | void }> = [];
  let running: Promise<readonly TeardownFailure[]> | undefined;
  const runAll = async (withinMs: number): Promise<readonly TeardownFailure[]> => {
    const failures: TeardownFailure[] = [];
    for (let next = steps.pop(); next; next = steps.pop()) {
      failures.push(...(await attempt(clock, next.step, next.undo, withinMs)));
    }
    return failures;
  };
  return {
    /** Call before the thing is created. `undo` must handle that it was never created, or only partly. */
    register: (step: string, undo: () => Promise<void> | void): void => void steps.push({ step, undo }),
    /** Last registered first. Continues after a failure and returns all failures. A second call waits for the first. */
    run: (withinMs: number): Promise<readonly TeardownFailure[]> => {
      running ??= runAll(withinMs);
      return running;
    },
  };
}

export type Teardown = ReturnType<typeof createTeardown>;

async function attempt(
  clock: Clock,
  step: string,
  undo: () => Promise<void> | void,
  withinMs: number,
): Promise<readonly TeardownFailure[]> {
  try {
    const done = await within(
      clock,
      withinMs,
      Promise.resolve(undo()).then(() => true),
    );
    return done ? [] : [{ step, problem: tooSlow(step, withinMs) }];
  } catch (error) {
    return problemsIn(error).map((problem) => ({ step, problem }));
  }
}

function tooSlow(step: string, withinMs: number): Problem {
  return new Problem({
    code: 'teardown.failed',
    where: `teardown, ${step}`,
    what: `it did not end within ${withinMs} ms`,
    allowed: 'each step of a teardown ends within its time (`teardown: { within }` in the config)',
    next: 'the guard continues where this stopped; `shakedown down` shows what is left',
  });
}
