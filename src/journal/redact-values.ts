/** Redacts the texts inside of a value, and leaves its keys, numbers and closed words alone. */
import { isContainer } from '../kernel/exact-json.ts';
import type { Redactor } from './redaction.ts';

/**
 * Words of the vocabulary itself: a secret that happens to be one of them is no secret there. They stand on an event and on a
 * problem; inside of a body that was sent, the same key may hold a secret.
 */
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
  if (redactor.longestBytes === 0) return value;
  return (isEvent(value) ? spareWords(value, redactor) : walk(value, redactor)) as T;
}

function walk(value: unknown, redactor: Redactor): unknown {
  if (typeof value === 'string') return redactor.redact(value);
  if (Array.isArray(value)) return value.map((item) => walk(item, redactor));
  if (!isContainer(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, walk(inner, redactor)]));
}

function isEvent(value: unknown): value is object {
  return isContainer(value) && 'type' in value && typeof value.type === 'string';
}

/** An event, or a problem of one. */
function spareWords(part: object, redactor: Redactor): unknown {
  const entries = Object.entries(part).map(([name, inner]) => {
    if (isClosedWord(name, inner)) return [name, inner];
    if (name === 'problem' && isObject(inner)) return [name, spareWords(inner, redactor)];
    if (name === 'problems' && Array.isArray(inner))
      return [name, inner.map((one) => (isObject(one) ? spareWords(one, redactor) : walk(one, redactor)))];
    return [name, walk(inner, redactor)];
  });
  return Object.fromEntries(entries);
}

function isObject(value: unknown): value is object {
  return isContainer(value) && !Array.isArray(value);
}

/** `because` is a sentence in some events and a word in others; only a word is left alone. */
function isClosedWord(key: string, value: unknown): boolean {
  return closedWords.has(key) && typeof value === 'string' && /^[a-z.-]+$/.test(value);
}
