/** Finds the program that somebody's test command names, or says why it cannot be started. */
import { findBinary } from '../../environment/processes/find-binary.ts';
import { Problem } from '../../kernel/problem.ts';
import { errorCode } from '../../kernel/system-error.ts';

export function findCommand(
  argv: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): string {
  try {
    return findBinary(argv[0] ?? '', env.PATH ?? '', cwd, where);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { what, allowed, next, evidence } = error;
    throw new Problem({ code: 'command.not-started', where, what, allowed, next, evidence, cause: error });
  }
}

const where = 'the command after --';

/** It is there, and the system does not take it for a program. */
export function notStarted(argv: readonly string[], binary: string, error: unknown): Problem {
  const code = errorCode(error) ?? String(error);
  return new Problem({
    code: 'command.not-started',
    where,
    what: `\`${argv.join(' ')}\` could not be started: ${code}`,
    allowed: 'a program, or a script whose first line names one: #!/bin/sh',
    next: `start it by hand to see why: ${binary}`,
    cause: error,
  });
}
