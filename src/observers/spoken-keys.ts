/** Which keys of an element a `where` mentions, and whether an element can have them. Pure. */
import { isPlainMap } from '../patterns/plain-value.ts';
import { suggest } from './find-service.ts';
import { ObservationError } from './observer.ts';

/** Of the element itself, through `$any`, `$all` and `$not`. A key that is to be absent need not exist. */
export function spokenKeys(where: unknown): readonly string[] {
  if (!isPlainMap(where)) return [];
  return Object.entries(where).flatMap(([key, pattern]) => {
    if (key === '$not') return spokenKeys(pattern);
    if (key === '$any' || key === '$all') return Array.isArray(pattern) ? pattern.flatMap(spokenKeys) : [];
    const isAbsence = isPlainMap(pattern) && pattern.$absent === true;
    return key.startsWith('$') || isAbsence ? [] : [key];
  });
}

/** What is left of a condition when what these keys hold is not known. */
export function withoutKeys(
  where: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): Readonly<Record<string, unknown>> {
  const left = Object.entries(where).filter(
    ([key, pattern]) => !spokenKeys({ [key]: pattern }).some((spoken) => keys.includes(spoken)),
  );
  return Object.fromEntries(left);
}

/** A misspelt key would otherwise match nothing, which looks just like "there is no such element". */
export function refuseUnknownKeys(where: unknown, known: readonly string[], element: string): void {
  const unknown = spokenKeys(where).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const advice = suggest(unknown, known, 'its keys are');
  throw new ObservationError(`\`where\`: ${element} has no key ${unknown}; ${advice}`);
}
