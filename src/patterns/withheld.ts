/** Texts of which a part is unknown (a secret, too long, or not UTF-8): what holds whatever that part is. Pure. */
import { cutMark } from '../kernel/cut-mark.ts';
import { maskedHeaders } from '../kernel/masked-headers.ts';
import { foreignMark } from '../kernel/utf8-text.ts';
import type { Mismatch } from './match-result.ts';
import { mismatchAt, type Place } from './place.ts';

const token = /‹secret:([^›:]{1,200})(?::[^›]{1,200})?›/g;
const onlyTokens = /^(?:‹secret:[^›:][^›]{0,400}›)+$/;
const numberToken = /^‹secret:[^›:]{1,200}:number(?:-minus)?›$/;
const masked = new RegExp(`(?:^|[.["])(?:${maskedHeaders.join('|')})(?:"\\])?(?:\\[\\d+\\])?$`);

/** Why the text at a place is not known as a whole; undefined if it is. */
export function withheldAt({ value, path }: Place): string | undefined {
  if (typeof value !== 'string') return undefined;
  const name = value.includes('‹secret:') ? value.match(new RegExp(token.source))?.[1] : undefined;
  if (name !== undefined) return `the text contains the secret ${name}, of which only a token is kept`;
  if (value.includes(foreignMark)) return 'a part of the text is not UTF-8';
  if (isCut(value)) return 'a part of the text was not kept';
  return isMasked(value, path) ? 'only the scheme of this header is kept' : undefined;
}

function isCut(value: string): boolean {
  return value.includes(cutMark);
}

function isMasked(value: string, path: string): boolean {
  return value.includes('…') && masked.test(path);
}

export type Answer = 'yes' | 'no' | 'open';
type Ask = (text: string, part: string) => boolean;

/** Whether a text has a part, if the answer may depend on what is unknown. */
export function askText(place: Place, part: string, kind: 'start' | 'end' | 'inside', ask: Ask): Answer {
  const text = place.value as string;
  if (withheldAt(place) === undefined) return ask(text, part) ? 'yes' : 'no';
  const stand = standIns(place.path, (index) => String.fromCharCode(0xe000 + index));
  const [whole, wanted] = [stand(text), stand(part)];
  if (ask(whole, wanted)) return 'yes';
  if (onlyTokens.test(part) && !isCut(text)) return 'no';
  if (kind === 'inside') return 'open';
  const sides = [whole, wanted].map((side) => (kind === 'start' ? [...side] : [...side].reverse()));
  const [have = [], want = []] = sides;
  const differs = want.findIndex((char, index) => char !== have[index]);
  const unknown = have.findIndex((char) => /[\ue000-\uf8ff]/.test(char));
  return differs < unknown ? 'no' : 'open';
}

/** An expression holds for certain if it holds for every kind of secret, and fails if the text begins otherwise. */
export function askRegex(place: Place, source: string, flags: string, test: Ask): Answer {
  const text = place.value as string;
  if (withheldAt(place) === undefined) return test(text, source) ? 'yes' : 'no';
  const holds = sorts.every((sort) => {
    const stand = standIns(place.path, sort);
    return test(stand(text), stand(source));
  });
  if (holds) return 'yes';
  const known = text.slice(0, text.search(unknownIn(place.path)));
  const beginning = flags.includes('m') ? '' : beginningOf(source).slice(0, known.length);
  if (!test(known, `^${beginning}`)) return 'no';
  return onlyTokens.test(source) && !isCut(text) ? 'no' : 'open';
}

const sorts: readonly ((index: number) => string)[] = [
  (index) => String.fromCharCode(0xe000 + index),
  ...['q', 'Q', '7', '-', 'q q', 'q'.repeat(64)].map((text) => () => text),
];

/** What every text begins with that an expression matches; empty where that is not plain. */
function beginningOf(source: string): string {
  const [, plain = '', quantity = ''] = /^\^([^\\^$.*+?()[\]{}|‹]*)([*?{]?)/.exec(source) ?? [];
  let outside = source.replaceAll(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]/g, '');
  for (let before = ''; before !== outside; ) {
    before = outside;
    outside = outside.replaceAll(/\([^()]*\)/g, '');
  }
  if (outside.includes('|')) return '';
  return quantity === '' ? plain : [...plain].slice(0, -1).join('');
}

function unknownIn(path: string): RegExp {
  return new RegExp(`${token.source}|${foreignMark}|${cutMark}${masked.test(path) ? '|…' : ''}`, 'g');
}

function standIns(path: string, standIn: (index: number) => string): (text: string) => string {
  const seen: string[] = [];
  const unknown = unknownIn(path);
  return (text) =>
    text.replaceAll(unknown, (found) => {
      if (!seen.includes(found)) seen.push(found);
      return standIn(seen.indexOf(found));
    });
}

/** Two stored texts that differ are different for certain, unless one is a masked header, or was truncated. */
export function isEqualityOpen(expected: unknown, place: Place): boolean {
  if (typeof expected !== 'string' || typeof place.value !== 'string') return false;
  if (isCut(place.value)) return isAround(place.value.split(cutMark), expected);
  if (!isMasked(place.value, place.path) || expected.includes('‹secret:')) return false;
  return askText(place, expected, 'start', (text, part) => text === part) === 'open';
}

/** Whether a text begins and ends with what is known of another. */
function isAround(parts: readonly string[], text: string): boolean {
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  return text.length >= first.length + last.length && text.startsWith(first) && text.endsWith(last);
}

/** A number that is a secret is kept as a text. */
export function isHiddenNumber(value: unknown): boolean {
  return typeof value === 'string' && numberToken.test(value);
}

/** The answer of an operator: nothing if it holds, and that it is unknown if the answer is open. */
export function answerAt(answer: Answer, place: Place, expected: () => string): readonly Mismatch[] {
  if (answer === 'yes') return [];
  const mismatch = mismatchAt(place, expected());
  return [answer === 'no' ? mismatch : { ...mismatch, open: withheldAt(place) ?? 'a part is not kept' }];
}

/** The reason why a nested match is neither fulfilled nor failed. */
export function openIn(mismatches: readonly Mismatch[]): string | undefined {
  return mismatches.every(({ open }) => open !== undefined) ? mismatches[0]?.open : undefined;
}

/** The reason why the failure of a nested match does not prove the contrary. */
export function doubtIn(mismatches: readonly Mismatch[]): string | undefined {
  const doubts = mismatches.map(({ open, doubt }) => open ?? doubt);
  return doubts.includes(undefined) ? undefined : doubts[0];
}

/** What several nested matches leave open, for the one mismatch that summarizes them. */
export function createDoubts(): {
  note(mismatches: readonly Mismatch[]): void;
  all(): Pick<Mismatch, 'open' | 'doubt'>;
} {
  let open: string | undefined;
  let doubt: string | undefined;
  return {
    note: (mismatches) => {
      open ??= openIn(mismatches);
      doubt ??= doubtIn(mismatches);
    },
    all: () => (open !== undefined ? { open } : doubt !== undefined ? { doubt } : {}),
  };
}
