/** The keys among the texts of a secret: what looks random, its base64 and its digits, and how a place in one is recognised. Pure, in latin1 bytes. */
import { coresOf, digitsOf, type Form, isPlain, joinLabels, separatedBytes } from './secret-forms.ts';
import { isAddress, passwordPlace } from './secret-parts.ts';

export interface NamedForm {
  readonly text: string;
  readonly name: string;
  readonly label: string;
}

export interface Key extends NamedForm {
  /** Blanks for common text. */
  readonly masked: string;
}

/** This many characters, not counting words, are unlikely to be anything else, if this many of them are different. */
export const shortestPiece = 12;
export const fewestSigns = 6;
/** A word that occurs more often in a key does not identify its place. */
const mostPlaces = 2;

/** Those texts of a secret that are one key, and not made of others that are; and their base64, wherever it begins, and digits. */
export function keysOf(name: string, forms: readonly Form[]): readonly Key[] {
  const plain = forms.filter(([text, label]) => isPlain([text, label.replace(line, '')]));
  const keys = plain.filter(
    ([text]) =>
      !/\s/.test(text) &&
      !setting.test(text) &&
      (isAddress(text) || !plain.some(([part]) => part !== text && text.includes(part))) &&
      looksRandom(maskedIn(text)),
  );
  const encoded = keys.filter((form) => isPlain(form) && !isAddress(form[0])).flatMap(encodedKeys);
  return [...keys.map(keyOf), ...encoded].map((key) => ({ ...key, name }));
}

function keyOf([text, label]: Form): Omit<Key, 'name'> {
  return { text, label, masked: maskedIn(text) };
}

/** Also where one of them has another name as a whole, as base64 that needs no padding has. */
function encodedKeys([key, label]: Form): readonly Omit<Key, 'name'>[] {
  const masked = maskedIn(key);
  return [
    ...coresOf(key).map(([text, form]) => keyOf([text, joinLabels(label, form)])),
    ...[...digitsOf(key), ...separatedBytes(key)].map(([text, form]) => ({
      text,
      label: joinLabels(label, form),
      masked: maskedDigits(text, masked),
    })),
  ];
}

function maskedDigits(text: string, masked: string): string {
  let digits = 0;
  return text.replaceAll(/./g, (char) => {
    if (!isLetter(char.charCodeAt(0))) return ' ';
    digits += 1;
    return masked[(digits - 1) >> 1] as string;
  });
}

export const line = /(?:^|\.)line\d+$/;
/** Without what depends on its surroundings, which may be joined to it. */
export const inside = /(?:base64\+\d|hex|hex-upper)$/;
const hex = /(?:^|\.)hex(?:-upper)?$/;
/** Byte by byte. */
const pairs = /(?:^|\.)hex-(?:upper-)?(?:space|colon|dash)$/;
/** Of which the value is a text of its own, where it is a secret. */
const setting = /^[\w.-]+[:=]+[^:=]/;

/** `orders`, `AccountName`, `api03`, `2026`: with the separators before it, that is common text. */
const word =
  /(?:^|[^A-Za-z0-9]+)(?:(?=\w{4})[A-Z]?[a-z]{2,}(?:[A-Z][a-z]{2,})*\d{0,4}|[A-Z]{4,}|\d+)(?![A-Za-z0-9])/g;
/** All of one machine, or of one minute, have most of it in common. */
const uuid = /(?<![0-9a-z])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![0-9a-z])/gi;
const headOfJwt = /(?<![\w-])eyJ[\w-]*\./g;
const headOfPem = /^MII[A-Za-z0-9+/]{0,47}/g;

function maskedIn(text: string): string {
  if (isAddress(text)) {
    const [start, end] = passwordPlace(text) ?? [0, 0];
    return text.slice(start, end).padStart(end).padEnd(text.length);
  }
  const masked = [uuid, headOfJwt, headOfPem, word].reduce(
    (left, known) => left.replaceAll(known, (found) => ' '.repeat(found.length)),
    text,
  );
  return [1, 2].reduce((left, distance) => withoutSequences(left, text, distance), masked);
}

/** `1234`, `AAAA`, `a1b2c3`: as in examples, and in zeros. */
function withoutSequences(masked: string, text: string, distance: number): string {
  const chars = [...masked];
  let begin = 0;
  for (let at = distance; at < text.length; at += 1) {
    const step = text.charCodeAt(at) - text.charCodeAt(at - distance);
    const last = text.charCodeAt(at - 1) - text.charCodeAt(at - 1 - distance);
    if (Math.abs(step) > 1) begin = at - distance + 1;
    else if (step !== last) begin = Math.max(begin, at - distance);
    if (at - begin >= distance + 2) chars.fill(' ', at - distance - 2, at + 1);
  }
  return chars.join('');
}

export function looksRandom(masked: string, least = shortestPiece): boolean {
  const signs = new Set<number>();
  let count = 0;
  for (let at = 0; at < masked.length; at += 1) {
    if (masked.charCodeAt(at) === blank) continue;
    count += 1;
    signs.add(masked.charCodeAt(at));
    if (count >= least && signs.size >= fewestSigns && Math.max(...signs) >= firstLetter) return true;
  }
  return false;
}

export const blank = 32;
const firstLetter = 65;

/** The words of four characters by which a place in the key is known. */
export function telltaleWords({ text, label, masked }: Key): ReadonlyMap<number, readonly number[]> {
  const bytes = Buffer.from(text, 'latin1');
  const isHex = hex.test(label);
  const isSpaced = pairs.test(label);
  const words = new Map<number, number[]>();
  for (let from = 0; from + 4 <= bytes.length; from += 1) {
    // Logs are full of digits, and of two or three words in a row one is enough.
    if (isHex && from % 8 >= 4) continue;
    if (isSpaced && from % 3 > 0) continue;
    const places = words.get(bytes.readInt32LE(from)) ?? [];
    words.set(bytes.readInt32LE(from), places);
    places.push(from);
  }
  for (const [word, places] of words)
    if (places.length > mostPlaces || places.every((from) => masked.slice(from, from + 4).trim() === ''))
      words.delete(word);
  return words;
}

/** Or a digit. */
export function isLetter(code: number): boolean {
  return (code >= 48 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 122);
}
