/** A place in the observed value: what is there, and the path that leads to it. */
import { cutMark } from '../kernel/cut-mark.ts';
import { parseExactJson } from '../kernel/exact-json.ts';
import type { Mismatch } from './match-result.ts';
import { isPlainMap, type PlainMap, presentKeys, toPlain } from './plain-value.ts';
import { clipText, printValue } from './print-value.ts';
import { extendPath, type PathKey } from './value-path.ts';

export interface Place {
  /** Seen through `toPlain`; undefined when nothing is there. */
  readonly value: unknown;
  readonly path: string;
  /** The map in which this key was looked for, to name its keys when the key is absent. */
  readonly parent?: unknown;
  /** The first place on the way down with nothing in it. */
  readonly missing?: Place;
}

export function rootPlace(value: unknown): Place {
  return { value: toPlain(value), path: '$' };
}

/** One step down; a key that is not there gives a place with nothing in it. Inherited properties are not there. */
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

/** Of a step's answer, of one of a burst, or of a call; nowhere else does a map of this name hold what HTTP calls headers. */
const httpHeaders = /^\$(?:\.answers\[\d+\]|(?:\[\d+\])?\.(?:request|response))?\.headers$/;

/** Names of headers may be written as anywhere; they are kept in lower case, and cookies of answers as a list. */
export function keptKey({ value: headers, path }: Place, key: PathKey): PathKey {
  if (!isPlainMap(headers) || Object.hasOwn(headers, key) || !httpHeaders.test(path)) return key;
  const lower = String(key).toLowerCase();
  return lower === 'set-cookie' && Object.hasOwn(headers, 'setCookie') ? 'setCookie' : lower;
}

/** The elements of a list as places; undefined when the place holds no list. */
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

/** The forms in which the body of a message is kept: one of them, whichever fits. */
const bodyForms = ['json', 'text', 'events'];
/** What is read from the output of a program, and from the answer of a tool, where that is possible. */
const sources = [
  { read: 'json', from: 'stdout', beside: 'exitCode' },
  { read: 'result', from: 'content', beside: 'isError' },
];
const fileForms = ['text', 'json', 'yaml', 'markdown', 'xml', 'image'];

/** Why it says nothing that nothing is there: the body is kept in another form, or in none. */
export function otherForm({ missing, ...place }: Place): string | undefined {
  const { parent, ...form } = missing ?? place;
  const wanted = wantedFrom(form, [...bodyForms, 'result']);
  if (wanted === undefined || !isPlainMap(parent)) return undefined;
  const source = sources.find(({ read, beside }) => read === wanted && Object.hasOwn(parent, beside))?.from;
  if (source !== undefined)
    return isEmpty(parent[source])
      ? undefined
      : `what came is in \`${source}\`, and is no \`${wanted}\` as a whole`;
  if (!Object.hasOwn(parent, 'bytes')) return undefined;
  const kept = bodyForms.find((name) => parent[name] !== undefined);
  if (kept !== undefined) return `the body is there as \`${kept}\`, not as \`${wanted}\``;
  const head = unreadHead(parent);
  if (head === undefined) return undefined;
  const { 'content-type': type, 'content-encoding': coding } = head;
  return coding === undefined
    ? `the body is no text (content-type ${printValue(type)}), and not there as \`${wanted}\``
    : `the body could not be unpacked (content-encoding ${printValue(coding)}), and is not there as \`${wanted}\``;
}

/** The same of a key that is to be absent. Which form a body has is known, unless it could not be unpacked. */
export function absentForm(place: Place): string | undefined {
  const isKnown = !place.missing && unreadHead(place.parent)?.['content-encoding'] === undefined;
  return isKnown ? undefined : otherForm(place);
}

/** The headers of a message with a body of which no form is kept. */
function unreadHead(message: unknown): PlainMap | undefined {
  if (!isPlainMap(message) || !isPlainMap(message.headers) || !(Number(message.bytes) > 0)) return undefined;
  return bodyForms.some((form) => message[form] !== undefined) ? undefined : message.headers;
}

/** The same for whatever is asked of it: only where that may well be in there, as among many calls most are of another form. */
function unreadAt(place: Place): string | undefined {
  const form = place.missing ?? place;
  const { parent, value } = form;
  if (value !== undefined || !isPlainMap(parent)) return undefined;
  const { broken, path } = parent;
  if (typeof broken === 'string' && typeof path === 'string' && wantedFrom(form, fileForms) !== undefined)
    return `${path}: ${broken}; expect it under \`broken\``;
  return form.path.endsWith('.text') || mayHoldJson(parent) ? otherForm(place) : undefined;
}

function mayHoldJson(message: PlainMap): boolean {
  const head = unreadHead(message);
  if (head) return head['content-encoding'] !== undefined || !neverJson.test(String(head['content-type']));
  const { events, text } = message;
  return Array.isArray(events) ? events.some((event) => isPlainMap(event?.data)) : isJson(text);
}

const neverJson = /^(?:image|audio|video|font)\//i;

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : typeof value !== 'string' || value.trim() === '';
}

function wantedFrom({ value, path }: Place, forms: readonly string[]): string | undefined {
  return value === undefined ? forms.find((form) => path.endsWith(`.${form}`)) : undefined;
}

function isJson(text: unknown): boolean {
  if (typeof text !== 'string' || !/^\s*[[{]/.test(text)) return false;
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
