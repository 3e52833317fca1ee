/** Patterns that lead to a place and ask for its value, the strictest first; values of this attempt as references. */

import { isDeepStrictEqual } from 'node:util';
import type { AttemptView } from '../../checks/attempt-view.ts';
import { stepField } from '../../kinds/step-kinds.ts';
import { valueAt } from '../../patterns/mutants/mutant.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';
import { isBareName, type PathKey } from '../../patterns/value-path.ts';
import type { Observed } from './exposure.ts';
import { isMadeAnew } from './risk.ts';
import { walkPlaces } from './walk-places.ts';

/** In a flow, only the id of the attempt can be referred to. */
export function patternsFor(seen: Observed, view: AttemptView, isFlow: boolean): readonly unknown[] {
  // Which of several that were sent at once is answered first is chance.
  const isBurst = seen.step !== undefined && seen.keys[0] === 'answers';
  return leavesFor(seen, view, isFlow).flatMap((leaf) => nested(seen.keys, seen.whole, leaf, isBurst));
}

const longestText = 80;
const longestList = 5;

function leavesFor({ value, step }: Observed, view: AttemptView, isFlow: boolean): readonly unknown[] {
  if (Array.isArray(value)) return [{ $length: value.length }];
  const reference = referenceTo(value, step, view, isFlow);
  if (reference !== undefined) return [reference];
  if (isMadeAnew(value)) return [];
  if (typeof value === 'string' && value.length > longestText)
    return [{ $startsWith: value.slice(0, longestText) }];
  return [value];
}

/** A place in a list: the list as it is where it is short, each element where all agree, some element otherwise. */
function nested(
  keys: readonly PathKey[],
  whole: unknown,
  leaf: unknown,
  isByChance = false,
): readonly unknown[] {
  const [key, ...rest] = keys;
  if (key === undefined) return [leaf];
  const below = nested(rest, valueAt(whole, [key]), leaf, isByChance && typeof key === 'string');
  if (typeof key === 'string') return below.map((inner) => ({ [key]: inner }));
  const list = Array.isArray(whole) ? whole : [];
  const value = valueAt(list[key], rest);
  const isAlike =
    list.length > 1 && list.every((element) => isDeepStrictEqual(valueAt(element, rest), value));
  return below.flatMap((inner) => [
    ...(isAlike ? [{ $length: list.length, $each: inner }] : []),
    ...(!isByChance && list.length <= longestList && list.every(isPlainMap)
      ? [list.map((_, index) => (index === key ? inner : {}))]
      : []),
    { $some: inner },
  ]);
}

/** The attempt's own id, or what an earlier step was answered. */
function referenceTo(
  value: unknown,
  own: string | undefined,
  view: AttemptView,
  isFlow: boolean,
): string | undefined {
  const uid = valueAt(view.scope, ['trial', 'uid']);
  if (typeof value === 'string' && typeof uid === 'string' && value.includes(uid))
    return value.replaceAll(uid, '${trial.uid}');
  if (isFlow || !(isMadeAnew(value) || (typeof value === 'number' && value > 1))) return undefined;
  for (const [step, { evidence }] of view.steps) {
    if (step === own) return undefined;
    const found = walkPlaces(evidence).find(
      ({ keys, value: said }) =>
        said === value &&
        stepField(String(keys[0]))?.isContent === true &&
        keys.every((key) => typeof key === 'string' && isBareName(key)) &&
        (isMadeAnew(value) || /id$/i.test(String(keys.at(-1)))),
    );
    if (found && !step.startsWith('#')) return `\${${[step, ...found.keys].join('.')}}`;
  }
  return undefined;
}
