/** Prints a result: one JSON object for programs, or lines for people; and problems, with complete commands. */
import { formatProblems } from '../../kernel/format-problems.ts';
import { type Problem, problemToData } from '../../kernel/problem.ts';
import type { Terminal } from './terminal.ts';
import type { Call } from './verb.ts';

export function print(
  { json, terminal }: Call,
  data: unknown,
  lines: (terminal: Terminal) => readonly string[],
): void {
  terminal.out(json ? JSON.stringify(data) : lines(terminal).join('\n'));
}

/** Beside the result of a verb that is still at work. */
export function printProblems({ json, terminal }: Call, problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  if (json) terminal.out(JSON.stringify({ errors: problems.map(problemToData) }));
  else terminal.err(formatProblems(problems, terminal));
}
