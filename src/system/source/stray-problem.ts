/** What the code of a config did: it threw, at once or later, or it ended the process. */
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
    next: 'correct the line shown, or write down the value that it should give',
    cause: error,
  });
}

/** An error that nobody caught: that of a config, where it comes from the user's files; any other is given back as it is. */
export function strayProblem(error: unknown): unknown {
  if (error instanceof Problem) return error;
  // Whatever we throw is an error; Node wraps what is none.
  const isOdd = !(error instanceof Error) || errorCode(error) === 'ERR_UNHANDLED_REJECTION';
  return isOdd || firstUserFrame(error) ? threwProblem(error, 'the config') : error;
}

/** Called while the process ends, by somebody who is not us. */
export function endedProblem(ending: Error): Problem {
  return threwProblem(ending, 'the config', 'the config, or a module that it imports, ended the process');
}

/** Whatever it is, and however it behaves when it is looked at. */
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
