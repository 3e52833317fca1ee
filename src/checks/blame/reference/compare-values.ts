/** Compares two values of two runs, the first from a passing one: the same except for ids, different, or unsure. */
import { defined } from '../../../kernel/defined.ts';
import { compareNumbers, isAnyNumber } from '../../../kernel/exact-json.ts';
import { isMap } from '../../../kernel/is-map.ts';
import { printValue } from '../../../patterns/print-value.ts';
import { extendPath } from '../../../patterns/value-path.ts';
import { beginningOf, tooMuch } from './kept-value.ts';
import { varies } from './reference-digest.ts';

export interface Comparison {
  readonly likeness: 'same' | 'unsure' | 'differs';
  /** One of them was not kept as a whole. */
  readonly unkept?: true;
  /** The first place where they differ, or may. */
  readonly at?: string;
  readonly was?: unknown;
  readonly is?: unknown;
  /** The same elements came in another order there. */
  readonly moved?: string;
  /** Ids at corresponding places. */
  readonly links: readonly Link[];
}

export type Link = readonly [was: string, is: string];

/** `isLearned`: of the first it is known which words change from run to run. Any other that looks generated may be a difference. */
export function compareValues(was: unknown, is: unknown, isLearned = false): Comparison {
  const links: Link[] = [];
  let isUnkept = false;
  let first: Pick<Comparison, 'at' | 'was' | 'is'> | undefined;
  let changed: typeof first;
  let moved: string | undefined;
  const differ = (at: string, before: unknown, now: unknown): void => {
    first ??= { at, was: before, is: now };
  };
  const walk = (before: unknown, now: unknown, at: string, key: string): void => {
    if (first || before === varies || now === varies) return;
    if (before === tooMuch || now === tooMuch) isUnkept = true;
    else if (typeof before === 'string' && typeof now === 'string') {
      const isGiven = isName(key) && isCounted(before, now);
      if (isGiven) links.push([before, now]);
      const likeness = isGiven ? 'same' : compareTexts(before, now, links);
      isUnkept ||= likeness === 'unsure';
      if (likeness === 'differs') differ(at, before, now);
      if (isLearned && likeness === 'same' && hasNewName(before, now))
        changed ??= { at, was: before, is: now };
    } else if (isAnyNumber(before) && isAnyNumber(now)) {
      if (compareNumbers(before, now) === 0 || areMoments(Number(before), Number(now))) return;
      if (!isName(key)) differ(at, before, now);
      else if (isLearned) changed ??= { at, was: before, is: now };
    } else if (Array.isArray(before) && Array.isArray(now)) {
      const beside = inOrder(before, now);
      if (beside.some((item, index) => item !== now[index])) moved ??= at;
      beside.forEach((item, index) => {
        walk(before[index], item, extendPath(at, index), '');
      });
      if (before.length !== now.length) differ(at, before, now);
    } else if (isMap(before) && isMap(now)) {
      for (const name of new Set([...Object.keys(before), ...Object.keys(now)]))
        walk(before[name], now[name], extendPath(at, name), name);
    } else if (before !== now) differ(at, before, now);
  };
  walk(was, is, '$', '');
  if (first) return { likeness: 'differs', ...first, links };
  if (isUnkept) return { likeness: 'unsure', unkept: true, links };
  return changed
    ? { likeness: 'unsure', ...changed, links }
    : { likeness: 'same', ...defined({ moved }), links };
}

const mostReordered = 60;

/** The second list with each element aligned to its counterpart: concurrent events come in any order. */
function inOrder(was: readonly unknown[], is: readonly unknown[]): readonly unknown[] {
  const isOpen =
    was.length === is.length && was.length > 1 && was.length <= mostReordered && was.every(isMap);
  if (!isOpen) return is.slice(0, was.length);
  const left = [...is];
  const beside = was.map((before) => {
    const at = left.findIndex((now) => compareValues(before, now).likeness === 'same');
    return at < 0 ? undefined : left.splice(at, 1)[0];
  });
  return beside.map((item) => (item === undefined ? left.shift() : item));
}

/** Word by word: two different words are fine if both look generated. */
function compareTexts(was: string, is: string, links: Link[]): Comparison['likeness'] {
  if (was === is) {
    for (const word of was.match(words) ?? []) if (isDrawn(word)) links.push([word, word]);
    return 'same';
  }
  const [begun, begins] = [beginningOf(was), beginningOf(is)];
  if (begun !== undefined && begins !== undefined)
    // The ends may differ in ids alone; the hashes cannot show that.
    return compareTexts(begun, begins, []) === 'differs' ? 'differs' : 'unsure';
  if (was.replaceAll(words, '') !== is.replaceAll(words, '')) return 'differs';
  const [before, now] = [was.match(words) ?? [], is.match(words) ?? []];
  if (before.length !== now.length) return 'differs';
  const pairs = before.map((word, index): Link => [word, now[index] ?? '']);
  // What is known to vary may look like a word by chance.
  const areNames = ([one, other]: Link): boolean => isDrawn(one) && (isDrawn(other) || one.startsWith(mark));
  if (pairs.some(([one, other]) => one !== other && !areNames([one, other]))) return 'differs';
  links.push(...pairs.filter(areNames).map(([one, other]): Link => [withoutMark(one), other]));
  return 'same';
}

/** A word that was the same in all passing runs is another one now. */
function hasNewName(was: string, is: string): boolean {
  return markChanged(is, was) !== was;
}

/** The second of two texts that are the same, with a mark on the words that changed. */
export function markChanged(was: string, is: string): string {
  if (was === is || beginningOf(is) !== undefined) return is;
  const before = was.match(words) ?? [];
  let place = -1;
  return is.replaceAll(words, (word) => {
    place += 1;
    const isOld = before[place] === word || word.startsWith('‹');
    return isOld ? word : `${mark}${word}›`;
  });
}

const mark = '‹~';

function withoutMark(word: string): string {
  return word.startsWith(mark) ? word.slice(mark.length, -1) : word;
}

const time = String.raw`\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?`;
const span = String.raw`\d+(?:\.\d+)? ?(?:ms|s|µs)(?![\p{L}\p{N}])`;
const words = new RegExp(String.raw`‹[^‹›]*›|${time}|${span}|[\p{L}\p{N}_-]+`, 'gu');
const measured = new RegExp(String.raw`^(?:${time}|${span}|\d{4}-\d{2}-\d{2})$`, 'u');

/** An id, a time or an address that was renamed; or a mix of letters and digits that looks generated. */
function isDrawn(word: string): boolean {
  if (word.startsWith('‹')) return word !== varies;
  if (measured.test(word)) return true;
  return word.length >= 6 && /\d/.test(word) && /\p{L}/u.test(word);
}

/** The same text without its generated words. */
export function withoutDrawn(text: string): string {
  return text.replaceAll(words, (word) => (isDrawn(word) ? '‹›' : word));
}

/** Since 1970, in seconds or milliseconds. */
function areMoments(...numbers: readonly number[]): boolean {
  return numbers.every((number) => number >= 1e9 && number < 1e14);
}

/** Keys of names that count up from run to run. */
function isName(key: string): boolean {
  return /(?:^|_)(?:id|seq|pid|port|session|serial)$|[a-z](?:Id|Seq|Port|Session)$/i.test(key);
}

/** `s-9` and `s-48`: the same except for a number. */
function isCounted(was: string, is: string): boolean {
  return /^[^\s\d]*\d+$/.test(was) && was.replace(/\d+$/, '') === is.replace(/\d+$/, '');
}

/** `"ok" at $.status, where it had "done" when the trial passed` */
export function formatDifference({ at = '$', was, is }: Comparison, verb: string): string {
  const place = at === '$' ? '' : ` at ${at}`;
  const [now, then] =
    Array.isArray(is) && Array.isArray(was) ? [countOf(is), countOf(was)] : [short(is), short(was)];
  return `${now}${place}, where it ${verb} ${then} when the trial passed`;
}

function countOf(list: readonly unknown[]): string {
  return list.length === 1 ? '1 element' : `${list.length} elements`;
}

function short(value: unknown): string {
  return printValue(value, 80).replaceAll(/‹~([^‹›]*)›/g, '$1');
}
