/** Throws the faults of a pattern as problems, for code that is about to match with it. */
import { isContainer } from '../kernel/exact-json.ts';
import { Problem, Problems } from '../kernel/problem.ts';
import { checkPattern, type PatternFault } from './check-pattern.ts';

/** Script lines and checks with `within` are matched repeatedly. */
const good = new WeakSet<object>();

export function refuseBadPattern(pattern: unknown): void {
  if (isContainer(pattern) && good.has(pattern)) return;
  const [first, ...others] = checkPattern(pattern, 'resolved').map(toProblem);
  if (!first) {
    if (isContainer(pattern)) good.add(pattern);
    return;
  }
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
