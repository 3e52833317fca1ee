/** The problem of having left something behind. */
import { Problem } from '../kernel/problem.ts';

export function leftBehindProblem(left: readonly string[]): Problem {
  return new Problem({
    code: 'left.behind',
    where: 'teardown',
    what: `${left.length} ${left.length === 1 ? 'thing is' : 'things are'} left behind`,
    allowed: 'nothing',
    next: 'take them away by hand, or call `shakedown down` again',
    evidence: left,
  });
}
