/** Two values of two runs, the first of one that passed: the same but for ids, something else, or not to be told. */
import { extendPath } from '../../../patterns/value-path.ts';
import { varies } from './green-digest.ts';
import { beginningOf, tooMuch } from './kept-value.ts';

export interface Comparison {
  readonly likeness: 'same' | 'unsure' | 'differs';
  /** The first place where they differ. */
  readonly at?: string;
  readonly was?: unknown;
  readonly is?: unknown;
  /** Ids that stand in the same places. */
  readonly links: readonly Link[];
}

export type Link = readonly [was: string, is: string];

export function compareValues(was: unknown, is: unknown): Comparison {
  const links: Link[] = [];
  let unsure = false;
  let first: Pick<Comparison, 'at' | 'was' | 'is'> | undefined;
  const differ = (at: string, before: unknown, now: unknown): void => {
    first ??= { at, was: before, is: now };
  };
  const walk = (before: unknown, now: unknown, at: string, key: string): void => {
    if (first || before === varies || now === varies) return;
    if (before === tooMuch || now === tooMuch) {
      unsure ||= before !== now;
      return;
    }
    if (typeof before === 'string' && typeof now === 'string') {
      const likeness = compareTexts(before, now, links);
      if (likeness === 'unsure') unsure = true;
      if (likeness === 'differs') differ(at, before, now);
    } else if (typeof before === 'number' && typeof now === 'number') {
      if (before !== now && !isDrawnNumber(before, now, key)) differ(at, before, now);
    } else if (Array.isArray(before) && Array.isArray(now)) {
      before.slice(0, now.length).forEach((item, index) => {
        walk(item, now[index], extendPath(at, index), '');
      });
      if (before.length !== now.length) differ(at, before, now);
    } else if (isMap(before) && isMap(now)) {
      for (const name of new Set([...Object.keys(before), ...Object.keys(now)]))
        walk(before[name], now[name], extendPath(at, name), name);
    } else if (before !== now) differ(at, before, now);
  };
  walk(was, is, '$', '');
  if (first) return { likeness: 'differs', ...first, links };
  return { likeness: unsure ? 'unsure' : 'same', links };
}

/** Word by word: two that differ may, where both look like something that was drawn. */
function compareTexts(was: string, is: string, links: Link[]): Comparison['likeness'] {
  if (was === is) {
    for (const word of was.match(words) ?? []) if (isDrawn(word)) links.push([word, word]);
    return 'same';
  }
  const [begun, begins] = [beginningOf(was), beginningOf(is)];
  if (begun !== undefined && begins !== undefined)
    // The ends of the two may differ in ids alone; their hashes cannot say.
    return compareTexts(begun, begins, []) === 'differs' ? 'differs' : 'unsure';
  if (was.replaceAll(words, '') !== is.replaceAll(words, '')) return 'differs';
  const [before, now] = [was.match(words) ?? [], is.match(words) ?? []];
  if (before.length !== now.length) return 'differs';
  const pairs = before.map((word, index): Link => [word, now[index] ?? '']);
  if (pairs.some(([one, other]) => one !== other && !(isDrawn(one) && isDrawn(other)))) return 'differs';
  links.push(...pairs.filter(([one, other]) => isDrawn(one) && isDrawn(other)));
  return 'same';
}

const time = String.raw`\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?`;
const span = String.raw`\d+(?:\.\d+)? ?(?:ms|s|µs)(?![\p{L}\p{N}])`;
const words = new RegExp(String.raw`‹[^‹›]*›|${time}|${span}|[\p{L}\p{N}_-]+`, 'gu');
const measured = new RegExp(String.raw`^(?:${time}|${span}|\d{4}-\d{2}-\d{2})$`, 'u');

/** An id, a time or an address that was given a name; or letters and digits mixed as nobody would write them. */
function isDrawn(word: string): boolean {
  if (word.startsWith('‹')) return word !== varies;
  if (measured.test(word)) return true;
  return word.length >= 6 && /\d/.test(word) && /\p{L}/u.test(word);
}

/** The same text with everything in it that was drawn left out. */
export function withoutDrawn(text: string): string {
  return text.replaceAll(words, (word) => (isDrawn(word) ? '‹›' : word));
}

/** Moments since 1970, and numbers that count up from run to run. */
function isDrawnNumber(was: number, is: number, key: string): boolean {
  const isMoment = (number: number): boolean => number >= 1e9 && number < 1e14;
  return (isMoment(was) && isMoment(is)) || /(?:^|_)(?:id|seq|pid|port)$|(?:Id|Seq|Port)$/.test(key);
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
