/** Runs all checks in parallel, each with a time limit and isolated from the errors of others. */
import { formatDuration } from '../../../kernel/duration.ts';
import { problemsIn } from '../../../kernel/problem.ts';
import type { Check, Examined, Outcome, Surroundings } from './check.ts';

const usualMs = 5_000;

/** In the order of the checks; those that do not apply to this machine are left out. */
export async function examine(
  checks: readonly Check[],
  surroundings: Surroundings,
  interrupted: AbortSignal,
): Promise<readonly Examined[]> {
  const outcomes = await Promise.all(checks.map((check) => examineOne(check, surroundings, interrupted)));
  return outcomes.flatMap((outcome, index) =>
    outcome ? [{ name: (checks[index] as Check).name, ...outcome }] : [],
  );
}

async function examineOne(
  check: Check,
  surroundings: Surroundings,
  interrupted: AbortSignal,
): Promise<Outcome | undefined> {
  const late = new AbortController();
  const answered = new AbortController();
  const ends = AbortSignal.any([answered.signal, interrupted]);
  const tooLate = surroundings.host.clock.sleep(check.withinMs ?? usualMs, ends).then(
    () => silence(check),
    () => silence(check), // answered, or no longer needed
  );
  try {
    return await Promise.race([
      check.look(surroundings, AbortSignal.any([late.signal, interrupted])),
      tooLate,
    ]);
  } catch (error) {
    return failure(check, error);
  } finally {
    answered.abort();
    late.abort();
  }
}

function silence(check: Check): Outcome {
  return {
    state: check.otherwise,
    detail: `no answer within ${formatDuration(check.withinMs ?? usualMs)}`,
    next: check.byHand ? `try it by hand: ${check.byHand}` : 'try again when the machine is less busy',
  };
}

/** What the machine refuses is missing; any other error is explained in full. */
function failure(check: Check, error: unknown): Outcome {
  const problems = problemsIn(error);
  const [first] = problems;
  const isWorld = problems.every(({ family }) => family === 'world');
  return {
    state: isWorld ? check.otherwise : 'broken',
    detail: first?.what ?? 'unknown',
    next: first?.next ?? 'see above',
    ...(isWorld ? {} : { problems }),
  };
}
