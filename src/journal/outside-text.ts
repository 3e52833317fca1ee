/** Text from outside that looks like a token: a second colon marks that it is not one, until it is restored. Pure. */
import { isContainer } from '../kernel/exact-json.ts';

const opening = '‹secret:';
const openingBytes = Buffer.from(opening).toString('latin1');

/** A value from outside, in which no text can pass for a token. Once for each value, before it is redacted. */
export function fromOutside<T>(value: T): T {
  return speaksOfTokens(value) ? (marked(value) as T) : value;
}

/** The same for bytes, given and returned as a latin1 text. */
export function bytesFromOutside(bytes: string): string {
  return bytes.replaceAll(openingBytes, `${openingBytes}:`);
}

/** As it was sent. */
export function asSent(text: string): string {
  return text.replaceAll(`${opening}:`, opening);
}

export function bytesAsSent(bytes: string): string {
  return bytes.replaceAll(`${openingBytes}:`, openingBytes);
}

function speaksOfTokens(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(opening);
  if (Array.isArray(value)) return value.some(speaksOfTokens);
  if (!isContainer(value)) return false;
  for (const key in value)
    if (key.includes(opening) || speaksOfTokens(value[key as keyof typeof value])) return true;
  return false;
}

function marked(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(opening, `${opening}:`);
  if (Array.isArray(value)) return value.map(marked);
  if (!isContainer(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.replaceAll(opening, `${opening}:`), marked(inner)]),
  );
}
