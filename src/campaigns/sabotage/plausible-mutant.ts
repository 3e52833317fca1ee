/** Whether what a pattern denies could be there at all, by what the run and the code have. */
import { type Mutant, pathOf, valueAt } from '../../patterns/mutants/mutant.ts';
import { printValue } from '../../patterns/print-value.ts';
import type { CheckUnderTest } from './check-under-test.ts';
import { isMisspelt } from './impossible-condition.ts';
import type { RunFacts } from './run-facts.ts';
import { walkPlaces } from './walk-places.ts';

/** A field or a value that was never seen, and is not typical of failures, is a typo. */
export function isPlausible(mutant: Mutant, checkUnderTest: CheckUnderTest, facts: RunFacts): boolean {
  const { kind, keys, literals, needs = [] } = mutant;
  if (literals === undefined) return true;
  const places = kind === 'extra' ? [pathOf(keys), ...needs] : needs;
  return (
    places.every((path) =>
      facts.isKnownPlace(checkUnderTest, path, kind === 'extra' && literals.length === 0),
    ) &&
    literals.every(
      (literal) =>
        facts.isInSources(String(literal)) ||
        (facts.isKnownValue(literal) &&
          !isMisspelt(String(literal), facts.elsewhere(checkUnderTest.source, pathOf(keys))) &&
          !isForeign(literal, mutant, checkUnderTest, facts)),
    )
  );
}

/** The word stands, as a whole value, where the code writes others. */
function isForeign(
  literal: unknown,
  { keys, value }: Mutant,
  { source, value: before }: CheckUnderTest,
  facts: RunFacts,
): boolean {
  if (typeof literal !== 'string') return false;
  return walkPlaces(value).some((place) => {
    if (place.value !== literal) return false;
    const at = [...keys, ...place.keys];
    const seen = [valueAt(before, at), ...facts.elsewhere(source, pathOf(at))];
    return facts.isForeignWord(literal, seen);
  });
}

/** The place and the value that a pattern denies, where these are within what it was made of. */
export function deniedBy({ keys, value, what, literals = [] }: Mutant): Pick<Mutant, 'keys' | 'what'> {
  const [literal] = literals;
  const place = literals.length === 1 ? walkPlaces(value).find((one) => one.value === literal) : undefined;
  return place ? { keys: [...keys, ...place.keys], what: printValue(literal) } : { keys, what };
}
