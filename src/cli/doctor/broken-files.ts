/** Says of files that cannot be read as they are what is wrong with the first, and how many more there are. */
import type { Problem } from '../../kernel/problem.ts';
import type { Outcome } from './check.ts';

export function brokenFiles(problems: readonly Problem[]): Outcome {
  const [first] = problems;
  const more = problems.length > 1 ? `, and ${problems.length - 1} more` : '';
  return {
    state: 'broken',
    detail: `${first?.what}${more}`,
    next: first?.next ?? 'shakedown lint',
    problems,
  };
}
