/** Parses untrusted JSON and rejects duplicate keys, which parsers read in different ways. */
import { isContainer, parseExactJson } from './exact-json.ts';

/** Throws a SyntaxError for invalid JSON, and for a map with a duplicate key. */
export function parseStrictJson(text: string): unknown {
  const value = parseExactJson(text);
  if (hasKeyTwice(text, value)) throw new SyntaxError('a map has the same key twice');
  return value;
}

/** Whether a map in the text has the same key twice, given what was read from it. */
export function hasKeyTwice(text: string, value: unknown): boolean {
  return keysWritten(text) !== keysIn(value);
}

/** Expects valid JSON. */
function keysWritten(text: string): number {
  let keys = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at)) {
    for (at += 1; text.charCodeAt(at) !== quote; at += 1) if (text.charCodeAt(at) === backslash) at += 1;
    at += 1;
    while (text.charCodeAt(at) <= space) at += 1;
    if (text.charCodeAt(at) === colon) keys += 1;
  }
  return keys;
}

const [space, quote, colon, backslash] = [32, 34, 58, 92];

function keysIn(value: unknown): number {
  const left = [value];
  let keys = 0;
  while (left.length > 0) {
    const one = left.pop();
    if (!isContainer(one)) continue;
    const inner: readonly unknown[] = Object.values(one);
    if (!Array.isArray(one)) keys += inner.length;
    for (const each of inner) left.push(each);
  }
  return keys;
}
