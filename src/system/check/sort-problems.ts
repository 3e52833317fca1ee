/** Sorts problems by file and position, without duplicates. */
import { type Problem, whereText } from '../../kernel/problem.ts';
import type { SourcePosition } from '../../kernel/source-position.ts';

export function sortProblems(problems: readonly Problem[]): Problem[] {
  const once = new Map(
    problems.map((problem) => [`${whereText(problem.where)} ${problem.code} ${problem.what}`, problem]),
  );
  return [...once.values()].sort((a, b) => comparePlaces(a.where, b.where));
}

function comparePlaces(a: SourcePosition | string, b: SourcePosition | string): number {
  if (typeof a === 'string' || typeof b === 'string') return 0;
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
