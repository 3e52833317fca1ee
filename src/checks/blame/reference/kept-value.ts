/** A value as a digest keeps it: bounded in depth, entries and length; of a long text, its beginning and a hash. */
import { cutMark } from '../../../kernel/cut-mark.ts';
import { isContainer, parseExactJson } from '../../../kernel/exact-json.ts';
import { isNotKept } from '../../../kernel/not-kept.ts';
import { referenceLimits } from './reference-digest.ts';

/** What is too deep or too large becomes a mark; canonicalization is safe after that. */
export function boundedValue(value: unknown): unknown {
  let left: number = referenceLimits.entries;
  const walk = (inner: unknown, depth: number): unknown => {
    if (typeof inner === 'string') return inner.includes(cutMark) ? tooMuch : walkText(inner, depth);
    if (!isContainer(inner)) return inner;
    if (isNotKept(inner)) return tooMuch;
    if (depth > referenceLimits.depth || left <= 0) return tooMuch;
    if (Array.isArray(inner)) {
      left -= inner.length;
      return inner.map((item) => walk(item, depth + 1));
    }
    const entries = Object.entries(inner).filter(([, below]) => below !== undefined);
    left -= entries.length;
    return Object.fromEntries(entries.map(([key, below]) => [key, walk(below, depth + 1)]));
  };
  // A tool returns its result as text, and a model its arguments: the content is compared, not the formatting.
  const walkText = (text: string, depth: number): unknown => {
    if (!/^\s*[[{]/.test(text) || text.length > referenceLimits.parsedChars) return text;
    try {
      return { [asText]: walk(parseExactJson(text), depth + 1) };
    } catch {
      return text;
    }
  };
  return walk(value, 0);
}

/** The key that holds a text that is JSON. */
const asText = 'json';

/** Two of these are not the same: what was not kept may differ. */
export const tooMuch = '‹more than is kept›';

const hashMark = '…#';

export function withShortTexts(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length <= referenceLimits.textChars
      ? value
      : `${value.slice(0, referenceLimits.textChars)}${hashMark}${fingerprint(value)}`;
  if (Array.isArray(value)) return value.map(withShortTexts);
  if (!isContainer(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withShortTexts(inner)]));
}

/** The beginning of a text that was too long, without its hash; undefined for a complete one. */
export function beginningOf(text: string): string | undefined {
  const at = text.lastIndexOf(hashMark);
  return at === referenceLimits.textChars ? text.slice(0, at) : undefined;
}

/** Equal texts have equal hashes; different texts nearly always differ. */
export function fingerprint(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x9e3779b9;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ (code + index), 0x85ebca6b);
  }
  return [low, high].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
