/** JSON from outside that means the same to everybody: a key that is there twice means one thing to this reader, another to that. */
import { isContainer, parseExactJson } from './exact-json.ts';

/** Throws a SyntaxError for what is no JSON, and for a map with a key that is there twice. */
export function parseStrictJson(text: string): unknown {
  const value = parseExactJson(text);
  if (keysWritten(text) !== keysIn(value)) throw new SyntaxError('a map has the same key twice');
  return value;
}

/** Of a text that is JSON. */
function keysWritten(text: string): number {
  let keys = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at)) {
    for (at += 1; text.charAt(at) !== '"'; at += 1) if (text.charAt(at) === '\\') at += 1;
    at += 1;
    while (/\s/.test(text.charAt(at))) at += 1;
    if (text.charAt(at) === ':') keys += 1;
  }
  return keys;
}

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
