/** Whether a value fits a JSON Schema: the keywords that tools use, by hand. What is not known is not judged. */
import { isDeepStrictEqual } from 'node:util';
import { cutText } from '../../kernel/cut-text.ts';
import { isAnyNumber } from '../../kernel/exact-json.ts';
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { percentDecoded } from '../../kernel/percent-decoded.ts';

export interface SchemaViolation {
  /** Where in the value: `$.items[0].name`. */
  readonly path: string;
  readonly keyword: string;
  /** One sentence. */
  readonly what: string;
}

const mostLevels = 64;
/** Schemas that branch and refer to themselves would recurse forever. */
const mostSteps = 20_000;

interface Judging {
  readonly root: unknown;
  readonly isOpen: (value: unknown) => boolean;
  steps: number;
}

/** Where in the value. */
interface Place {
  readonly judging: Judging;
  readonly path: string;
  readonly level: number;
}

type Judged = SchemaViolation | undefined;

/** The first violation. Undefined also where the schema is too deep or too wide to be followed to its end. What is open fits anything. */
export function judgeAgainstSchema(
  schema: unknown,
  value: unknown,
  isOpen: Judging['isOpen'] = () => false,
): Judged {
  const judging: Judging = { root: schema, isOpen, steps: 0 };
  const found = judge(schema, value, { judging, path: '$', level: 0 });
  return judging.steps > mostSteps ? undefined : found;
}

function judge(schema: unknown, value: unknown, place: Place): Judged {
  const { judging, path, level } = place;
  judging.steps += 1;
  if (level > mostLevels || judging.steps > mostSteps) return undefined;
  if (schema === false) return { path, keyword: 'false', what: `nothing is allowed at ${path}` };
  if (!isMap(schema) || judging.isOpen(value)) return undefined;
  if (typeof schema.$ref === 'string') return judge(resolve(judging.root, schema.$ref), value, inside(place));
  if (value === null && schema.nullable === true) return undefined;
  return (
    judgeValue(schema, value, path) ??
    judgeBranches(schema, value, inside(place)) ??
    (Array.isArray(value) ? judgeList(schema, value, place) : undefined) ??
    (isMap(value) ? judgeMap(schema, value, place) : undefined)
  );
}

function inside({ judging, path, level }: Place, step = ''): Place {
  return { judging, path: `${path}${step}`, level: level + 1 };
}

/** Local pointers alone: nothing is ever fetched, and what leads nowhere allows everything. */
function resolve(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined;
  let found: unknown = root;
  for (const step of reference.slice(1).split('/').slice(1)) {
    const key = percentDecoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as JsonMap)[key];
  }
  return found;
}

function judgeValue(schema: JsonMap, value: unknown, path: string): Judged {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  const known = types.filter((type) => typeof type === 'string' && Object.hasOwn(typeTests, type));
  const differs = (keyword: string, is: string, expected: string): SchemaViolation => ({
    path,
    keyword,
    what: `${path} is ${is}, expected ${expected}`,
  });
  if (known.length === types.length && !known.some((type) => typeTests[type as string]?.(value)))
    return differs('type', described(value), types.join(' or '));
  if (Array.isArray(schema.enum) && !schema.enum.some((one) => isDeepStrictEqual(one, value)))
    return differs('enum', shown(value), `one of ${shown(schema.enum)}`);
  if (Object.hasOwn(schema, 'const') && !isDeepStrictEqual(schema.const, value))
    return differs('const', shown(value), shown(schema.const));
  return judgeBounds(schema, value, path);
}

const typeTests: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isMap,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: isAnyNumber,
  integer: (value) => typeof value === 'bigint' || Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
};

const bounds: readonly (readonly [
  keyword: string,
  of: (value: unknown) => number | undefined,
  fits: (n: number, bound: number) => boolean,
])[] = [
  ['minimum', numberOf, (n, bound) => n >= bound],
  ['maximum', numberOf, (n, bound) => n <= bound],
  ['exclusiveMinimum', numberOf, (n, bound) => n > bound],
  ['exclusiveMaximum', numberOf, (n, bound) => n < bound],
  ['minLength', charactersOf, (n, bound) => n >= bound],
  ['maxLength', charactersOf, (n, bound) => n <= bound],
  ['minItems', itemsOf, (n, bound) => n >= bound],
  ['maxItems', itemsOf, (n, bound) => n <= bound],
  ['minProperties', keysOf, (n, bound) => n >= bound],
  ['maxProperties', keysOf, (n, bound) => n <= bound],
];

function judgeBounds(schema: JsonMap, value: unknown, path: string): Judged {
  for (const [keyword, of, fits] of bounds) {
    const bound = schema[keyword];
    const size = typeof bound === 'number' ? of(value) : undefined;
    if (typeof bound !== 'number' || size === undefined || fits(size, bound)) continue;
    return { path, keyword, what: `${path} breaks \`${keyword}: ${bound}\` with ${size}` };
  }
  return undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function charactersOf(value: unknown): number | undefined {
  return typeof value === 'string' ? [...value].length : undefined;
}

function itemsOf(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

function keysOf(value: unknown): number | undefined {
  return isMap(value) ? Object.keys(value).length : undefined;
}

/** That several branches of `oneOf` fit proves nothing, as long as not every keyword is judged. */
function judgeBranches(schema: JsonMap, value: unknown, place: Place): Judged {
  const { path } = place;
  for (const branch of Array.isArray(schema.allOf) ? schema.allOf : []) {
    const found = judge(branch, value, place);
    if (found !== undefined) return found;
  }
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const branches = schema[keyword];
    if (!Array.isArray(branches) || branches.length === 0) continue;
    const reasons = branches.map((branch) => judge(branch, value, place));
    const [first] = reasons;
    if (first === undefined || reasons.includes(undefined)) continue;
    return { path, keyword, what: `${path} fits no branch of \`${keyword}\`: ${first.what}` };
  }
  return undefined;
}

function judgeList(schema: JsonMap, value: readonly unknown[], place: Place): Judged {
  const { prefixItems, items } = schema;
  const ahead = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
  const rest = Array.isArray(items) ? schema.additionalItems : items;
  for (const [index, item] of value.entries()) {
    const found = judge(index < ahead.length ? ahead[index] : rest, item, inside(place, `[${index}]`));
    if (found !== undefined) return found;
  }
  return undefined;
}

function judgeMap(schema: JsonMap, value: JsonMap, place: Place): Judged {
  const { path } = place;
  const properties = isMap(schema.properties) ? schema.properties : {};
  for (const key of Array.isArray(schema.required) ? schema.required : []) {
    if (typeof key !== 'string' || Object.hasOwn(value, key)) continue;
    return { path, keyword: 'required', what: `${path} has no ${JSON.stringify(key)}` };
  }
  for (const [key, inner] of Object.entries(value)) {
    const isKnown = Object.hasOwn(properties, key);
    if (!isKnown && schema.patternProperties !== undefined) continue;
    const expected = isKnown ? properties[key] : schema.additionalProperties;
    const found = judge(expected, inner, inside(place, `.${key}`));
    if (found === undefined) continue;
    if (isKnown || schema.additionalProperties !== false) return found;
    const what = `${path} has ${JSON.stringify(key)}, which is not allowed`;
    return { path, keyword: 'additionalProperties', what };
  }
  return undefined;
}

/** A value in a sentence, by its kind alone. */
export function described(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `of the type ${typeof value}`;
}

const shownChars = 120;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return cutText(text, shownChars);
}
