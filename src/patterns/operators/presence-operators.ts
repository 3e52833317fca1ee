/** Operators for the presence of a key: `$absent`, `$present`. Null is present. */
import { absentForm, mismatchAt } from '../place.ts';
import type { Operator } from './operator.ts';

export const presenceOperators: readonly Operator[] = [
  presence('$absent', 'nothing here', (value) => value === undefined),
  presence('$present', 'something here', (value) => value !== undefined),
];

function presence(name: string, expected: string, holds: (value: unknown) => boolean): Operator {
  return {
    name,
    takes: 'true',
    check: (operand, inspection) => {
      if (operand !== true)
        inspection.fault('is not true; for the opposite, use the other of $absent and $present');
    },
    describe: () => expected,
    match: (_operand, place, matching) => {
      matching.read(place);
      const open = name === '$absent' ? absentForm(place) : undefined;
      if (holds(place.value) && open === undefined) return [];
      return [{ ...mismatchAt(place, expected), ...(open === undefined ? {} : { open }) }];
    },
  };
}
