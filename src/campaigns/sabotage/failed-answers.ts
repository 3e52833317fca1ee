/** Complete answers of a system that failed: its status or exit code, and its output then. */
import { isContainer } from '../../kernel/exact-json.ts';
import { stepOutcomes } from '../../kinds/step-kinds.ts';
import type { Claims } from '../../patterns/mutants/claims-of.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';
import type { CheckUnderTest } from './check-under-test.ts';

/**
 * A check whose alternatives include failure asserts something about success only: it holds for every failure.
 * Returns the failure in words if it does.
 */
export function holdsForEveryFailure(
  { kind, value, judge, expectation }: CheckUnderTest,
  { mentioned }: Claims,
): string | undefined {
  if (kind !== 'exchange' || !isPlainMap(value) || !hasAlternatives(expectation.expect)) return undefined;
  const { failure } =
    stepOutcomes().find(
      (outcome) => outcome.failure?.isWell(value[outcome.field]) && mentioned.has(`$.${outcome.field}`),
    ) ?? {};
  if (!failure) return undefined;
  return failure.answers(value).every((answer) => judge(answer) === 'passed') ? failure.what : undefined;
}

function hasAlternatives(pattern: unknown): boolean {
  if (!isContainer(pattern)) return false;
  return Object.entries(pattern).some(([key, inner]) => key === '$any' || hasAlternatives(inner));
}
