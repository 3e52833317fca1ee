/** How SQLite compares a value with a column: as its declared type makes it, so that `7` and `'7'` are equal in both. */
import { uuidDigits } from '../../../patterns/alike.ts';
import { isMoment, toOrdered } from '../../../patterns/ordered-value.ts';
import { quoteName } from '../../../resources/postgres/sql-names.ts';
import type { Dialect } from '../database/database.ts';
import type { Scalar } from '../database/where-literals.ts';

export const sqliteDialect: Dialect = {
  // Of the others, the pattern compares what is shown.
  wayFor: async ({ column: { type } }) =>
    type === 'bytea' || type === 'json' ? undefined : (a, b) => `${a} = ${b}`,
  parameter: (number) => `?${number}`,
  others: ({ name }, value) => {
    const column = quoteName(name);
    // Whatever the type, a row may have bytes, which are shown in another way.
    return [
      `typeof(${column}) = 'blob'`,
      ...(typeof value === 'string' ? otherTexts(column, value) : []),
    ].join(' OR ');
  },
};

function otherTexts(column: string, value: string): readonly string[] {
  const digits = uuidDigits(value);
  if (digits !== undefined)
    return [
      `replace(replace(replace(lower(${column}), '-', ''), '{', ''), '}', '') = '${digits.toLowerCase()}'`,
    ];
  const ordered = toOrdered(value);
  return (ordered && isMoment(ordered)) || value.endsWith('Infinity') ? ['TRUE'] : [];
}

/** A value as a parameter of its own type. */
export function bound(value: Scalar): string | number | bigint {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const isWhole = typeof value === 'bigint' || Number.isInteger(value);
  const whole = isWhole ? BigInt(value as number | bigint) : undefined;
  return whole !== undefined && BigInt.asIntN(64, whole) === whole ? whole : Number(value);
}
