/** Throws the faults of a pattern as problems, for those who are about to match with it. */
import { Problem, Problems } from '../kernel/problem.ts';
import { checkPattern, type PatternFault } from './check-pattern.ts';

export function refuseBadPattern(pattern: unknown): void {
  const [first, ...others] = checkPattern(pattern, 'resolved').map(toProblem);
  if (!first) return;
  throw others.length === 0 ? first : new Problems([first, ...others]);
}

function toProblem({ path, what, allowed, nearest }: PatternFault): Problem {
  return new Problem({
    code: 'config.bad-pattern',
    where: `pattern at ${path}`,
    what,
    allowed,
    next: nearest === undefined ? 'correct the pattern' : `write ${nearest}`,
  });
}
