/** A value of the evidence on one line, written as the patterns are, and no longer than there is room. */
import { isContainer } from '../../kernel/exact-json.ts';
import { fitText, oneLine } from './fit-text.ts';

const deepest = 6;

export function oneLineValue(value: unknown, room: number): string {
  return fitText(oneLine(print(value, room, 0)), room);
}

/** A key as it is written in a pattern. */
export function printKey(key: string): string {
  return /^[$A-Za-z_][\w$-]*$/.test(key) ? key : JSON.stringify(key);
}

export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return isContainer(value) && !Array.isArray(value);
}

/** Prints at least as much as fits; the caller cuts the rest. */
function print(value: unknown, room: number, depth: number): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, room + 1));
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return depth >= deepest ? '[…]' : `[${fill(value, room, (item, left) => print(item, left, depth + 1))}]`;
  }
  if (!isMap(value)) return String(value);
  const keys = Object.keys(value);
  if (keys.length === 0) return '{}';
  if (depth >= deepest) return '{…}';
  const entry = (key: string, left: number): string =>
    `${printKey(key.slice(0, left + 1))}: ${print(value[key], left, depth + 1)}`;
  return `{ ${fill(keys, room, entry)} }`;
}

/** Stops when the room is full, so that a long list costs no more than what is shown of it. */
function fill<T>(parts: readonly T[], room: number, printPart: (part: T, left: number) => string): string {
  let text = '';
  for (const part of parts) {
    if (text.length > room) return text;
    text += (text === '' ? '' : ', ') + printPart(part, room - text.length);
  }
  return text;
}
