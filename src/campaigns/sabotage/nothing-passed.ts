/** The problem of a run in which no trial can be put to the test. */
import { Problem } from '../../kernel/problem.ts';

export interface LeftOut {
  readonly trial: string;
  readonly why: string;
}

export function nothingPassed(
  folder: string,
  leftOut: readonly LeftOut[],
  { allowed, command }: { readonly allowed: string; readonly command: string },
): Problem {
  const [first] = leftOut;
  return new Problem({
    code: 'run.nothing-passed',
    where: folder,
    what: first
      ? `no trial of this run can be put to the test: ${first.trial}: ${first.why}`
      : 'the run has no trial',
    allowed,
    next: `run again, and sabotage that: shakedown run && ${command}`,
  });
}
