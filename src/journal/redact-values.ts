/** Redacts a value: its texts, and where it came from the system, its keys and numbers; words of our own stay. */
import { isAnyNumber, isContainer } from '../kernel/exact-json.ts';
import { isMap } from '../kernel/is-map.ts';
import type { Redactor } from './redaction.ts';

/**
 * Words of the vocabulary itself: a secret equal to one of them is not a secret there. They are on an event and on a
 * problem; inside a body that was sent, the same key may hold a secret.
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

/** The same at any depth of what is ours: a trial's own record is made of them. */
const recordWords = new Set([
  'kind',
  'mode',
  'driver',
  'outcome',
  'end',
  'cause',
  'party',
  'protocol',
  'dialect',
  'incomplete',
]);

/** Where parts of the system are named, or edges. */
const nameKeys = new Set(
  'name from to service resource caller party edge incoming outgoing by busy unwatched after'.split(' '),
);

/** Our keys around what was seen or is expected; all others there may come from outside. */
const mixedKeys = new Set(
  `answers broken burst bytes calls case changes code command connection content crossing data durationMs edge endedAt error event
    events exchange exitCode expect faults files from headers http incomplete index json kind last line lines logs mcp message method
    model name on order parts path process protocol query raw rawBody reached received request response result rows scope seen sent service
    signal spans startedAt status stderr stdout tcp text to trailers trial truncated turn uid unfinished until value where`.split(
    /\s+/,
  ),
);

/** Whose words the keys and numbers are: ours, ours around theirs, or theirs; and in patterns, the latter two as asked for. */
type Origin = 'ours' | 'mixed' | 'theirs' | 'pattern' | 'asked';

const origins: ReadonlyMap<string, Origin> = new Map([
  ...['evidence', 'value', 'sent', 'query', 'scope', 'seen', 'case'].map((key) => [key, 'mixed'] as const),
  ...['expect', 'where'].map((key) => [key, 'pattern'] as const),
  ...[
    'json',
    'data',
    'params',
    'result',
    'error',
    'body',
    'attributes',
    'rows',
    'arguments',
    'input',
    'headers',
    'trailers',
  ].map((key) => [key, 'theirs'] as const),
]);

/** A number that something is measured by is the author's; one that a value must equal may be a secret, as the value is. */
const measures = new Set(['$lt', '$lte', '$gt', '$gte', '$between', '$length']);

/** In our own documents, maps that are filled by the author of the config. */
const filledIn = new Set(['env', 'standing', 'settings', 'callbacks', 'it', 'reset']);

/** A time or a run: our own digits, even if a PIN is equal to them. */
const stamp = /^(?:\d{4}-\d\d-\d\dT[\d:.]+Z|\d{8}-\d{6}-[a-z0-9]{4})$/;

/** What a check or a step expects, `expect` and `count`, as its record has it. */
export function redactExpectation<T extends object>(expectation: T, redactor: Redactor): T {
  const isClean = !redactor.hasSecrets || !holds(expectation, redactor, 'ours');
  return isClean ? expectation : (walk(expectation, redactor, 'ours') as T);
}

export function redactValues<T>(value: T, redactor: Redactor): T {
  if (!redactor.hasSecrets) return value;
  if (isEvent(value)) return holds(value, redactor, 'ours') ? (spareWords(value, redactor) as T) : value;
  return holds(value, redactor, 'mixed') ? (walk(value, redactor, 'mixed') as T) : value;
}

/** Nearly every value holds none: then nothing is copied. */
function holds(value: unknown, redactor: Redactor, origin: Origin): boolean {
  if (typeof value === 'string') return redactor.finds(value);
  if (isAnyNumber(value)) return origin !== 'ours' && redactor.numberToken(String(value)) !== undefined;
  if (origin !== 'ours' && redactBytes(value, redactor) !== undefined) return true;
  if (Array.isArray(value)) return value.some((item) => holds(item, redactor, origin));
  if (typeof value !== 'object' || value === null) return false;
  for (const key in value) {
    if (!isOurKey(key, origin) && redactor.finds(key)) return true;
    if (holds(value[key as keyof typeof value], redactor, originBelow(key, origin))) return true;
  }
  return false;
}

function walk(value: unknown, redactor: Redactor, origin: Origin): unknown {
  if (typeof value === 'string')
    return origin === 'ours' && stamp.test(value) ? value : redactor.redact(value);
  if (isAnyNumber(value)) return origin === 'ours' ? value : (redactor.numberToken(String(value)) ?? value);
  const bytes = origin === 'ours' ? undefined : redactBytes(value, redactor);
  if (bytes !== undefined) return bytes;
  if (Array.isArray(value)) return value.map((item) => walk(item, redactor, origin));
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      isOurKey(key, origin) ? key : redactor.redact(key),
      (origin === 'ours' && isWord(recordWords, key, inner)) || isPart(key, inner, origin, redactor)
        ? inner
        : walk(inner, redactor, originBelow(key, origin)),
    ]),
  );
}

/** Our own document: names of parts stay, and where it consists of findings, single words too. */
export function redactOurs<T>(value: T, redactor: Redactor, words: 'hidden' | 'spared'): T {
  const clean = (inner: unknown, name: string): unknown => {
    if (typeof inner === 'string')
      return names.has(name) ||
        isWord(recordWords, name, inner) ||
        stamp.test(inner) ||
        (words === 'spared' && /^[a-z-]{1,16}$/.test(inner))
        ? inner
        : redactor.redact(inner);
    if (Array.isArray(inner)) return inner.map((item) => clean(item, name));
    if (filledIn.has(name)) return walk(inner, redactor, 'theirs');
    if (origins.has(name)) return walk(inner, redactor, originBelow(name, 'ours'));
    if (!isMap(inner)) return inner;
    return Object.fromEntries(
      Object.entries(inner).map(([key, part]) => [
        isOurKey(key, 'ours') ? key : redactor.redact(key),
        clean(part, key),
      ]),
    );
  };
  return redactor.hasSecrets ? (clean(value, '') as T) : value;
}

const names = new Set([
  'kind',
  'name',
  'id',
  'type',
  'file',
  'folder',
  'secrets',
  'from',
  'to',
  'after',
  'isolation',
  'dialect',
]);

/** For a list of numbers, or a typed array as JSON, which keeps its braces; undefined where no secret is in it. */
function redactBytes(value: unknown, redactor: Redactor): string | undefined {
  if (!isContainer(value) || typeof (value as { 0?: unknown })[0] !== 'number') return undefined;
  const numbers = Object.values(value);
  if (!numbers.every(Number.isInteger)) return undefined;
  const text = numbers.map((one) => redactor.numberToken(String(one)) ?? one).join(',');
  if (!redactor.finds(text)) return undefined;
  return Array.isArray(value) ? `[${redactor.redact(text)}]` : `{${redactor.redact(text)}}`;
}

function originBelow(key: string, origin: Origin): Origin {
  if (origin === 'theirs') return origin;
  if (origin === 'pattern' || origin === 'asked') {
    if (measures.has(key)) return 'ours';
    return origins.get(key) === 'theirs' ? 'asked' : origin;
  }
  const below = origins.get(key);
  return below === undefined || (below !== 'theirs' && origin !== 'ours') ? origin : below;
}

/** Our keys are one word each, and known where others may be next to them. */
function isOurKey(key: string, origin: Origin): boolean {
  if (origin === 'mixed' || origin === 'pattern') return mixedKeys.has(key);
  return origin === 'ours' && key.length <= 16 && /^[a-zA-Z]+$/.test(key);
}

function isEvent(value: unknown): value is object {
  return isContainer(value) && 'type' in value && typeof value.type === 'string';
}

/** An event, or a problem of one. */
function spareWords(part: object, redactor: Redactor): unknown {
  const entries = Object.entries(part).map(([name, inner]) => {
    if (isWord(closedWords, name, inner) || isWord(recordWords, name, inner)) return [name, inner];
    if (isPart(name, inner, 'ours', redactor)) return [name, inner];
    if (name === 'problem' && isMap(inner)) return [name, spareWords(inner, redactor)];
    if (name === 'problems' && Array.isArray(inner))
      return [
        name,
        inner.map((one) => (isMap(one) ? spareWords(one, redactor) : walk(one, redactor, 'ours'))),
      ];
    return [name, walk(inner, redactor, originBelow(name, 'ours'))];
  });
  return Object.fromEntries(entries);
}

function isPart(key: string, value: unknown, origin: Origin, redactor: Redactor): boolean {
  const isOurs = origin !== 'theirs' && origin !== 'asked';
  const isName = (one: unknown): boolean => typeof one === 'string' && redactor.isName(one);
  return isOurs && nameKeys.has(key) && (Array.isArray(value) ? value.every(isName) : isName(value));
}

/** `because` is a sentence in some events and a word in others; only a word is left alone. */
function isWord(words: ReadonlySet<string>, key: string, value: unknown): boolean {
  return words.has(key) && typeof value === 'string' && /^[a-z.-]+$/.test(value);
}
