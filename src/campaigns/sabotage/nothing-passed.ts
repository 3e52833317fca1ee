/** The problem of a run without any trial that can be sabotaged. */
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
      ? `no trial of this run can be sabotaged: ${first.trial}: ${first.why}`
      : 'the run has no trial',
    allowed,
    next: `run again, and sabotage that: shakedown run && ${command}`,
  });
}
