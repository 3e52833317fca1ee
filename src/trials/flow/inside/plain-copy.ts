/** Makes plain data of what a flow hands over, as the journal will hold it, or says why it is none. */
import { types } from 'node:util';
import { toPlain } from '../../../patterns/plain-value.ts';
import { extendPath, type PathKey } from '../../../patterns/value-path.ts';
import { flowLimits } from '../flow-limits.ts';

interface Copying {
  /** What is copied, for the error: `the evidence of one-row`. */
  readonly what: string;
  /** A pattern asks for what stands in it, so that nothing of it may be lost. */
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
  switch (typeof plain) {
    case 'string':
      count(copying, path, plain.length);
      return plain;
    case 'bigint':
      return Number.isSafeInteger(Number(plain)) ? Number(plain) : plain;
    case 'undefined':
      if (copying.isPattern) throw notPlain(copying, path, 'undefined; { $absent: true } asks for nothing');
      return undefined;
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
  if (Array.isArray(value)) return Array.from(value, (item, index) => inner(item, index) ?? null);
  const stranger = strangerName(value, copying.isPattern);
  if (stranger !== undefined) throw notPlain(copying, path, stranger);
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

/** Objects whose content JSON would lose without a word. */
function strangerName(value: object, isPattern: boolean): string | undefined {
  if ('then' in value && typeof value.then === 'function')
    return 'something that is still to come; write `await` before it';
  if (value instanceof RegExp) return 'a RegExp; write { $regex: "…" }';
  if (value instanceof Map || value instanceof Set || value instanceof WeakMap || value instanceof WeakSet)
    return `a ${value.constructor.name}; write an object or a list`;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isMap = prototype === null || Object.getPrototypeOf(prototype) === null;
  return isMap || !isPattern ? undefined : `a ${value.constructor.name}`;
}

function count(copying: Copying, path: string, chars: number): void {
  copying.chars += chars;
  if (copying.chars > flowLimits.valueChars)
    throw notPlain(copying, path, `more than ${flowLimits.valueChars} characters as a whole`);
}

function notPlain({ what }: Copying, path: string, stranger: string): TypeError {
  const where = path === '$' ? '' : ` at ${path}`;
  return new TypeError(`${what} must be plain data, and${where} it is ${stranger}`);
}
