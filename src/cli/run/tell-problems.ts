/** Problems that were stored, as a person reads them. */
import { formatProblem, type ProblemData, problemFromData } from '../../kernel/problem.ts';

export function tellProblems(problems: readonly ProblemData[]): readonly string[] {
  return problems.map((problem) => formatProblem(problemFromData(problem)));
}
