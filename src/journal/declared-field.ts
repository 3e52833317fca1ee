/** What the source of an observation declares of a field, as a database does of a column. */
import { type AnyNumber, compareNumbers, isAnyNumber, isWholeNumber } from '../kernel/exact-json.ts';

export interface DeclaredField {
  /** Of its values; absent where they may have any type. */
  readonly type?: 'integer' | 'number' | 'string' | 'boolean' | 'array';
  /** It is never null. */
  readonly always?: true;
  /** It has no other values than these. */
  readonly values?: readonly (string | number)[];
  readonly least?: number;
  readonly most?: number;
  /** All of its values are greater, or less, than these. */
  readonly above?: number;
  readonly below?: number;
  readonly leastChars?: number;
  readonly mostChars?: number;
  readonly form?: DeclaredForm;
}

export type DeclaredForm = keyof typeof forms;

export type DeclaredFields = Readonly<Record<string, DeclaredField>>;

/** How we show values of such a type, and examples of them. */
const forms = {
  UUID: {
    expression: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/,
    examples: ['00000000-0000-4000-8000-000000000001', 'ffffffff-ffff-4fff-bfff-ffffffffffff'],
  },
  /** Of a day and a time. */
  moment: {
    expression: /^(?:-?infinity|\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z?(?: BC)?)$/,
    examples: ['1970-01-01T00:00:00.000Z', '2099-12-31T23:59:59.000Z'],
  },
  day: {
    expression: /^(?:-?infinity|\d{4,}-\d\d-\d\d(?: BC)?)$/,
    examples: ['1970-01-01', '2099-12-31'],
  },
} as const;

/** False for what the source refuses; undefined stands for a field that is not there. */
export function couldShow(field: DeclaredField, value: unknown): boolean {
  if (value === undefined) return false;
  if (value === null) return field.always !== true;
  if (!hasType(field.type, value)) return false;
  if (field.values && !field.values.some((one) => one === value)) return false;
  if (isAnyNumber(value)) return isWithin(field, value);
  if (typeof value !== 'string') return true;
  const { length } = [...value];
  return (
    length >= (field.leastChars ?? 0) &&
    length <= (field.mostChars ?? length) &&
    (field.form === undefined || forms[field.form].expression.test(value))
  );
}

/** Values that it could have, where few of those that are usual fit. */
export function examplesOf({ values, form }: DeclaredField): readonly (string | number)[] {
  return values ?? (form === undefined ? [] : forms[form].examples);
}

/** In words: `never null, an integer, at least 0`. */
export function inWords(field: DeclaredField): string {
  const { type, always, values, least, most, above, below, leastChars, mostChars, form } = field;
  const bounds = [
    least === undefined || ofType.has(least) ? '' : `at least ${least}`,
    above === undefined ? '' : `greater than ${above}`,
    most === undefined || ofType.has(most) ? '' : `at most ${most}`,
    below === undefined ? '' : `less than ${below}`,
  ];
  const what = values
    ? [`one of exactly these values: ${values.slice(0, mostShown).join(', ')}`]
    : [
        form ? `a ${form}` : type ? nouns[type] : '',
        ...bounds,
        leastChars === undefined ? '' : `of at least ${leastChars} characters`,
        mostChars === undefined ? '' : `of at most ${mostChars} characters`,
      ];
  return [always ? 'never null' : '', ...what].filter((part) => part !== '').join(', ');
}

const mostShown = 8;
/** Bounds that every column of such a type has. */
const ofType = new Set([-(2 ** 15), 2 ** 15 - 1, -(2 ** 31), 2 ** 31 - 1]);

const nouns = {
  integer: 'an integer',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
} as const;

function hasType(type: DeclaredField['type'], value: unknown): boolean {
  switch (type) {
    case undefined:
      return true;
    case 'integer':
      return isAnyNumber(value) && isWholeNumber(value);
    case 'number':
      // PostgreSQL prints what is no number, such as NaN, as a text.
      return isAnyNumber(value) || value === 'NaN' || /^-?Infinity$/.test(String(value));
    case 'array':
      return Array.isArray(value);
    default:
      return typeof value === type;
  }
}

function isWithin({ least, most, above, below }: DeclaredField, value: AnyNumber): boolean {
  const isOver = (bound: number | undefined, from: number): boolean =>
    bound === undefined || compareNumbers(value, bound) >= from;
  const isUnder = (bound: number | undefined, from: number): boolean =>
    bound === undefined || compareNumbers(bound, value) >= from;
  return isOver(least, 0) && isOver(above, 1) && isUnder(most, 0) && isUnder(below, 1);
}
