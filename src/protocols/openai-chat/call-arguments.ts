/** From the text of arguments to the object that a tool is called with. */
import { exactJsonOr } from '../../kernel/exact-json.ts';
import { isMap } from '../../kernel/is-map.ts';
import { isTooDeep } from '../json-rpc/json-depth.ts';
import type { JsonObject } from '../turn/turn.ts';

export type ReadArguments =
  | { readonly arguments: JsonObject }
  /** `cut`: the text could still become an object, had it gone on. */
  | { readonly broken: 'cut' | 'several' | 'no-object' | 'too-deep' };

/** No text, blanks and `null` are what models send for a tool without arguments. */
export function readArguments(text: string): ReadArguments {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === 'null') return { arguments: {} };
  const value = exactJsonOr(trimmed, undefined);
  if (value === undefined) return { broken: brokenBy(trimmed) };
  if (!isMap(value)) return { broken: 'no-object' };
  return isTooDeep(value) ? { broken: 'too-deep' } : { arguments: value };
}

function brokenBy(text: string): 'cut' | 'several' | 'no-object' {
  if (!text.startsWith('{')) return 'no-object';
  const end = objectEnd(text);
  if (end === -1) return 'cut';
  return text.slice(end).trimStart().startsWith('{') ? 'several' : 'no-object';
}

/** Behind the bracket that closes the first one; -1 where none does. */
function objectEnd(text: string): number {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === backslash) at += 1;
      else if (code === quote) inString = false;
    } else if (code === quote) inString = true;
    else if (code === opening) depth += 1;
    else if (code === closing) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

const backslash = 0x5c;
const quote = 0x22;
const opening = 0x7b;
const closing = 0x7d;
