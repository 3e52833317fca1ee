/** The ways in which an environment ends that nobody asked for. */
import type { StopCause } from '../journal/event.ts';
import { Problem } from '../kernel/problem.ts';
import type { ProblemCode } from '../kernel/problem-codes.ts';

/** Somebody called `down` while it was still booting. */
export function downBeforeReady(because: string): Problem {
  return new Problem({
    code: 'boot.taken-down',
    where: 'boot',
    what: `taken down before it was ready: ${because}`,
    allowed: 'a boot that nobody interrupts',
    next: 'start it again: shakedown up',
  });
}

const codes: Partial<Record<StopCause, ProblemCode>> = {
  'folder-gone': 'world.not-writable',
  'journal-failed': 'world.not-writable',
  signal: 'boot.taken-down',
};

/** It went down by itself. */
export function endedBecause(cause: StopCause, because: string): Problem {
  return new Problem({
    code: codes[cause] ?? 'shakedown.keeper-died',
    where: 'the environment',
    what: `everything was taken down, because ${because}`,
    allowed:
      'an environment that stays up until it is asked to go: its keeper, its guard (the small shell beside it) and its run folder stay',
    next: 'leave `.shakedown` and our processes alone while something is up, and start it again: shakedown up',
  });
}
