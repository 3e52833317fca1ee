/** Values without what differs from run to run: renamed by order of appearance, which keeps links between them. */
import { isAnyNumber, isContainer } from '../kernel/exact-json.ts';
import { looksRandom } from '../kernel/looks-random.ts';

/** Whether a number under a key differs from run to run. */
export type IsMeasured = (key: string, number: number) => boolean;

export function canonicalise(value: unknown, isMeasured: IsMeasured = mayBeMeasured): unknown {
  return createCanonicaliser(isMeasured)(value);
}

/** Shared by several values: what is the same in two of them has the same name in both. Moments that are not of the run itself may be meant. */
export function createCanonicaliser(
  isMeasured: IsMeasured = mayBeMeasured,
  isOwnMoment: (text: string) => boolean = () => true,
): (value: unknown) => unknown {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const nameOf = (kind: string, text: string): string => {
    const known = names.get(text);
    if (known !== undefined) return known;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    names.set(text, `‹${kind}#${count}›`);
    return `‹${kind}#${count}›`;
  };
  const walk = (inner: unknown, key: string): unknown => {
    if (typeof inner === 'string')
      return renamed(inner, nameOf, (kind, found) =>
        kind === 'id' ? !isDigest(key) && looksRandom(found) : kind !== 'time' || isOwnMoment(found),
      );
    if (isAnyNumber(inner)) return isMeasured(key, Number(inner)) ? `‹${key}›` : inner;
    if (Array.isArray(inner)) return inner.map((item) => walk(item, ''));
    if (!isContainer(inner)) return inner;
    const keys = Object.keys(inner).sort();
    return Object.fromEntries(keys.map((name) => [name, walk(Reflect.get(inner, name), name)]));
  };
  return (value) => walk(value, '');
}

const changing: readonly (readonly [kind: string, expression: RegExp])[] = [
  ['time', /\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?/g],
  ['time', /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT\b/g],
  ['id', /(?<![0-9A-Za-z])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9A-Za-z])/gi],
  ['id', /(?<![0-9A-Za-z])(?:[0-9a-f]{16,64}|[0-9A-F]{16,64})(?![0-9A-Za-z])/g],
  ['entry', /(?<![\w-])1\d{12}-\d+(?![\w-])/g], // of a stream: a moment, which two may share
  ['address', /\b(?:127\.0\.0\.1|localhost):\d{2,5}\b/g],
  ['uid', /\btrial-[0-9a-z]{8,}\b/g],
];

function renamed(
  text: string,
  nameOf: (kind: string, text: string) => string,
  isChanging: (kind: string, found: string) => boolean,
): string {
  return changing.reduce(
    (result, [kind, expression]) =>
      result.replaceAll(expression, (found) => (isChanging(kind, found) ? nameOf(kind, found) : found)),
    text,
  );
}

/** A digest of the content represents it, and is not a generated name. */
function isDigest(key: string): boolean {
  return /^(?:sha\d*|md5|hash|etag|digest|checksum)$/i.test(key);
}

/** For comparing traffic, where a measurement that is taken for a value would accuse somebody. */
function mayBeMeasured(key: string): boolean {
  return /(?:Ms|At|_at|_ms|duration|pid)$/.test(key) || key === 'date';
}
