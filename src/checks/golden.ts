/** Golden outputs: compares what was seen, with varying values renamed, with what was accepted. */
import { cutMark } from '../kernel/cut-mark.ts';
import { isContainer } from '../kernel/exact-json.ts';
import { printValue } from '../patterns/print-value.ts';
import { canonicalise } from './canonical-value.ts';
import type { Held } from './hold-against.ts';
import type { Golden } from './trial-record.ts';

export function judgeGolden(golden: Golden, value: unknown): Held {
  const reads = ['$'];
  const seen = canonicalText(value);
  const expected = `the content of ${golden.file}`;
  const open = (undecided: string, explanation = undecided): Held => ({
    ...{ held: false, expected, observed: printValue(value), explanation, undecided, reads },
  });
  const notYet = 'nothing was accepted yet; look at it, then: shakedown judge latest --accept';
  if (golden.accepted === undefined) return open('no golden output', notYet);
  if (isPartial.test(seen)) return open('a part of what was seen was not kept');
  const accepted = canonicalText(golden.accepted);
  if (accepted === seen) return { held: true, expected, observed: 'the same', reads };
  const explanation = `${lineDifference(accepted, seen)}\nis the new output correct? shakedown judge latest --accept`;
  return { held: false, expected, observed: 'something else', explanation, reads };
}

const isPartial = new RegExp(`"\\$dropped": \\{|${cutMark}`);

export function canonicalText(value: unknown): string {
  return JSON.stringify(withoutMeasures(canonicalise(value, isMeasured)), undefined, 2);
}

/** Numbers that are measured rather than computed. A duration may be what was booked, and `chargedAt` a price. */
function isMeasured(key: string, number: number): boolean {
  // Times of a call, in our journal.
  if (key === 'startedAt' || key === 'endedAt') return true;
  if (/(?:At|_at)$/.test(key) || key === 'date') return isMoment(number);
  return /(?:Ms|_ms|(?:^p?|_)pid|[a-z]Pid)$/.test(key);
}

/** A time of this century, in seconds, milliseconds, microseconds or nanoseconds since 1970. */
function isMoment(number: number): boolean {
  return [1, 1e3, 1e6, 1e9].some((unit) => number >= 9.4e8 * unit && number < 4.1e9 * unit);
}

/** Lengths and digests of masked contents differ with them. Outputs that were accepted earlier still have them. */
function withoutMeasures(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMeasures);
  if (!isContainer(value)) return value;
  const inner = mapEntries(value, (_, part) => withoutMeasures(part));
  const isMasked = (key: string): boolean => mask.test(JSON.stringify(inner[key]) ?? '');
  // Of truncated content, only the digest is compared.
  const isWhole = !('truncated' in inner) && Object.keys(inner).some((key) => length.test(key));
  if (!isWhole || !contents.some(isMasked)) return inner;
  const without = (name: string, part: unknown): unknown =>
    length.test(name) || digest.test(name) ? `‹${name}›` : part;
  return mapEntries(inner, (name, part) =>
    name === 'headers' && isContainer(part) ? mapEntries(part, without) : without(name, part),
  );
}

function mapEntries(map: object, change: (name: string, part: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(map).map(([name, part]) => [name, change(name, part)]));
}

/** Of messages, files, connections and commands. */
const contents = [
  ...['json', 'text', 'events', 'yaml', 'markdown', 'xml'],
  ...['received', 'raw', 'stdout', 'stderr'],
];
const length = /^(?:bytes|bytesReceived|stdoutBytes|stderrBytes|content-length)$/;
const digest = /(?:^|-)(?:sha-?\d*|md5|crc\w*|hash|etag|digest|checksum)$/i;
const mask = /‹[^‹›]+›/;

const around = 2;
const mostLines = 40;

/** Two texts line by line: what is only in the first (`-`), only in the second (`+`), and a little context. */
function lineDifference(before: string, after: string): string {
  const old = before.split('\n');
  const now = after.split('\n');
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  )
    end += 1;
  const lines = [
    ...old.slice(Math.max(0, start - around), start).map((line) => `  ${line}`),
    ...bounded(old.slice(start, old.length - end), '-'),
    ...bounded(now.slice(start, now.length - end), '+'),
    ...old.slice(old.length - end, old.length - end + around).map((line) => `  ${line}`),
  ];
  return lines.join('\n');
}

function bounded(lines: readonly string[], sign: string): string[] {
  const signed = lines.slice(0, mostLines).map((line) => `${sign} ${line}`);
  return lines.length > mostLines ? [...signed, `${sign} … ${lines.length - mostLines} more lines`] : signed;
}
