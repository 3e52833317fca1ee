/** Keeps the lines of one attempt, and chooses the one that a call gets. */
import { isMap } from '../../../kernel/is-map.ts';
import { explainMismatch } from '../../../patterns/explain-mismatch.ts';
import { matchPattern } from '../../../patterns/match-pattern.ts';
import { type MatchResult, selects } from '../../../patterns/match-result.ts';
import { clipText } from '../../../patterns/print-value.ts';
import { type OpenLine, openLine, type ScriptValues } from '../../script-values.ts';
import type { ModelScript, RequestView, ScriptLine } from '../script-line.ts';

export interface Script {
  /** The line is used up by that. */
  choose(caller: string, view: () => RequestView, how?: Choosing): Choice;
  /** How many lines were not used, or not as often as required. */
  owed(): number;
  unused(): readonly { readonly caller: string; readonly line: number; readonly what: string }[];
}

interface Choosing {
  /** What a step has not given by now counts as absent. */
  readonly isLast?: boolean;
  /** It needs no line, and gets only one that says what is asked: the embedding of a text uses up no line for a turn about it. */
  readonly isQuestion?: boolean;
}

export type Choice =
  | {
      readonly kind: 'line';
      readonly line: ScriptLine;
      readonly isTemplate: boolean;
      /** From 1, in the list of the caller; undefined for a standing line. */
      readonly number: number | undefined;
    }
  /** A line waits for what a step gives, and the step has not ended. */
  | { readonly kind: 'undecided'; readonly waitsFor: unknown }
  | { readonly kind: 'ambiguous' | 'unscripted'; readonly what: string };

/**
 * What a call gets, in this order: a line of the trial whose `when` fits; a standing line whose `when` fits, which may be for
 * unrelated calls; the next line of the trial; a standing line for everything. The caller's own standing lines come
 * before those for each.
 */
export function openScript(script: ModelScript, standing: ModelScript, values: ScriptValues): Script {
  const books = new Map(Object.entries(script).map(([caller, lines]) => [caller, openBook(lines, false)]));
  const always = new Map(Object.entries(standing).map(([caller, lines]) => [caller, openBook(lines, true)]));
  const bookOf = (caller: string): Book => books.get(caller) ?? books.get('*') ?? noLines;
  return {
    choose: (caller, view, { isLast = false, isQuestion = false } = {}) => {
      const all = [bookOf(caller), always.get(caller) ?? noLines, always.get('*') ?? noLines] as const;
      const [own, ...beside] = isQuestion ? askingAlone(all) : all;
      const fits = fitting([own, ...beside], view, values);
      if (fits.length > 1) return { kind: 'ambiguous', what: severalFit(fits) };
      const early = isLast || fits.length > 0 ? [] : own.byContent.filter((entry) => isEarly(entry, values));
      if (early.length > 0) return { kind: 'undecided', waitsFor: early.map(({ line }) => line.when) };
      const entry = fits[0] ?? own.next() ?? beside[0].next() ?? beside[1].next();
      if (entry === undefined) return { kind: 'unscripted', what: nothingFits(own, view, values) };
      entry.left -= 1;
      const { line, isTemplate, number, isStanding } = entry;
      return { kind: 'line', line, isTemplate, number: isStanding ? undefined : number };
    },
    owed: () => [...books.values()].reduce((sum, { entries }) => sum + entries.filter(isOwed).length, 0),
    unused: () => [...books].flatMap(([caller, book]) => unusedOf(caller, book)),
  };
}

interface Entry extends OpenLine<ScriptLine> {
  readonly number: number;
  /** How often it may still be used. */
  left: number;
  /** Lines of one group do not make each other ambiguous. */
  readonly group: string;
  readonly isStanding: boolean;
}

interface Book {
  readonly entries: readonly Entry[];
  readonly byContent: readonly Entry[];
  /** Of the lines without `when`, the first that is left. */
  next(): Entry | undefined;
}

type Books = readonly [own: Book, Book, Book];

function askingAlone(books: Books): Books {
  const asking = ({ byContent }: Book): Book => ({
    ...noLines,
    byContent: byContent.filter(({ line: { when } }) => isMap(when) && when.asks !== undefined),
  });
  return [asking(books[0]), asking(books[1]), asking(books[2])];
}

const noLines: Book = { entries: [], byContent: [], next: () => undefined };

function openBook(lines: readonly ScriptLine[], isStanding: boolean): Book {
  const entries = lines.map((line, index) => ({
    ...openLine(line),
    number: index + 1,
    left: timesOf(line, isStanding),
    group: line.firstOf ?? JSON.stringify(line.when),
    isStanding,
  }));
  const inOrder = entries.filter(({ line }) => line.when === undefined);
  let at = 0;
  return {
    entries,
    byContent: entries.filter(({ line }) => line.when !== undefined),
    next: () => {
      while (inOrder[at]?.left === 0) at += 1;
      return inOrder[at];
    },
  };
}

function timesOf({ times }: ScriptLine, isStanding: boolean): number {
  if (times === 'any') return Number.POSITIVE_INFINITY;
  return times ?? (isStanding ? Number.POSITIVE_INFINITY : 1);
}

/** The line whose `when` fits, from the first book that has one; several where they wait for different things. */
function fitting(books: readonly Book[], view: () => RequestView, values: ScriptValues): readonly Entry[] {
  for (const { byContent } of books) {
    const fits = byContent.filter((entry) => entry.left > 0 && selects(match(entry, view, values)));
    const groups = new Map(fits.toReversed().map((entry) => [entry.group, entry]));
    if (groups.size > 0) return [...groups.values()].sort((a, b) => a.number - b.number);
  }
  return [];
}

function match({ line, isTemplate }: Entry, view: () => RequestView, values: ScriptValues): MatchResult {
  return isTemplate ? values.match(line.when, view()) : matchPattern(line.when, view());
}

function isEarly({ line, isTemplate, left }: Entry, values: ScriptValues): boolean {
  return isTemplate && left > 0 && values.isEarly(line.when);
}

function severalFit(entries: readonly Entry[]): string {
  const [first, ...others] = entries.map(({ number, line }) => `line ${number} (${describeLine(line)})`) as [
    string,
    ...string[],
  ];
  return `${first} and ${others.join(' and ')} both fit`;
}

function nothingFits({ entries }: Book, view: () => RequestView, values: ScriptValues): string {
  if (entries.length === 0) return 'there is no script for it';
  const left = entries.filter((entry) => entry.left > 0);
  if (left.length === 0)
    return `${entries.length === 1 ? 'its one line has' : `all ${entries.length} lines have`} been used`;
  const lines =
    left.length === 1
      ? '1 line is left, and it does not fit'
      : `${left.length} lines are left, and none fits`;
  const [nearest] = left
    .map((entry) => ({ entry, result: match(entry, view, values) }))
    .sort((a, b) => a.result.mismatches.length - b.result.mismatches.length);
  return nearest ? `${lines}: line ${nearest.entry.number} ${onOneLine(nearest.result)}` : lines;
}

/** The mismatches of a pattern in the space of a message. */
export function onOneLine(result: MatchResult): string {
  const [first] = result.mismatches;
  if (first === undefined || result.exceeded !== undefined)
    return explainMismatch(result).replaceAll(/\s*\n\s*/g, '; ');
  const others = result.mismatches.length - 1 + result.omitted;
  const more = others === 0 ? '' : `, and ${others} more`;
  return `expects ${first.expected} at ${first.path} and got ${first.observed}${more}`;
}

function isOwed({ left }: Entry): boolean {
  return left > 0 && Number.isFinite(left);
}

function unusedOf(caller: string, { entries }: Book): ReturnType<Script['unused']> {
  return entries.filter(isOwed).map(({ line, number, left }) => {
    const times = typeof line.times === 'number' ? line.times : 1;
    const shown = times === left ? '' : `, used ${times - left} of ${times} times`;
    return { caller, line: number, what: `${describeLine(line)}${shown}` };
  });
}

const mostChars = 80;

export function describeLine(line: ScriptLine): string {
  const { says, reasons, hides, refuses, calls, embeds, error, hangs, stop } = line;
  if (error) return `error ${error.status}`;
  if (hangs) return 'hangs';
  if (embeds) return `embeds ${embeds.length} vectors`;
  const parts = [
    ...(reasons === undefined ? [] : [`reasons ${quoted(reasons)}`]),
    ...(hides === undefined ? [] : [`hides ${quoted(hides)}`]),
    ...(says === undefined ? [] : [`says ${quoted(says)}`]),
    ...(refuses === undefined ? [] : [`refuses ${quoted(refuses)}`]),
    ...(calls === undefined || calls.length === 0
      ? []
      : [`calls ${calls.map(({ name }) => name).join(', ')}`]),
  ];
  return clipText(parts.join(', ') || `stops with ${stop ?? 'end'}`, mostChars);
}

function quoted(text: string): string {
  return JSON.stringify(clipText(text, 40));
}
