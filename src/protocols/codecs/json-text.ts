/** JSON in a frame: what is not JSON, or nested too deep for later consumers, is refused. */
import { cutText } from '../../kernel/cut-text.ts';
import { parseStrictJson } from '../../kernel/strict-json.ts';
import { BrokenRule } from './codec.ts';
import { codecLimits } from './codec-limits.ts';
import { decodeUtf8, encodeUtf8 } from './utf8-text.ts';

export function encodeJson(message: unknown): Uint8Array {
  let text: string | undefined;
  try {
    text = JSON.stringify(message);
  } catch (error) {
    throw new BrokenRule('not-encodable', (error as Error).message);
  }
  if (text === undefined)
    throw new BrokenRule('not-encodable', `${typeof message} cannot be written as JSON`);
  return encodeUtf8(text);
}

export function decodeJson(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  refuseDepth(text);
  try {
    return parseStrictJson(text);
  } catch (error) {
    const shown = JSON.stringify(cutText(text, codecLimits.shownChars));
    throw new BrokenRule('not-json', `${(error as Error).message}: ${shown}`);
  }
}

/** Looks at brackets outside strings only, so that it never disagrees with the parser about legal JSON. */
function refuseDepth(text: string): void {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (inString && letter === '\\') at += 1;
    else if (letter === '"') inString = !inString;
    else if (inString) continue;
    else if (letter === '[' || letter === '{') depth += 1;
    else if (letter === ']' || letter === '}') depth -= 1;
    if (depth > codecLimits.depth) throw new BrokenRule('too-deep', `more than ${codecLimits.depth} levels`);
  }
}
