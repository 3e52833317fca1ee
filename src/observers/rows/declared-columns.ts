/** What a database declares of the columns of a table: types, NOT NULL, enumerations, lengths, simple CHECKs. Pure. */
import type { DeclaredField, DeclaredFields } from '../../journal/declared-field.ts';
import { defined } from '../../kernel/defined.ts';
import { readConstraint } from './read-constraint.ts';
import type { ColumnShape, TableShape } from './table-catalogue.ts';

export function declaredColumns({ columns, kind }: Pick<TableShape, 'columns' | 'kind'>): DeclaredFields {
  return Object.fromEntries(
    columns.map((column) => [column.name, declaredColumn(column, kind === 'foreign')] as const),
  );
}

/** Constraints of a foreign table are not enforced, and types of SQLite are only wishes where it declares nothing. */
function declaredColumn({ name, type, declares }: ColumnShape, isForeign: boolean): DeclaredField {
  if (!declares) return {};
  const { isAlways, labels, chars, checks } = declares;
  const ofType = defined({ ...typeOf(type), mostChars: chars ?? undefined, values: labels ?? undefined });
  if (isForeign) return ofType;
  const constraints = compared.has(type) ? (checks ?? []).map((check) => readConstraint(check, name)) : [];
  return [...(isAlways ? [{ always: true as const }] : []), ...constraints].reduce(narrower, ofType);
}

/** Both hold: of two bounds the stricter one. */
function narrower(one: DeclaredField, other: DeclaredField): DeclaredField {
  const both = (a: number | undefined, b: number | undefined, pick: (...some: number[]) => number) =>
    a === undefined || b === undefined ? (a ?? b) : pick(a, b);
  const values =
    one.values && other.values ? one.values.filter((value) => other.values?.includes(value)) : undefined;
  return defined({
    ...one,
    ...other,
    values: values ?? one.values ?? other.values,
    least: both(one.least, other.least, Math.max),
    most: both(one.most, other.most, Math.min),
    above: both(one.above, other.above, Math.max),
    below: both(one.below, other.below, Math.min),
    leastChars: both(one.leastChars, other.leastChars, Math.max),
    mostChars: both(one.mostChars, other.mostChars, Math.min),
  });
}

/** Types whose values are shown as a CHECK writes them; a `char(3)` is padded, a text of an extension may ignore case. */
const compared = new Set('int2 int4 int8 numeric float4 float8 text varchar enum'.split(' '));

const integers: Readonly<Record<string, number>> = { int2: 2 ** 15, int4: 2 ** 31 };

function typeOf(type: string): DeclaredField {
  const range = integers[type];
  if (range !== undefined) return { type: 'integer', least: -range, most: range - 1 };
  return types[type] ?? (type.startsWith('_') ? { type: 'array' } : {});
}

const types: Readonly<Record<string, DeclaredField>> = {
  int8: { type: 'integer' },
  numeric: { type: 'number' },
  float4: { type: 'number' },
  float8: { type: 'number' },
  bool: { type: 'boolean' },
  text: { type: 'string' },
  varchar: { type: 'string' },
  bpchar: { type: 'string' },
  enum: { type: 'string' },
  uuid: { type: 'string', form: 'UUID' },
  timestamptz: { type: 'string', form: 'moment' },
  timestamp: { type: 'string', form: 'moment' },
  date: { type: 'string', form: 'day' },
};
