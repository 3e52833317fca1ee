/** What a check queries for: an element that does not fulfil its conditions is never shown to it. */

import { speltLike } from '../../checks/hold-against.ts';
import { checkKind } from '../../kinds/check-kinds.ts';
import type { Spec } from '../../kinds/kind/step-kind.ts';
import { createRegexTester } from '../../patterns/bounded-regex.ts';
import { matchPattern } from '../../patterns/match-pattern.ts';
import { applyMutant, type Mutant, valueAt } from '../../patterns/mutants/mutant.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';
import type { CheckUnderTest } from './check-under-test.ts';

/** The query of an observer that returns a list, with references resolved. */
export type Question = Spec & { readonly where?: unknown };

type Asked = Pick<CheckUnderTest, 'kind' | 'value' | 'question'>;

/** Whether the check would be shown the mutated value. */
export function isShown({ kind, value, question }: Asked): (mutant: Mutant) => boolean {
  if (!Array.isArray(value) || question === undefined) return () => true;
  const isAskedFor = questioner(kind, question);
  // A row may be shown with some columns only, and a file without its whole text: then this cannot be decided.
  if (!value.every((element) => isAskedFor(element, element))) return () => true;
  return (mutant) => {
    // What a pattern forbids must pass the query, too; values from another trial come from a different query.
    if (mutant.keys.length === 0 && mutant.literals !== undefined && Array.isArray(mutant.value))
      return mutant.value.every((element) => isAskedFor(element, value[0]));
    if (typeof mutant.keys[0] !== 'number') return true;
    return isAskedFor(valueAt(applyMutant(value, mutant), [mutant.keys[0]]), value[mutant.keys[0]]);
  };
}

/** Whether an element, placed beside one that was shown, passes the query. */
function questioner(kind: string, question: Question): (element: unknown, shown: unknown) => boolean {
  const { where } = question;
  const regexes = createRegexTester();
  const { filters, comparesAsSql } = checkKind(kind) ?? {};
  const expressions = filters?.(question) ?? [];
  const fulfils = (element: unknown, shown: unknown): boolean =>
    matchPattern(where, element).matched ||
    (comparesAsSql === true && isPlainMap(shown) && matchPattern(speltLike(where, shown), element).matched);
  return (element, shown) =>
    (where === undefined || fulfils(element, shown)) &&
    expressions.every(([key, expression]) => {
      const text = valueAt(element, [key]);
      return typeof text === 'string' && regexes.test(expression, '', text) === true;
    });
}
