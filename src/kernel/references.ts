/** Parses the `${…}` references in a text; used both when a config is checked and when a program starts. */
import { isContainer } from './exact-json.ts';

export interface TextPart {
  readonly text: string;
}

export interface ReferencePart {
  /** The text between the braces, without a default. */
  readonly reference: string;
  /** The reference split at its dots: `db.url` is `['db', 'url']`. */
  readonly path: readonly string[];
  /** `${env.NAME:-default}`: what to use when the variable is unset or empty. */
  readonly fallback?: string;
  /** The offset of the whole `${…}` in the text. */
  readonly offset: number;
  readonly length: number;
  /** Why this is not a valid reference, such as an unclosed brace. */
  readonly fault?: string;
}

export type Part = TextPart | ReferencePart;

/** `$${` is an escaped `${`; a `$` before anything else is literal. */
export function parseReferences(text: string): Part[] {
  const parts: Part[] = [];
  let plain = '';
  let offset = 0;
  while (offset < text.length) {
    if (text.startsWith('$${', offset)) {
      plain += '${';
      offset += 3;
    } else if (text.startsWith('${', offset)) {
      if (plain !== '') parts.push({ text: plain });
      plain = '';
      const part = parseReference(text, offset);
      parts.push(part);
      offset += part.length;
    } else {
      plain += text[offset];
      offset += 1;
    }
  }
  if (plain !== '') parts.push({ text: plain });
  return parts;
}

export function isReference(part: Part): part is ReferencePart {
  return 'reference' in part;
}

/** The first name of a reference. */
export function headOf(reference: string): string {
  return reference.split('.', 1)[0] as string;
}

/** The value of `${env.NAME}` on this machine; an empty variable counts as unset only where there is a default. */
export function hostVariable(
  reference: ReferencePart,
  hostEnv: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const name = reference.path[1] ?? '';
  const value = Object.hasOwn(hostEnv, name) ? hostEnv[name] : undefined;
  return reference.fallback === undefined ? value : value || reference.fallback;
}

/** Escapes a text so that nothing in it is a reference. */
export function escapeReferences(text: string): string {
  return text.replaceAll('${', () => '$${');
}

/** Maps every string in a value, with the keys that lead to it; returns the same object when nothing changes. */
export function mapTexts(
  value: unknown,
  change: (text: string, keys: readonly string[]) => unknown,
  keys: readonly string[] = [],
): unknown {
  if (typeof value === 'string') return change(value, keys);
  if (!isContainer(value)) return value;
  let isChanged = false;
  const changed = (inner: unknown, key: string | number): unknown => {
    const now = mapTexts(inner, change, [...keys, String(key)]);
    isChanged ||= now !== inner;
    return now;
  };
  const copy = Array.isArray(value)
    ? value.map(changed)
    : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, changed(inner, key)]));
  return isChanged ? copy : value;
}

/**
 * Fills in a text of which some references get their value only later. Those stay as written; the rest of the result is
 * escaped, so that nothing in it is taken for one of them. `before` is what comes before the reference.
 */
export function fillEarly(
  text: string,
  isLate: (head: string) => boolean,
  fill: (written: string, before: string) => unknown,
): unknown {
  if (!text.includes('${')) return text;
  const values: unknown[] = [];
  for (const part of parseReferences(text)) {
    if (!isReference(part)) values.push(escapeReferences(part.text));
    else {
      const written = text.slice(part.offset, part.offset + part.length);
      const isKept = isLate(part.path[0] ?? '');
      values.push(isKept ? written : mapTexts(fill(written, joined(values)), escapeReferences));
    }
  }
  return values.length === 1 ? values[0] : joined(values);
}

function joined(values: readonly unknown[]): string {
  return values.map(asText).join('');
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** A name, or an edge: `gateway->provider`. */
const firstStep = /^(?:[\w-]+(?: *-> *[\w-]+)?|\*)$/;
const laterStep = /^(?:[\w-]+|\*)$/;

function parseReference(text: string, offset: number): ReferencePart {
  const end = text.indexOf('}', offset);
  if (end < 0) {
    const rest = (text.slice(offset).split('\n')[0] as string).slice(2);
    return { reference: rest, path: [], offset, length: rest.length + 2, fault: 'the brace is never closed' };
  }
  const inside = text.slice(offset + 2, end);
  const length = end + 1 - offset;
  const [, reference = inside, fallback] = /^(env\.[A-Za-z_][A-Za-z0-9_]*):-(.*)$/s.exec(inside) ?? [];
  const path = reference.split('.');
  const isWellFormed = path.every((step, at) => (at === 0 ? firstStep : laterStep).test(step));
  return {
    reference,
    path,
    offset,
    length,
    ...(fallback === undefined ? {} : { fallback }),
    ...(isWellFormed
      ? {}
      : { fault: inside === '' ? 'it is empty' : 'a reference is made of names and dots' }),
  };
}
