/** Operators for exact data, in which a `$` key has no meaning: `$eq`, `$ne`. */
import { printValue } from '../print-value.ts';
import { denied } from './logic-operators.ts';
import type { Inspection, Operator } from './operator.ts';

const takes = 'any value: maps must have exactly these keys, lists exactly these elements';

const equals: Operator = {
  name: '$eq',
  takes,
  check: checkLiteral,
  describe: (operand) => `exactly ${printValue(operand)}`,
  match: (operand, place, matching) => matching.equal(operand, place),
};

const differs: Operator = {
  name: '$ne',
  takes,
  check: checkLiteral,
  describe: (operand) => `anything but ${printValue(operand)}`,
  match: (operand, place, matching) =>
    denied(matching.equal(operand, place), place, differs.describe(operand, matching.describe)),
};

export const equalityOperators: readonly Operator[] = [equals, differs];

function checkLiteral(operand: unknown, inspection: Inspection): void {
  if (operand === undefined)
    inspection.fault('has no value; use $absent or $present to ask whether a key exists');
  else inspection.literal(operand);
}
