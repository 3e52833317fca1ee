/** Checks that a config is plain data: only what YAML can express. */
import { ExactNumber, isContainer } from '../../kernel/exact-json.ts';
import { Problem } from '../../kernel/problem.ts';
import type { ConfigSource } from './config-source.ts';
import { type DocumentPath, formatPath } from './document-path.ts';

const maxDepth = 60;

interface Walk {
  readonly source: ConfigSource;
  readonly problems: Problem[];
}

export function plainDataProblems(value: unknown, source: ConfigSource): Problem[] {
  const walk: Walk = { source, problems: [] };
  inspect(value, [], [], walk);
  return walk.problems;
}

function inspect(value: unknown, path: DocumentPath, ancestors: readonly object[], walk: Walk): void {
  if (value instanceof ExactNumber) return;
  const oddity = describeOddity(value, ancestors);
  if (oddity !== undefined) {
    walk.problems.push(oddValue(value, path, oddity, walk.source));
    return;
  }
  if (!isContainer(value)) return;
  for (const key of Object.keys(value)) {
    const step = Array.isArray(value) ? Number(key) : key;
    if (key === '__proto__') walk.problems.push(oddKey([...path, key], walk.source));
    else inspect(Reflect.get(value, key), [...path, step], [...ancestors, value], walk);
  }
}

function describeOddity(value: unknown, ancestors: readonly object[]): string | undefined {
  switch (typeof value) {
    case 'function':
      return isClass(value) ? `the class ${value.name}` : 'a function';
    case 'undefined':
      return 'undefined';
    case 'symbol':
      return 'a symbol';
    case 'string':
      return value.includes('\0') ? 'a text with the character NUL, which ends texts in programs' : undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : String(value);
    case 'object':
      return value === null ? undefined : describeOddObject(value, ancestors);
    default:
      return undefined;
  }
}

function describeOddObject(value: object, ancestors: readonly object[]): string | undefined {
  if (ancestors.includes(value)) return 'a value that contains itself';
  if (ancestors.length >= maxDepth) return `a value nested more than ${maxDepth} deep`;
  if (Array.isArray(value))
    return value.length === Object.keys(value).length ? undefined : 'a list with holes';
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return undefined;
  return `an instance of ${(value.constructor as { name?: string } | undefined)?.name ?? 'a class'}`;
}

function isClass(value: object): value is { readonly name: string } & object {
  return /^class\b/.test(Function.prototype.toString.call(value));
}

function oddValue(value: unknown, path: DocumentPath, oddity: string, source: ConfigSource): Problem {
  const isFunction = typeof value === 'function';
  return new Problem({
    code: isFunction ? 'config.function' : 'config.wrong-type',
    where: source.valuePosition(path),
    what: `\`${formatPath(path)}\` is ${oddity}`.replace('`the document`', 'the default export'),
    allowed: 'plain data, as in YAML: maps, lists, texts, numbers, true and false',
    next: nextFor(value, path),
  });
}

function nextFor(value: unknown, path: DocumentPath): string {
  if (typeof value === 'function')
    return path.length === 0 ? 'export the object itself, not a function that makes it' : 'write its result';
  if (typeof value === 'string') return 'write it without `\\0`';
  if (value === undefined) return 'leave the key out, or give it a value';
  if (value instanceof Date) return 'write it as a text';
  if (value instanceof Promise) return 'write `await` before it';
  if (value instanceof Map || value instanceof Set) return 'write an object or a list';
  return 'write plain data here';
}

function oddKey(path: DocumentPath, source: ConfigSource): Problem {
  return new Problem({
    code: 'config.unknown-key',
    where: source.keyPosition(path),
    what: '`__proto__` cannot be a key',
    allowed: 'any other word',
    next: 'rename or remove it',
  });
}
