/** Golden outputs: what was seen, with everything that differs from run to run named instead of shown, against what was accepted. */
import { cutMark } from '../kernel/cut-mark.ts';
import { isContainer } from '../kernel/exact-json.ts';
import { printValue } from '../patterns/print-value.ts';
import { canonicalise } from './canonical-value.ts';
import type { Held } from './hold-against.ts';
import { lineDifference } from './line-difference.ts';
import type { Golden } from './trial-record.ts';

export function judgeGolden(golden: Golden, value: unknown): Held {
  const reads = ['$'];
  const seen = canonicalText(value);
  const expected = `what ${golden.file} holds`;
  if (golden.accepted === undefined) {
    const explanation = `nothing was accepted yet; look at it, then: shakedown judge latest --accept`;
    return {
      held: false,
      expected,
      observed: printValue(value),
      explanation,
      undecided: 'no golden output',
      reads,
    };
  }
  const accepted = canonicalText(golden.accepted);
  const undecided = 'a part of what was seen was not kept';
  if (isPartial.test(seen))
    return { held: false, expected, observed: printValue(value), explanation: undecided, undecided, reads };
  if (accepted === seen) return { held: true, expected, observed: 'the same', reads };
  const explanation = `${lineDifference(accepted, seen)}\nright as it is now? shakedown judge latest --accept`;
  return { held: false, expected, observed: 'something else', explanation, reads };
}

const isPartial = new RegExp(`"\\$dropped": \\{|${cutMark}"`);

export function canonicalText(value: unknown): string {
  return JSON.stringify(withoutMeasures(canonicalise(value)), undefined, 2);
}

/** Lengths and digests of contents in which something is masked differ with it. What was accepted before has them still. */
function withoutMeasures(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMeasures);
  if (!isContainer(value)) return value;
  const inner = mapEntries(value, (_, part) => withoutMeasures(part));
  const isMasked = (key: string): boolean => mask.test(JSON.stringify(inner[key]) ?? '');
  // Of what was cut off, only the digest speaks.
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
