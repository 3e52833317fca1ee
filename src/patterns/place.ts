/** A place in the observed value: its value, and the path that leads to it. */
import { cutMark } from '../kernel/cut-mark.ts';
import { parseExactJson } from '../kernel/exact-json.ts';
import { whyNotKept } from '../kernel/not-kept.ts';
import { foreignMark } from '../kernel/utf8-text.ts';
import type { Mismatch } from './match-result.ts';
import { isPlainMap, type PlainMap, presentKeys, toPlain } from './plain-value.ts';
import { clipText, printValue } from './print-value.ts';
import { extendPath, type PathKey } from './value-path.ts';

export interface Place {
  /** Passed through `toPlain`; undefined if nothing is there. */
  readonly value: unknown;
  readonly path: string;
  /** The map that was searched for this key, to list its keys when the key is absent. */
  readonly parent?: unknown;
  /** The first empty place on the way down. */
  readonly missing?: Place;
}

export function rootPlace(value: unknown): Place {
  return { value: toPlain(value), path: '$' };
}

/** One step down; a missing key gives an empty place. Inherited properties do not count. */
export function childPlace(place: Place, key: PathKey): Place {
  const { value: parent, path } = place;
  if (parent === undefined)
    return { value: undefined, path: extendPath(path, key), missing: place.missing ?? place };
  if (Array.isArray(parent)) {
    const index = typeof key === 'string' && /^\d+$/.test(key) ? Number(key) : key;
    const value = typeof index === 'number' ? toPlain(parent[index]) : undefined;
    return { value, path: extendPath(path, index) };
  }
  const kept = keptKey(place, key);
  const value = isPlainMap(parent) && Object.hasOwn(parent, kept) ? toPlain(parent[kept]) : undefined;
  return { value, path: extendPath(path, kept), parent };
}

/** Headers of a step's answer, of one of a burst, or of a call; elsewhere a map of this name is ordinary data. */
const httpHeaders = /^\$(?:\.answers\[\d+\]|(?:\[\d+\])?\.(?:request|response))?\.(?:headers|trailers)$/;

/** Header names are case-insensitive; they are kept in lower case, and cookies of answers as a list. */
export function keptKey({ value: headers, path }: Place, key: PathKey): PathKey {
  if (!isPlainMap(headers) || Object.hasOwn(headers, key) || !httpHeaders.test(path)) return key;
  const lower = String(key).toLowerCase();
  if (lower === 'setcookie') return 'set-cookie';
  return lower === 'set-cookie' && Object.hasOwn(headers, 'setCookie') ? 'setCookie' : lower;
}

/** The elements of a list as places; undefined if the place holds no list. */
export function elementPlaces(place: Place): readonly Place[] | undefined {
  if (!Array.isArray(place.value)) return undefined;
  return Array.from(place.value, (_, index) => childPlace(place, index));
}

export function mismatchAt(place: Place, expected: string, observed: string = printPlace(place)): Mismatch {
  const doubt = unreadAt(place);
  return {
    path: place.path,
    expected: clipText(expected),
    observed: clipText(observed),
    ...(doubt === undefined ? {} : { doubt, isSlight: true }),
  };
}

/** A text in the place of a map is something else for certain, unless it may be JSON. */
export function notAMap(place: Place, expected: string): Mismatch {
  const mismatch = mismatchAt(place, expected);
  if (Array.isArray(place.value) && /^\$\[\d+\]\.yaml$/.test(place.path))
    return {
      ...mismatch,
      doubt: `${place.path} is a list: of documents, perhaps; use $some`,
      isSlight: true,
    };
  if (typeof place.value !== 'string' || !mayBeJson(place.value)) return mismatch;
  return { ...mismatch, doubt: `the text at ${place.path} may be JSON; expect it as a text`, isSlight: true };
}

/** The forms in which the body of a message is kept: one of them, whichever fits. */
const bodyForms = ['json', 'text', 'events'];
/** What is parsed from the output of a program, and from the answer of a tool, if possible. */
const sources = [
  { read: 'json', from: 'stdout', beside: 'exitCode' },
  { read: 'result', from: 'content', beside: 'isError' },
];
const fileForms = ['text', 'json', 'yaml', 'markdown', 'xml', 'image'];

/** Why an absence proves nothing here: the body is kept in another form, or in none. */
export function otherForm({ missing, ...place }: Place): string | undefined {
  const { parent, ...form } = missing ?? place;
  const wanted = wantedFrom(form, [...bodyForms, 'result']);
  if (wanted === undefined || !isPlainMap(parent)) return undefined;
  const source = sources.find(({ read, beside }) => read === wanted && Object.hasOwn(parent, beside))?.from;
  if (source !== undefined)
    return isEmpty(parent[source])
      ? undefined
      : `the output is in \`${source}\`, and cannot be read as \`${wanted}\``;
  if (!Object.hasOwn(parent, 'bytes')) return undefined;
  const kept = bodyForms.find((name) => parent[name] !== undefined);
  if (kept !== undefined) return `the body is there as \`${kept}\`, not as \`${wanted}\``;
  const head = unreadHead(parent);
  if (head === undefined) return undefined;
  const { 'content-type': type, 'content-encoding': coding } = head;
  return coding === undefined
    ? `the body is not text (content-type ${printValue(type)}), and is not available as \`${wanted}\``
    : `the body could not be unpacked (content-encoding ${printValue(coding)}), and is not available as \`${wanted}\``;
}

/** The same for a key that must be absent. The form of a body is known, unless it could not be unpacked. */
export function absentForm(place: Place): string | undefined {
  const lost = lostIn((place.missing ?? place).parent);
  if (lost !== undefined) return lost;
  const isKnown = !place.missing && unreadHead(place.parent)?.['content-encoding'] === undefined;
  return isKnown ? undefined : otherForm(place);
}

/** The headers of a message with a body that was kept in no form. */
function unreadHead(message: unknown): PlainMap | undefined {
  if (!isPlainMap(message) || !isPlainMap(message.headers) || !(Number(message.bytes) > 0)) return undefined;
  return bodyForms.some((form) => message[form] !== undefined) ? undefined : message.headers;
}

/** The same for any condition: only if the value may be in there, as most of many calls have another form. */
function unreadAt(place: Place): string | undefined {
  const form = place.missing ?? place;
  const { parent, value } = form;
  const lost = lostIn(value) ?? lostIn(parent);
  if (lost !== undefined) return lost;
  if (value !== undefined || !isPlainMap(parent)) return undefined;
  const { broken, link, path } = parent;
  if (typeof path === 'string' && wantedFrom(form, fileForms) !== undefined) {
    if (typeof broken === 'string') return `${path}: ${broken}; expect it under \`broken\``;
    if (typeof link === 'string')
      return `${path} is a link out of its folder, or to nowhere, and is not read`;
  }
  const mayBeThere =
    form.path.endsWith('.text') ||
    (form.path.endsWith('.events') && mayBeEvents(parent)) ||
    mayHoldJson(parent);
  return mayBeThere ? otherForm(place) : undefined;
}

/** Why the value is not known: it was not kept, or is truncated. A line that never was JSON is certainly something else. */
function lostIn(value: unknown): string | undefined {
  if (!isPlainMap(value)) return undefined;
  const unkept = whyNotKept(value);
  if (unkept !== undefined) return unkept;
  const { $broken: text } = value;
  if (typeof text !== 'string' || !(mayBeJson(text) || text.includes(foreignMark))) return undefined;
  return `what cannot be read as JSON may be anything: ${clipText(printValue(text))}`;
}

/** It begins or ends like JSON, perhaps in UTF-16, whose mark at the beginning is not UTF-8. */
function mayBeJson(text: string): boolean {
  return (
    /^[\s\0\ufffd]*(?:\{|\[[\s\0]*[[{"\]])/.test(text) || (text.includes('"') && text.trimEnd().endsWith('}'))
  );
}

function mayHoldJson(message: PlainMap): boolean {
  const head = unreadHead(message);
  if (head) return head['content-encoding'] !== undefined || !neverJson.test(String(head['content-type']));
  const { events, text, headers, content, stdout } = message;
  if (Array.isArray(events)) return events.some((event) => isPlainMap(event?.data));
  if (typeof text !== 'string') return Array.isArray(content) || /[[{]/.test(String(stdout));
  const type = isPlainMap(headers) ? String(headers['content-type']) : '';
  // Of nothing, anything may have been meant to come; of what is declared as JSON, a number or a text, too.
  if (message.unfinished && text.endsWith(cutMark))
    return isJson(text) || /\bjson\b/i.test(type) || (text === cutMark && !neverJson.test(type));
  // Of a beginning it is known that more was to come.
  if (message.truncated || message.unfinished) return isJson(text);
  // Other readers are more lenient than ours: they accept NaN, comments, several documents in a row.
  return /\bjson\b/i.test(type) || mayBeJson(text) || isJson(text);
}

/** A stream of events that was sent as another type. */
function mayBeEvents({ text }: PlainMap): boolean {
  return typeof text === 'string' && /^(?:data|event|id|retry)?:/m.test(text);
}

const neverJson = /^(?:image|audio|video|font)\//i;

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : typeof value !== 'string' || value.trim() === '';
}

function wantedFrom({ value, path }: Place, forms: readonly string[]): string | undefined {
  return value === undefined ? forms.find((form) => path.endsWith(`.${form}`)) : undefined;
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    if (!text.endsWith(cutMark)) parseExactJson(text);
    return true;
  } catch {
    return false;
  }
}

function printPlace({ value, parent }: Place): string {
  if (value !== undefined || !isPlainMap(parent)) return printValue(value);
  const keys = presentKeys(parent);
  return keys.length === 0
    ? 'nothing (the map is empty)'
    : `nothing (keys here: ${keys.slice(0, 30).join(', ')})`;
}
