/** What a Markdown text is made of, as far as requirements need it: headings, tables, and the lines between them. */
import { type Line, visibleLines } from './visible-lines.ts';

export interface Heading {
  /** From 1 to 6. */
  readonly level: number;
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

export interface Cell {
  /** Without the spaces around it; an escaped pipe is a pipe. */
  readonly text: string;
  /** Where it begins in the whole text. */
  readonly offset: number;
}

export interface Row {
  readonly line: number;
  readonly offset: number;
  /** As it stands in the file. */
  readonly written: string;
  readonly cells: readonly Cell[];
}

export interface Table {
  /** The headings above it, the outermost first. */
  readonly under: readonly Heading[];
  readonly header: Row;
  readonly rows: readonly Row[];
}

export interface PlainLine {
  readonly under: readonly Heading[];
  readonly line: number;
  readonly offset: number;
  readonly text: string;
}

export interface MarkdownOutline {
  readonly headings: readonly Heading[];
  readonly tables: readonly Table[];
  /** What is neither heading nor table nor code. */
  readonly lines: readonly PlainLine[];
  /** Where comments begin that never end. */
  readonly unclosed: readonly number[];
}

/** Code and comments hold examples, not requirements. */
export function markdownOutline(text: string): MarkdownOutline {
  const { lines: all, unclosed } = visibleLines(text);
  const headings: Heading[] = [];
  const tables: Table[] = [];
  const lines: PlainLine[] = [];
  let under: readonly Heading[] = [];
  for (let at = 0; at < all.length; at += 1) {
    const line = all[at] as Line;
    const next = all[at + 1];
    const heading = headingOf(line, next);
    if (heading) {
      headings.push(heading);
      under = [...under.filter(({ level }) => level < heading.level), heading];
    } else if (next && isHeaderOf(line, next)) {
      const rows = all.slice(at + 2).slice(0, endOfTable(all, at + 2));
      tables.push({ under, header: rowOf(line), rows: rows.map(rowOf) });
      at += 1 + rows.length;
    } else if (line.text.trim() !== '') {
      lines.push({ under, line: line.number, offset: line.offset, text: line.text });
    }
  }
  return { headings, tables, lines, unclosed };
}

/** `## Heading`, or a line that is underlined. */
function headingOf({ number, text }: Line, next: Line | undefined): Heading | undefined {
  const [, marks, words] = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/.exec(text) ?? [];
  if (marks !== undefined) return { level: marks.length, text: words ?? '', line: number };
  const [, under] = /^ {0,3}(=+|-+)\s*$/.exec(next?.text ?? '') ?? [];
  if (under === undefined || text.trim() === '' || text.includes('|') || /^\s*(?:[-*+>]|\d+\.)\s/.test(text))
    return undefined;
  return { level: under.startsWith('=') ? 1 : 2, text: text.trim(), line: number };
}

const delimiter = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

function isHeaderOf(line: Line, next: Line): boolean {
  return line.text.includes('|') && next.text.includes('|') && delimiter.test(next.text);
}

/** A table goes on until a line that is empty or has no cells. */
function endOfTable(lines: readonly Line[], from: number): number {
  const end = lines.slice(from).findIndex(({ text }) => text.trim() === '' || !text.includes('|'));
  return end < 0 ? lines.length - from : end;
}

export function rowOf({ number, offset, text }: Line): Row {
  const cells: Cell[] = [];
  let start = text.search(/\S/);
  if (text[start] === '|') start += 1;
  const last = text.trimEnd().length;
  for (let at = start; at <= last; at += 1) {
    const isEnd = at === last || (text[at] === '|' && !isEscaped(text, at));
    if (!isEnd) continue;
    if (at < last || text.slice(start, at).trim() !== '') {
      const inner = text.slice(start, at);
      const lead = inner.length - inner.trimStart().length;
      cells.push({ text: inner.trim().replaceAll('\\|', '|'), offset: offset + start + lead });
    }
    start = at + 1;
  }
  return { line: number, offset, written: text.trim(), cells };
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
}

/** The words of a cell or a heading without their marks: `**[INT-001](x)**` is `INT-001`. */
export function plainWords(text: string): string {
  return text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*~]/g, '')
    .replaceAll(/(?<!\w)_|_(?!\w)/g, '')
    .trim();
}
