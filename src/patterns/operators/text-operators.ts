/** Operators on texts: `$regex` (with `$flags`), `$startsWith`, `$endsWith`. */
import { mismatchAt, type Place } from '../place.ts';
import { printValue } from '../print-value.ts';
import { answerAt, askRegex, askText } from '../withheld.ts';
import type { Inspection, Operator } from './operator.ts';

const regex: Operator = {
  name: '$regex',
  takes: 'a regular expression as a text; $flags beside it may hold i, m, s, u or v',
  companion: '$flags',
  check: checkRegex,
  describe: (operand, _describe, flags) => `a text matching /${String(operand)}/${String(flags ?? '')}`,
  match: (operand, place, matching, flags) => {
    matching.read(place);
    const expected = (): string => regex.describe(operand, matching.describe, flags);
    if (!isText(place)) return [mismatchAt(place, expected())];
    const test = (text: string, source: string): boolean =>
      matching.testRegex(source, String(flags ?? ''), text, place);
    return answerAt(askRegex(place, String(operand), test), place, expected);
  },
};

export const textOperators: readonly Operator[] = [
  regex,
  textOperator('$startsWith', 'a text starting with', 'start', (text, part) => text.startsWith(part)),
  textOperator('$endsWith', 'a text ending with', 'end', (text, part) => text.endsWith(part)),
];

function textOperator(
  name: string,
  words: string,
  side: 'start' | 'end',
  holds: (text: string, part: string) => boolean,
): Operator {
  const describe = (operand: unknown): string => `${words} ${printValue(operand)}`;
  return {
    name,
    takes: 'a text',
    check: (operand, inspection) => {
      if (typeof operand !== 'string') inspection.fault('is not a text');
    },
    describe,
    match: (operand, place, matching) => {
      matching.read(place);
      if (!isText(place)) return [mismatchAt(place, describe(operand))];
      return answerAt(askText(place, String(operand), side, holds), place, () => describe(operand));
    },
  };
}

function isText(place: Place): place is Place & { readonly value: string } {
  return typeof place.value === 'string';
}

function checkRegex(operand: unknown, inspection: Inspection, flags: unknown): void {
  const fault = regexFault(operand, flags ?? '');
  if (fault !== undefined) inspection.fault(fault);
}

function regexFault(source: unknown, flags: unknown): string | undefined {
  if (typeof source !== 'string') return 'is not a text';
  if (typeof flags !== 'string' || !/^[imsuv]*$/.test(flags)) return `has the flags ${printValue(flags)}`;
  try {
    new RegExp(source, flags);
    return undefined;
  } catch (error) {
    return `is not a regular expression (${(error as Error).message})`;
  }
}
