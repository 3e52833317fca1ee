/** Facts of a whole run: which fields exist, which values a place had in other attempts, what each source can show. */
import { checkKind, fieldNamed } from '../../kinds/check-kinds.ts';
import { pathOf } from '../../patterns/mutants/mutant.ts';
import { kindOf } from '../../patterns/plain-value.ts';
import { extendPath, parsePath } from '../../patterns/value-path.ts';
import type { CheckUnderTest } from './check-under-test.ts';
import { likePath, walkPlaces } from './walk-places.ts';

export interface RunFacts {
  /** A field of this name was seen somewhere in the run, or is one that systems have when something is wrong. */
  isKnownField(name: string): boolean;
  /** Whether the place exists in some attempt, or would exist after a failure. */
  isKnownPlace(looked: Looked, path: string): boolean;
  /** Whether the value was seen in the run, or is typical of failures. */
  isKnownValue(value: unknown): boolean;
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
/** Those that report a failure as such. */
const namesOfTrouble = ['error', 'errors', 'err', 'exception', 'fault', 'failure'];
/** Words for problems and for states that things can reach: a check may deny them without the run having shown them. */
const troubleWords =
  /(?<![a-z])(?:errors?|err|fail(?:s|ed|ure|ures)?|exceptions?|traceback|stack ?trace|panic(?:ked)?|fatal|critical|crash(?:ed)?|segfault|segmentation fault|core dumped|undefined|null|nan|object object|denied|forbidden|unauthori[sz]ed|refused|rejected|invalid|unknown|missing|expired|cancell?ed|deleted|removed|disabled|dead|stale|lost|dropped|duplicate|timed? ?out|timeout|pending|queued|locked|degraded|unhealthy|deprecated|warn(?:ing)?s?|admin|root|internal|secret|password|token|api[_-]?key|bearer|debug|cannot|unable)(?![a-z])/i;

/** A single word is matched at its end, as in `order.failed`; a sentence by any of its words. */
function saysTrouble(text: string): boolean {
  const words = text.split(/[^\p{L}]+/u).filter((word) => word !== '');
  return troubleWords.test(/\s/.test(text) ? text : (words.at(-1) ?? ''));
}

const mostKept = 3;
const mostPlaces = 4_000;
/** Shorter settings are numbers and flags. */
const leastChars = 4;
const mostTextChars = 4_000_000;

/** `known` comes from the system and the trials themselves: settings of services, keys, what steps have sent. */
export function collectRunFacts(
  checksUnderTest: Iterable<Pick<CheckUnderTest, 'source' | 'kind' | 'value'>>,
  known: readonly unknown[] = [],
): RunFacts {
  const fields = new Set<string>();
  const places = new Set<string>();
  const texts = new Set<string>();
  const values = new Map<string, Map<string, unknown>>();
  const lists = new Map<string, (readonly unknown[])[]>();
  let chars = 0;
  for (const { value } of known.flatMap((one) => walkPlaces(one, mostPlaces)))
    if (typeof value === 'string' && value.length >= leastChars) texts.add(value);
  for (const checkUnderTest of checksUnderTest) {
    const { source, value } = checkUnderTest;
    for (const { keys, path, value: inner } of walkPlaces(value)) {
      for (const key of keys) if (typeof key === 'string') fields.add(key);
      places.add(placeOf(checkUnderTest, path));
      if (kindOf(inner) !== 'array') keep(values, `${source} ${likePath(path)}`, inner);
      if (typeof inner !== 'object' && chars < mostTextChars) {
        texts.add(String(inner));
        chars += String(inner).length;
      }
    }
    if (Array.isArray(value) && value.length > 0) {
      const known = lists.get(source) ?? [];
      if (known.length < mostKept) lists.set(source, [...known, value]);
    }
  }
  const isThere = (parent: string): boolean =>
    [...places].some(
      (place) => place === parent || (/^[.[]/.test(place.slice(parent.length)) && place.startsWith(parent)),
    );
  const hasTrouble = (looked: Looked, parent: string): boolean =>
    namesOfTrouble.some((name) => isThere(placeOf(looked, extendPath(parent, name))));
  const isKnownField = (name: string): boolean => fields.has(name) || troubleFields.has(name);
  return {
    isKnownField,
    isKnownPlace: (looked, path) => {
      if (isThere(placeOf(looked, path))) return true;
      const keys = parsePath(path) ?? [];
      const name = keys.findLast((key) => typeof key === 'string');
      // Headers are not decided by the system alone: a proxy in front of it may add one.
      if (typeof name !== 'string' || keys.at(-2) === 'headers') return true;
      if (isOwnPart(looked.kind, keys)) return fieldNamed(looked.kind, name)?.isRare === true;
      const parent = pathOf(keys.slice(0, -1));
      // Where the run has a name for problems, another name is a typo.
      const isOtherName = namesOfTrouble.includes(name) && hasTrouble(looked, parent);
      return troubleFields.has(name) && isThere(placeOf(looked, parent)) && !isOtherName;
    },
    isKnownValue: (value) => {
      const text = String(value);
      if (texts.has(text) || saysTrouble(text)) return true;
      return typeof value === 'string' && text.length > 2 && [...texts].some((seen) => seen.includes(text));
    },
    elsewhere: (source, path) => [...(values.get(`${source} ${likePath(path)}`)?.values() ?? [])],
    shownBy: (source) => lists.get(source) ?? [],
  };
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
