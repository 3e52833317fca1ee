/** Facts of a whole run: which fields exist, which values a place had in other attempts, what each source can show. */
import { isStoreCall } from '../../journal/call-event.ts';
import { checkKind, fieldNamed } from '../../kinds/check-kinds.ts';
import { pathOf } from '../../patterns/mutants/mutant.ts';
import { kindOf } from '../../patterns/plain-value.ts';
import { extendPath, type PathKey, parsePath } from '../../patterns/value-path.ts';
import { type CheckUnderTest, exchangeSource } from './check-under-test.ts';
import type { Subject } from './sabotage-attempt.ts';
import { collectSourceFacts, type SourceFacts } from './source-facts.ts';
import { likePath, walkPlaces } from './walk-places.ts';

export interface RunFacts extends SourceFacts {
  /** A field of this name was seen somewhere in the run, or is one that systems have when something is wrong. */
  isKnownField(name: string): boolean;
  /** Whether the place exists in some attempt, or would after a failure. `isAbsent`: the check denies that it is there. */
  isKnownPlace(looked: Looked, path: string, isAbsent?: boolean): boolean;
  /** Whether the value was seen in the run, or is typical of failures. `isWhole`: not as a part of a word. */
  isKnownValue(value: unknown, isWhole?: boolean): boolean;
  /** A word for trouble in place of words of which the code has some, and not this one. */
  isForeignWord(word: string, seen: readonly unknown[]): boolean;
  /** Whether the text stands in the source of the system, or of what is around it. */
  isInSources(text: string): boolean;
  /** Other values that were seen at this place of the source. */
  elsewhere(source: string, path: string): readonly unknown[];
  /** Non-empty lists that the source has shown. */
  shownBy(source: string): readonly (readonly unknown[])[];
}

type Looked = Pick<CheckUnderTest, 'kind' | 'source'>;

/** Names under which a system reports problems, though no healthy run shows them. */
const troubleFields = new Set(
  'error errors err exception message reason code detail details stack stacktrace trace traceback warning warnings fault failure failed isError password secret token key apiKey api_key debug internal'.split(
    ' ',
  ),
);
/** Parts of names of what must not be shown to others. */
const sensitive =
  /^(?:pass|passwd|password|pwd|secrets?|tokens?|hash|salt|ssn|cvv|cvc|pin|iban|credentials?|private|apikey|signature|cookie)$/i;

function isTroubleField(name: string): boolean {
  const parts = name.split(/[_\-.\s]+|(?<=[a-z])(?=[A-Z])/);
  return troubleFields.has(name) || parts.some((part) => sensitive.test(part));
}

/** Those that report a failure as such. */
const namesOfTrouble = ['error', 'errors', 'err', 'exception', 'fault', 'failure'];
/** Words for problems and for states that things can reach: a check may deny them without the run having shown them. */
const troubleWords =
  /(?<![a-z])(?:errors?|err|fail(?:s|ed|ure|ures)?|exceptions?|traceback|stack ?trace|panic(?:ked)?|fatal|critical|crash(?:ed)?|segfault|segmentation fault|core dumped|undefined|null|nan|object object|denied|forbidden|unauthori[sz]ed|refused|rejected|invalid|unknown|missing|expired|cancell?ed|deleted|removed|disabled|dead|stale|lost|dropped|duplicate|timed? ?out|timeout|pending|queued|locked|degraded|unhealthy|deprecated|warn(?:ing)?s?|admin|root|internal|secret|password|token|api[_-]?key|bearer|debug|cannot|unable|todo|fixme|tbd|lorem|placeholder)(?![a-z])/i;

/** What somebody must not become: that no code has it here is no proof. */
const powers = /^(?:admin|administrator|root|superuser|owner)$/i;

/** A single word is matched at its end, as in `order.failed`; a sentence by any of its words. */
export function saysTrouble(text: string): boolean {
  const words = text.split(/[^\p{L}]+/u).filter((word) => word !== '');
  return troubleWords.test(/\s/.test(text) ? text : (words.at(-1) ?? ''));
}

const mostKept = 3;
const mostPlaces = 4_000;
/** Shorter settings are numbers and flags. */
const leastChars = 4;
const mostTextChars = 4_000_000;

/** `settings` are those of services and of parties that we play: code that has a key could leak it. */
export function collectRunFacts(
  subjects: readonly Subject[],
  settings: unknown = [],
  sources = '',
): RunFacts {
  const fields = new Set<string>();
  const places = new Set<string>();
  const texts = collectTexts();
  const values = new Map<string, Map<string, unknown>>();
  const lists = new Map<string, (readonly unknown[])[]>();
  const known = [settings, ...subjects.map(sentIn), ...subjects.flatMap(passedIn)];
  for (const { keys, value } of known.flatMap((one) => walkPlaces(one, mostPlaces))) {
    for (const key of keys) if (typeof key === 'string') fields.add(key);
    if (typeof value === 'string' && value.length >= leastChars) texts.add(value);
  }
  // A column that a store has shown to a service, and no answer to anybody, could leak.
  const columns = new Set(subjects.flatMap(columnsIn).filter((name) => !fields.has(name)));
  for (const checkUnderTest of subjects.flatMap((one) => [...one.checksUnderTest, ...answersOf(one)])) {
    const { source, value } = checkUnderTest;
    for (const { keys, path, value: inner } of walkPlaces(value)) {
      for (const key of keys) if (typeof key === 'string') fields.add(key);
      places.add(placeOf(checkUnderTest, path));
      if (kindOf(inner) !== 'array') keep(values, `${source} ${likePath(path)}`, inner);
      if (typeof inner !== 'object' && !isFleeting(inner, checkUnderTest)) texts.add(String(inner));
    }
    if (Array.isArray(value) && value.length > 0) keepList(lists, source, value);
  }
  const shown = new Set(subjects.flatMap(shownNames));
  const isThere = (parent: string): boolean =>
    [...places].some(
      (place) => place === parent || (/^[.[]/.test(place.slice(parent.length)) && place.startsWith(parent)),
    );
  const hasTrouble = (looked: Looked, parent: string): boolean =>
    namesOfTrouble.some((name) => isThere(placeOf(looked, extendPath(parent, name))));
  const isInSources = (text: string): boolean => isQuotedIn(sources, text);
  return {
    ...collectSourceFacts(subjects.map(({ view }) => view)),
    isKnownField: (name) => fields.has(name) || isTroubleField(name),
    isInSources,
    isKnownPlace: (looked, path, isAbsent = false) => {
      if (isThere(placeOf(looked, path))) return true;
      const keys = parsePath(path) ?? [];
      const name = keys.findLast((key) => typeof key === 'string');
      // Headers are not decided by the system alone: a proxy in front of it may add one.
      if (typeof name !== 'string' || keys.at(-2) === 'headers') return true;
      if (isOwnPart(looked.kind, keys)) return fieldNamed(looked.kind, name)?.isRare === true;
      const parent = pathOf(keys.slice(0, -1));
      // Of an empty list, no element is there.
      const isParentThere =
        isThere(placeOf(looked, parent)) || isThere(placeOf(looked, parent.replace(/\[\d+\]$/, '')));
      // Where the run has a name for problems, another name is a typo.
      const isOtherName = namesOfTrouble.includes(name) && hasTrouble(looked, parent);
      const isLeak = isAbsent && isOfElement(looked, keys) && shown.has(name);
      return isParentThere && (isTroubleField(name) || columns.has(name) || isLeak) && !isOtherName;
    },
    isKnownValue: (value, isWhole = false) => {
      const text = String(value);
      if (texts.has(text) || saysTrouble(text) || isInSources(text)) return true;
      return typeof value === 'string' && text.length > 2 && texts.hasPart(text, isWhole);
    },
    isForeignWord: (word, seen) =>
      isPlainWord(word) &&
      !powers.test(word) &&
      !texts.has(word) &&
      !isInSources(word) &&
      seen.some((one) => isPlainWord(one) && isInSources(one)),
    elsewhere: (source, path) => [...(values.get(`${source} ${likePath(path)}`)?.values() ?? [])],
    shownBy: (source) => lists.get(source) ?? [],
  };
}

/** What changes from run to run is no word of the system: a descriptor less is not its -1. */
function isFleeting(inner: unknown, { kind }: Looked): boolean {
  return typeof inner === 'number' && checkKind(kind)?.unread === 'ignored';
}

/** What each element of a list must not show may be what a table, or another answer, has of it. */
function isOfElement({ kind }: Looked, keys: readonly PathKey[]): boolean {
  return kind === 'exchange' && typeof keys.at(-2) === 'number';
}

function keepList(
  lists: Map<string, (readonly unknown[])[]>,
  source: string,
  list: readonly unknown[],
): void {
  const known = lists.get(source) ?? [];
  if (known.length < mostKept) lists.set(source, [...known, list]);
}

function isPlainWord(value: unknown): value is string {
  return typeof value === 'string' && /^\p{L}+$/u.test(value);
}

/** As a text, a symbol, a value of YAML or the constant of an enum; not as a name or a word of a comment. */
function isQuotedIn(sources: string, text: string): boolean {
  if (text.length <= 2 || !sources.includes(text)) return false;
  const word = escaped(text);
  const quote = '["\'`]';
  const isConstant = /^[A-Z][A-Z\d_]+$/.test(text);
  const forms = [`(?:${quote}|:)${word}(?!\\p{L})`, `(?<!\\p{L})${word}${quote}`, `[:-] +${word}$`];
  return new RegExp([...forms, ...(isConstant ? [`\\b${word}\\b`] : [])].join('|'), 'mu').test(sources);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

function collectTexts() {
  const texts = new Set<string>();
  let chars = 0;
  return {
    add: (text: string): void => {
      if (chars >= mostTextChars) return;
      texts.add(text);
      chars += text.length;
    },
    has: (text: string): boolean => texts.has(text),
    hasPart: (part: string, isWhole: boolean): boolean => {
      const word = new RegExp(`(?<!\\p{L})${escaped(part)}(?!\\p{L})`, 'u');
      return [...texts].some((text) => text.includes(part) && (!isWhole || word.test(text)));
    },
  };
}

function sentIn({ view }: Subject): unknown {
  return view.events.flatMap((event) => (event.type === 'step.started' ? [event.sent] : []));
}

/** What passed between services and to stores: columns and fields that an answer could leak. */
function passedIn({ view }: Subject): readonly unknown[] {
  return view.calls.map(({ call }) => {
    const { method, path, params, error, request, response } = call;
    const result = isStoreCall(call) ? [] : call.result;
    return [method, path, params, result, error, request.json, request.text, response?.json, response?.text];
  });
}

function columnsIn({ view }: Subject): readonly string[] {
  const results = view.calls.filter(({ call }) => isStoreCall(call)).map(({ call }) => call.result);
  return results
    .flatMap((result) => walkPlaces(result, mostPlaces))
    .flatMap(({ keys }) => keys.filter((key) => typeof key === 'string'));
}

/** Columns of tables, as read on a tap or by rows, and names in answers. */
function shownNames(subject: Subject): readonly string[] {
  const rows = subject.checksUnderTest.filter(({ kind }) => checkKind(kind)?.comparesAsSql);
  const some = [...rows, ...answersOf(subject)].flatMap(({ value }) => walkPlaces(value, mostPlaces));
  const names = some.flatMap(({ keys }) => keys.filter((key) => typeof key === 'string'));
  return [...columnsIn(subject), ...names];
}

/** Includes steps that no check reads. */
function answersOf({ view }: Subject): readonly Pick<CheckUnderTest, 'source' | 'kind' | 'value'>[] {
  return [...view.steps].map(([step, { evidence }]) => ({
    source: exchangeSource(step),
    kind: 'exchange',
    value: evidence,
  }));
}

/** Answers of all steps share their places; every other source has its own. */
function placeOf({ kind, source }: Looked, path: string): string {
  return `${kind === 'exchange' || kind === 'value' ? 'exchange' : source} ${likePath(path)}`;
}

/** Whether our side gives this name: the first key in an answer, or in an element of what an observer lists. */
export function isOwnPart(kind: string, keys: readonly (string | number)[]): boolean {
  const { gives, fields } = checkKind(kind) ?? {};
  if (gives === 'map') return keys.length === 1 && typeof keys[0] === 'string';
  return fields !== undefined && keys.length === 2 && typeof keys[0] === 'number';
}

function keep(values: Map<string, Map<string, unknown>>, place: string, value: unknown): void {
  const known = values.get(place) ?? new Map<string, unknown>();
  if (known.size < mostKept) known.set(JSON.stringify(value) ?? 'nothing', value);
  values.set(place, known);
}
