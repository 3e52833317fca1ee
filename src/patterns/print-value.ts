/** A value as a short text for people: bounded in length and depth, safe for cycles and for huge values. */
import { patternLimits } from './pattern-limits.ts';
import { isPlainMap, kindOf, type PlainMap, presentKeys, toPlain } from './plain-value.ts';
import { isBareName } from './value-path.ts';

const deepest = 6;
const ellipsis = '…';

export function printValue(value: unknown, maxChars: number = patternLimits.printedChars): string {
  return clipText(printAtLeast(value, maxChars), maxChars);
}

/** At least as much as fits into the room, for callers that cut by their own measure. */
export function printAtLeast(value: unknown, room: number): string {
  return print(value, room, 0);
}

/** A key as written in a pattern. */
export function printKey(key: string): string {
  return isBareName(key) ? key : JSON.stringify(key);
}

/** The text, or its beginning and an ellipsis. */
export function clipText(text: string, maxChars: number = patternLimits.printedChars): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1).toWellFormed()}${ellipsis}`;
}

function print(value: unknown, room: number, depth: number): string {
  const plain = toPlain(value);
  switch (kindOf(plain)) {
    case 'absent':
      return 'nothing';
    case 'string':
      return JSON.stringify((plain as string).slice(0, room + 1));
    case 'array':
      return printList(plain as readonly unknown[], room, depth);
    case 'object':
      return printMap(plain as PlainMap, room, depth);
    case 'other':
      return `[${typeof plain}]`;
    default:
      return String(plain);
  }
}

function printList(list: readonly unknown[], room: number, depth: number): string {
  if (list.length === 0) return '[]';
  if (depth >= deepest) return `[${ellipsis}]`;
  return `[${fill(list, room, (item, left) => print(item, left, depth + 1))}]`;
}

function printMap(map: PlainMap, room: number, depth: number): string {
  const keys = presentKeys(map);
  if (keys.length === 0) return '{}';
  if (depth >= deepest) return `{${ellipsis}}`;
  const entry = (key: string, left: number): string =>
    `${printKey(key.slice(0, left + 1))}: ${print(shownUnder(key, map[key]), left, depth + 1)}`;
  return `{ ${fill(keys, room, entry)} }`;
}

/** The key of a signature is nobody's business. */
function shownUnder(key: string, value: unknown): unknown {
  return key === '$hmac' && isPlainMap(value) ? { ...value, key: undefined } : value;
}

/** Joins printed parts until the room is full, so that a list of millions costs no more than what is shown. */
function fill<T>(parts: readonly T[], room: number, printPart: (part: T, left: number) => string): string {
  let text = '';
  for (const part of parts) {
    if (text.length > room) return text;
    text += (text === '' ? '' : ', ') + printPart(part, room - text.length);
  }
  return text;
}
