/** Copies a value of a flow as plain data, as the journal will hold it, or says why that is not possible. */
import { types } from 'node:util';
import { toPlain } from '../../../patterns/plain-value.ts';
import { extendPath, type PathKey } from '../../../patterns/value-path.ts';
import { flowLimits } from '../flow-limits.ts';

interface Copying {
  /** What is copied, for the error: `the evidence of one-row`. */
  readonly what: string;
  /** In a pattern every part matters, so nothing may be dropped. */
  readonly isPattern: boolean;
  chars: number;
}

/** Undefined inside of a map is left out, as JSON does; dates and bytes become texts. */
export function plainCopy(value: unknown, what: string): unknown {
  return copy(value, '$', 0, { what, isPattern: false, chars: 0 });
}

export function plainPattern(pattern: unknown, what: string): unknown {
  return copy(pattern, '$', 0, { what, isPattern: true, chars: 0 });
}

function copy(value: unknown, path: string, depth: number, copying: Copying): unknown {
  if (depth > flowLimits.valueDepth)
    throw notPlain(copying, path, `more than ${flowLimits.valueDepth} levels, or itself`);
  const plain = toPlain(value);
  // Only of an invalid date.
  if (plain === null && value !== null)
    throw notPlain(copying, path, 'an invalid Date; write null or a text');
  switch (typeof plain) {
    case 'string':
      count(copying, path, plain.length);
      return plain;
    case 'bigint':
      return Number.isSafeInteger(Number(plain)) ? Number(plain) : plain;
    case 'undefined':
      if (copying.isPattern)
        throw notPlain(copying, path, 'undefined; write { $absent: true } for an absent value');
      return undefined;
    case 'number':
      if (!Number.isFinite(plain))
        throw notPlain(copying, path, `${plain}; allowed are finite numbers: write null or a text`);
      count(copying, path, 8);
      return plain;
    case 'function':
    case 'symbol':
      throw notPlain(copying, path, `a ${typeof plain}`);
    case 'object':
      return plain === null ? null : copyObject(plain, path, depth, copying);
    default:
      count(copying, path, 8);
      return plain;
  }
}

function copyObject(value: object, path: string, depth: number, copying: Copying): unknown {
  const inner = (part: unknown, key: PathKey): unknown =>
    copy(part, extendPath(path, key), depth + 1, copying);
  count(copying, path, 2);
  if (Array.isArray(value))
    return Array.from(value, (item, index) => {
      const made = inner(item, index);
      if (made !== undefined) return made;
      throw notPlain(copying, extendPath(path, index), 'undefined; write null, or leave it out of the list');
    });
  const type = unsupportedType(value, copying.isPattern);
  if (type !== undefined) throw notPlain(copying, path, type);
  if (types.isNativeError(value)) return { name: value.name, message: value.message };
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return copy(value.toJSON(), path, depth + 1, copying);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) => {
      count(copying, path, key.length);
      const made = inner(part, key);
      return made === undefined ? [] : [[key, made] as const];
    }),
  );
}

/** Objects whose content JSON would drop silently. */
function unsupportedType(value: object, isPattern: boolean): string | undefined {
  if ('then' in value && typeof value.then === 'function') return 'a promise; write `await` before it';
  if (value instanceof RegExp) return 'a RegExp; write { $regex: "…" }';
  if (value instanceof Map || value instanceof Set || value instanceof WeakMap || value instanceof WeakSet)
    return `a ${value.constructor.name}; write an object or a list`;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isMap = prototype === null || Object.getPrototypeOf(prototype) === null;
  if (isMap) return undefined;
  const name = `a ${value.constructor.name}`;
  if (isPattern) return name;
  const saysItself = types.isNativeError(value) || 'toJSON' in value;
  const holdsNothing = Symbol.iterator in value || Object.keys(value).length === 0;
  return holdsNothing && !saysItself ? `${name}; write an object or a list` : undefined;
}

function count(copying: Copying, path: string, chars: number): void {
  copying.chars += chars;
  if (copying.chars > flowLimits.valueChars)
    throw notPlain(copying, path, `more than ${flowLimits.valueChars} characters as a whole`);
}

function notPlain({ what }: Copying, path: string, type: string): TypeError {
  const where = path === '$' ? '' : ` at ${path}`;
  return new TypeError(`${what} must be plain data, and${where} it is ${type}`);
}
