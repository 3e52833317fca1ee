/** Problems as text, with complete commands. */
import { formatProblem, Problem, type ProblemData } from './problem.ts';

export function formatProblems(
  problems: readonly (Problem | ProblemData)[],
  { hint }: { hint(text: string): string },
): string {
  return problems
    .map((problem) => formatProblem(new Problem({ ...problem, next: hint(problem.next) })))
    .join('\n\n');
}
