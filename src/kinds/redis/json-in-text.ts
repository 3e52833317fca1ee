/** What is stored as a text is mostly JSON: an object or a list is shown as that. Pure. */
import { orElse } from '../../kernel/or-else.ts';
import { parseStrictJson } from '../../kernel/strict-json.ts';

/** A number alone, or a map with a key twice, stays a text. */
export function jsonInText(text: string): unknown {
  return /^\s*[{[]/.test(text) ? orElse(() => parseStrictJson(text), text) : text;
}
