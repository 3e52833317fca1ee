/** Operators on texts: `$regex` (with `$flags`), `$startsWith`, `$endsWith`. */
import { isContainer } from '../../kernel/exact-json.ts';
import type { Mismatch } from '../match-result.ts';
import { doubtByPercent } from '../percent-encoded.ts';
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
    const test = (text: string, source: string): boolean =>
      matching.testRegex(source, String(flags ?? ''), text, place);
    if (!isText(place)) return [notAText(place, expected(), (text) => test(text, String(operand)))];
    return answerAt(askRegex(place, String(operand), String(flags ?? ''), test), place, expected).map(
      (mismatch) => ({
        ...doubtByPercent(place, (text) => test(text, String(operand))),
        ...mismatch,
      }),
    );
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
      if (!isText(place)) return [notAText(place, describe(operand), (text) => holds(text, String(operand)))];
      return answerAt(askText(place, String(operand), side, holds), place, () => describe(operand)).map(
        (mismatch) => ({
          ...doubtByPercent(place, (text) => holds(text, String(operand))),
          ...mismatch,
        }),
      );
    },
  };
}

/** A denial would hold although what it denies is there, in a part of the value. */
function notAText(place: Place, expected: string, holds: (text: string) => boolean): Mismatch {
  const mismatch = mismatchAt(place, expected);
  if (place.value === undefined || !textsIn(place.value).some(holds)) return mismatch;
  const doubt = `${place.path} is not a text, but a part of it may be what is meant; name that part, or use $some`;
  return { ...mismatch, doubt, isSlight: true };
}

const mostTexts = 10_000;

/** The value as JSON, and each text, number and key in it. */
function textsIn(value: unknown): readonly string[] {
  const texts: string[] = [];
  const visit = (inner: unknown): void => {
    if (texts.length >= mostTexts || inner === null || inner === undefined) return;
    if (!isContainer(inner)) texts.push(String(inner));
    else
      for (const [key, below] of Object.entries(inner)) {
        if (!Array.isArray(inner)) texts.push(key);
        visit(below);
      }
  };
  visit(value);
  return isContainer(value) ? [...texts, JSON.stringify(value) ?? ''] : texts;
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
