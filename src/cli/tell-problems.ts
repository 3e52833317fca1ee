/** Problems as a person reads them, their commands complete. */
import { formatProblem, Problem, type ProblemData } from '../kernel/problem.ts';
import type { Terminal } from './terminal.ts';

export function tellProblems(problems: readonly (Problem | ProblemData)[], { hint }: Terminal): string {
  return problems
    .map((problem) => formatProblem(new Problem({ ...problem, next: hint(problem.next) })))
    .join('\n\n');
}
