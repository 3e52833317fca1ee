/** Redacts the texts inside of a value, and leaves its keys, numbers and closed words alone. */
import type { Redactor } from './redaction.ts';

/** Words of the vocabulary itself: a secret that happens to be one of them is no secret there. */
const closedWords = new Set([
  'type',
  'kind',
  'rule',
  'end',
  'how',
  'because',
  'code',
  'family',
  'containment',
]);

export function redactValues<T>(value: T, redactor: Redactor): T {
  return walk(value, redactor, '') as T;
}

function walk(value: unknown, redactor: Redactor, key: string): unknown {
  if (typeof value === 'string') return isClosedWord(key, value) ? value : redactor.redact(value);
  if (Array.isArray(value)) return value.map((item) => walk(item, redactor, ''));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, walk(inner, redactor, name)]),
  );
}

/** `because` is a sentence in some events and a word in others; only a word is left alone. */
function isClosedWord(key: string, value: string): boolean {
  return closedWords.has(key) && /^[a-z.-]+$/.test(value);
}
