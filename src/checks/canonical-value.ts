/** Values without what differs from run to run: names by order of appearance stand for it, so that links between values are kept. */
import { isAnyNumber, isContainer } from '../kernel/exact-json.ts';

export function canonicalise(value: unknown): unknown {
  return createCanonicaliser()(value);
}

/** One for several values: what is the same in two of them has the same name in both. */
export function createCanonicaliser(): (value: unknown) => unknown {
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
    if (typeof inner === 'string') return renamed(inner, nameOf, isDigest(key));
    if (isAnyNumber(inner)) return isMeasured(key) ? `‹${key}›` : inner;
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
  ['id', /(?<![0-9A-Za-z])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{16,64}(?![0-9A-Za-z])/gi],
  ['address', /\b(?:127\.0\.0\.1|localhost):\d{2,5}\b/g],
  ['uid', /\btrial-[0-9a-z]{8,}\b/g],
];

function renamed(text: string, nameOf: (kind: string, text: string) => string, digest: boolean): string {
  return changing.reduce(
    (result, [kind, expression]) =>
      digest && kind === 'id' ? result : result.replaceAll(expression, (found) => nameOf(kind, found)),
    text,
  );
}

/** What is computed from the contents speaks for them, and is no name that was drawn. */
function isDigest(key: string): boolean {
  return /^(?:sha\d*|md5|hash|etag|digest|checksum)$/i.test(key);
}

/** Numbers that are measured rather than computed. */
function isMeasured(key: string): boolean {
  return /(?:Ms|At|_at|_ms|duration|pid)$/.test(key) || key === 'date';
}
