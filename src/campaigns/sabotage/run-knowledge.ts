/** What a whole run has shown: which fields there are, what stood at a place in other attempts, what each source can show. */
import { pathOf } from '../../patterns/lies/lie.ts';
import { kindOf } from '../../patterns/plain-value.ts';
import { extendPath, parsePath } from '../../patterns/value-path.ts';
import type { Examinee } from './examinee.ts';
import { likePath, walkPlaces } from './walk-places.ts';

export interface RunKnowledge {
  /** A field of this name was seen somewhere in the run, or is one that systems have when something is wrong. */
  isKnownField(name: string): boolean;
  /** Whether something stands at the place in some attempt, or would stand there in times of trouble. */
  isKnownPlace(looked: Looked, path: string): boolean;
  /** Whether somebody in the run has shown the value, or it is what systems say in times of trouble. */
  isKnownValue(value: unknown): boolean;
  /** Other values that were seen at this place of the source. */
  elsewhere(source: string, path: string): readonly unknown[];
  /** Lists with something in them, as the source has shown them. */
  shownBy(source: string): readonly (readonly unknown[])[];
}

type Looked = Pick<Examinee, 'kind' | 'source'>;

/** Names under which a system tells what must not be, though no healthy run shows them. */
const troubleFields = new Set(
  'error errors err exception message reason code detail details stack stacktrace trace traceback warning warnings fault failure failed isError password secret token key apiKey api_key debug internal'.split(
    ' ',
  ),
);
/** Those under which a failure as such is told. */
const namesOfTrouble = ['error', 'errors', 'err', 'exception', 'fault', 'failure'];
/** Words of trouble, and of states that things come into: one who denies them need not have seen them. */
const troubleWords =
  /(?<![a-z])(?:errors?|err|fail(?:s|ed|ure|ures)?|exceptions?|traceback|stack ?trace|panic(?:ked)?|fatal|critical|crash(?:ed)?|segfault|segmentation fault|core dumped|undefined|null|nan|object object|denied|forbidden|unauthori[sz]ed|refused|rejected|invalid|unknown|missing|expired|cancell?ed|deleted|removed|disabled|dead|stale|lost|dropped|duplicate|timed? ?out|timeout|pending|queued|locked|degraded|unhealthy|deprecated|warn(?:ing)?s?|admin|root|internal|secret|password|token|api[_-]?key|bearer|debug|cannot|unable)(?![a-z])/i;

/** A single word by its end, as in `order.failed`; a sentence by any of its words. */
function saysTrouble(text: string): boolean {
  const last =
    text
      .split(/[^\p{L}]+/u)
      .filter((word) => word !== '')
      .at(-1) ?? '';
  return troubleWords.test(/\s/.test(text) ? text : last);
}

/** Parts that our own side shows of an answer, a call or a file only when there is such a thing. */
const rareParts = new Set(
  'error rpcError broken truncated closedBy signal incomplete unfinished params result turn faults'.split(
    ' ',
  ),
);

const mostKept = 3;
const mostPlaces = 4_000;
/** Shorter settings are numbers and switches. */
const leastChars = 4;
const mostTextChars = 4_000_000;

/** `known` is what the system and the trials hold themselves: settings of services, keys, what steps have sent. */
export function learnFrom(
  examinees: Iterable<Pick<Examinee, 'source' | 'kind' | 'value'>>,
  known: readonly unknown[] = [],
): RunKnowledge {
  const fields = new Set<string>();
  const places = new Set<string>();
  const texts = new Set<string>();
  const values = new Map<string, Map<string, unknown>>();
  const lists = new Map<string, (readonly unknown[])[]>();
  let chars = 0;
  for (const { value } of known.flatMap((one) => walkPlaces(one, mostPlaces)))
    if (typeof value === 'string' && value.length >= leastChars) texts.add(value);
  for (const examinee of examinees) {
    const { source, value } = examinee;
    for (const { keys, path, value: inner } of walkPlaces(value)) {
      for (const key of keys) if (typeof key === 'string') fields.add(key);
      places.add(placeOf(examinee, path));
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
      // Which headers there are is not for the system alone to say: whatever stands before it may add one.
      if (typeof name !== 'string' || keys.at(-2) === 'headers') return true;
      if (isOwnPart(looked.kind, keys)) return rareParts.has(name);
      const parent = pathOf(keys.slice(0, -1));
      // Where trouble has a name in this run, another name is a slip of the pen.
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

/** Answers of all steps are alike; every other source has places of its own. */
function placeOf({ kind, source }: Looked, path: string): string {
  return `${kind === 'exchange' || kind === 'value' ? 'exchange' : source} ${likePath(path)}`;
}

/** Whether the name is one that our side gives: the first in an answer, or in an element of what an observer lists. */
export function isOwnPart(kind: string, keys: readonly (string | number)[]): boolean {
  if (kind === 'exchange' || kind === 'process') return keys.length === 1 && typeof keys[0] === 'string';
  return madeLists.has(kind) && keys.length === 2 && typeof keys[0] === 'number';
}

/** Observers whose elements have the form that we give them; rows and events have that of the system. */
const madeLists = new Set(['calls', 'files', 'logs', 'spans', 'changes']);

function keep(values: Map<string, Map<string, unknown>>, place: string, value: unknown): void {
  const known = values.get(place) ?? new Map<string, unknown>();
  if (known.size < mostKept) known.set(JSON.stringify(value) ?? 'nothing', value);
  values.set(place, known);
}
