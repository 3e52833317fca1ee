/** Problems of a config's code: it threw, at once or later, or it ended the process. */
import { inspect } from 'node:util';
import { Problem } from '../../kernel/problem.ts';
import type { SourcePosition } from '../../kernel/source-position.ts';
import { errorCode } from '../../kernel/system-error.ts';
import { firstUserFrame } from './stack-position.ts';

export function threwProblem(error: unknown, fallback: SourcePosition | string, what?: string): Problem {
  return new Problem({
    code: 'config.threw',
    where: firstUserFrame(error) ?? fallback,
    what: what ?? `the config threw ${shown(error)}`,
    allowed: 'a config that loads without an error; it is data, so it needs no work of its own',
    next: 'correct the line shown, or write the value itself',
    cause: error,
  });
}

/** An uncaught error: a problem of the config where it comes from the user's files; any other is returned unchanged. */
export function strayProblem(error: unknown): unknown {
  if (error instanceof Problem) return error;
  // We only throw errors; Node wraps other values.
  const isOdd = !(error instanceof Error) || errorCode(error) === 'ERR_UNHANDLED_REJECTION';
  return isOdd || firstUserFrame(error) ? threwProblem(error, 'the config') : error;
}

/** Called while the process exits, when we did not end it. */
export function endedProblem(ending: Error): Problem {
  return threwProblem(ending, 'the config', 'the config, or a module that it imports, ended the process');
}

/** Works for any value, even one that throws when it is inspected. */
function shown(error: unknown): string {
  try {
    if (error instanceof Error) return `${error.name}: ${error.message}`;
    return typeof error === 'string'
      ? JSON.stringify(error)
      : inspect(error, { depth: 1, customInspect: false });
  } catch {
    return 'something that cannot be shown';
  }
}
