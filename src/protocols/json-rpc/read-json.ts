/** Reads a text as JSON; what is not JSON, or is nested too deep for later consumers, is reported and not thrown. */
import { parseExactJson } from '../../kernel/exact-json.ts';
import { parseStrictJson } from '../../kernel/strict-json.ts';
import { isTooDeep, mostJsonLevels } from './json-depth.ts';

export type JsonRead = { readonly json: unknown } | { readonly fault: string };

/** For evidence: a key that is there twice means one thing to this reader, another to that. */
export function readJson(text: string): JsonRead {
  return read(text, parseStrictJson);
}

/** To distinguish messages: the last of two values counts, as for most readers. Undefined for what is not JSON. */
export function looseJson(text: string): unknown {
  const found = canBeJson.test(text) ? read(text, parseExactJson) : {};
  return 'json' in found ? found.json : undefined;
}

const canBeJson = /^\s*[[{"\-\dtfn]/;

function read(text: string, parse: (text: string) => unknown): JsonRead {
  try {
    const json = parse(text);
    // Each level takes two characters at least, so a short text need not be walked through.
    const isDeep = text.length > 2 * mostJsonLevels && isTooDeep(json);
    return isDeep ? { fault: `it has more than ${mostJsonLevels} levels` } : { json };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}
