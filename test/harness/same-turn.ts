/** Whether what was folded is the turn that was meant, as far as its dialect can carry it. */
import { isDeepStrictEqual } from 'node:util';
import { cutText } from '../../src/kernel/cut-text.ts';
import type {
  DialectName,
  FoldedPart,
  FoldedTurn,
  StopReason,
  Turn,
  Usage,
} from '../../src/protocols/turn/turn.ts';
import { type Carries, dialectCarries } from './dialect-carries.ts';

export interface SameTurnOptions {
  /** The shape has other ids, or none. */
  readonly ids?: false;
  /** The shape ends with another reason; false where it does not matter. */
  readonly stop?: StopReason | false;
  /** The answer was not asked for its usage. */
  readonly usage?: false;
}

/** The first difference as a text; undefined where there is none. Completeness is not compared. */
export function sameTurn(
  dialect: DialectName,
  expected: Turn,
  folded: FoldedTurn,
  options: SameTurnOptions = {},
): string | undefined {
  const carries = dialectCarries[dialect];
  const wanted = normalParts(expected.parts, carries, options);
  const found = normalParts(folded.parts, carries, options);
  for (let at = 0; at < Math.max(wanted.length, found.length); at += 1) {
    if (!isDeepStrictEqual(wanted[at], found[at])) {
      return `part ${at + 1} is ${shown(found[at])}, expected ${shown(wanted[at])}`;
    }
  }
  return (
    stopDifference(carries, expected, folded, options) ?? usageDifference(carries, expected, folded, options)
  );
}

function normalParts(
  parts: readonly FoldedPart[],
  carries: Carries,
  options: SameTurnOptions,
): readonly FoldedPart[] {
  const kept = parts.map((part) => normalPart(part, carries, options)).filter((part) => !isEmpty(part));
  const ordered = carries.order
    ? kept
    : groupOrder.flatMap((kind) => kept.filter((part) => part.kind === kind));
  const joined: FoldedPart[] = [];
  for (const part of ordered) {
    const before = joined.at(-1);
    const both = before === undefined ? undefined : joinParts(before, part, carries);
    if (both === undefined) joined.push(part);
    else joined[joined.length - 1] = both;
  }
  return joined;
}

const groupOrder = ['reasoning', 'text', 'refusal', 'call', 'other'] as const;

function normalPart(part: FoldedPart, carries: Carries, options: SameTurnOptions): FoldedPart {
  if (part.kind === 'refusal' && !carries.refusal) return { kind: 'text', text: part.text };
  if (part.kind === 'call') return options.ids === false ? { ...part, id: '' } : part;
  if (part.kind !== 'reasoning') return part;
  const { signature, redacted } = part;
  return {
    kind: 'reasoning',
    text: part.text,
    ...(carries.signature && signature !== undefined ? { signature } : {}),
    ...(carries.redacted && redacted !== undefined ? { redacted } : {}),
  };
}

function isEmpty(part: FoldedPart): boolean {
  if (part.kind === 'text' || part.kind === 'refusal') return part.text === '';
  if (part.kind !== 'reasoning') return false;
  return part.text === '' && part.signature === undefined && part.redacted === undefined;
}

function joinParts(before: FoldedPart, part: FoldedPart, carries: Carries): FoldedPart | undefined {
  if (part.kind === 'call' || part.kind === 'other' || before.kind !== part.kind) return undefined;
  if (!carries.joins.includes(part.kind)) return undefined;
  return { ...before, ...part, text: before.text + part.text };
}

function stopDifference(
  carries: Carries,
  expected: Turn,
  folded: FoldedTurn,
  options: SameTurnOptions,
): string | undefined {
  if (options.stop === false) return undefined;
  const wanted = options.stop ?? carriedStop(carries, expected);
  return wanted === folded.stop
    ? undefined
    : `it stopped by ${shown(folded.stop)}, expected ${shown(wanted)}`;
}

function carriedStop(carries: Carries, { stop, parts }: Turn): StopReason {
  const carried = carries.stops[stop];
  if (!carries.stopFollowsParts || !['end', 'tool-calls', 'refusal'].includes(carried)) return carried;
  if (parts.some(({ kind }) => kind === 'call')) return 'tool-calls';
  return parts.some((part) => part.kind === 'refusal' && part.text !== '') && carries.refusal
    ? 'refusal'
    : 'end';
}

function usageDifference(
  carries: Carries,
  expected: Turn,
  folded: FoldedTurn,
  options: SameTurnOptions,
): string | undefined {
  if (options.usage === false || expected.usage === undefined) return undefined;
  const wanted = carriedUsage(carries, expected.usage);
  const found = folded.usage === null ? null : carriedUsage(carries, folded.usage);
  if (isDeepStrictEqual(wanted, found)) return undefined;
  return `the usage is ${shown(found)}, expected ${shown(wanted)}`;
}

/** Nothing cached and no mention of a cache are the same. */
function carriedUsage(carries: Carries, usage: Usage): Usage {
  return {
    input: usage.input,
    output: usage.output,
    ...(carries.cachedInput ? { cachedInput: usage.cachedInput ?? 0 } : {}),
    ...(carries.reasoningUsage ? { reasoning: usage.reasoning ?? 0 } : {}),
  };
}

const shownChars = 300;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing';
  return cutText(text, shownChars);
}
