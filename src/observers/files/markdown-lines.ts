/** What a line of Markdown can begin, as CommonMark has it; each takes the line without the marks of quotes and lists. Pure. */

export interface Fence {
  /** All of its backticks or tildes. */
  readonly mark: string;
}

export function fenceAt(line: string): Fence | undefined {
  const [, mark, info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/s.exec(line) ?? [];
  if (mark === undefined || (mark.startsWith('`') && info.includes('`'))) return undefined;
  return { mark };
}

/** By as many of the same mark, alone on the line. */
export function closesFence(line: string, { mark }: Fence): boolean {
  const [, found] = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line) ?? [];
  return found?.startsWith(mark) === true;
}

/** `## Title`, also with marks after it. */
export function headingAt(line: string): { readonly level: number; readonly text: string } | undefined {
  const [start, marks] = /^ {0,3}(#{1,6})(?=[ \t]|$)/.exec(line) ?? [];
  if (start === undefined || marks === undefined) return undefined;
  const text = line.slice(start.length).trim();
  let end = text.length;
  while (text[end - 1] === '#') end -= 1;
  const isClosed = end === 0 || /[ \t]/.test(text[end - 1] as string);
  return { level: marks.length, text: isClosed ? text.slice(0, end).trimEnd() : text };
}

/** The level of the heading that this line makes of the paragraph above it. */
export function underlineAt(line: string): number | undefined {
  const [, mark] = /^ {0,3}(=+|-+)[ \t]*$/.exec(line) ?? [];
  if (mark === undefined) return undefined;
  return mark.startsWith('=') ? 1 : 2;
}

export function isRule(line: string): boolean {
  return /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/.test(line);
}

/** A head with as many cells as the rule below it has parts. */
export function beginsTable(head: string, rule: string): boolean {
  const isTableRule = rule.includes('|') && /^[|:\- \t]+$/.test(rule) && cellsOf(rule).every(isPart);
  return isTableRule && cellsOf(head).length === cellsOf(rule).length;
}

function isPart(cell: string): boolean {
  return /^\s*:?-+:?\s*$/.test(cell);
}

function cellsOf(row: string): readonly string[] {
  return row
    .trim()
    .replaceAll(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/);
}

export interface ItemMark {
  /** Up to its content. */
  readonly width: number;
  readonly isEmpty: boolean;
  /** Whether a list may begin with it right below a paragraph. */
  readonly mayInterrupt: boolean;
}

export function itemAt(line: string): ItemMark | undefined {
  const [mark, word] = /^ {0,3}([-+*]|\d{1,9}[.)])(?= |$)/.exec(line) ?? [];
  if (mark === undefined || word === undefined) return undefined;
  const rest = line.slice(mark.length);
  const isEmpty = rest.trim() === '';
  const spaces = indentOf(rest);
  // More than that is indented code, one space after the mark.
  const width = mark.length + (isEmpty || spaces > 4 ? 1 : spaces);
  return { width, isEmpty, mayInterrupt: !isEmpty && (word.length === 1 || /^0*1\D$/.test(word)) };
}

/** HTML in which nothing is Markdown up to what ends it, an empty line included: code, comments, instructions. */
export function rawHtmlAt(line: string): RegExp | undefined {
  return rawHtml.find(([begin]) => begin.test(line))?.[1];
}

const rawHtml: readonly (readonly [begin: RegExp, end: RegExp])[] = [
  [/^ {0,3}<(?:script|pre|style|textarea)(?:[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<\?/, /\?>/],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/],
  [/^ {0,3}<![a-z]/i, />/],
];

/** A line of tags. What follows may look like Markdown and is taken for it, though CommonMark waits for an empty line. */
export function isTagLine(line: string, isInParagraph: boolean): boolean {
  return blockTag.test(line) || (!isInParagraph && onlyTag.test(line));
}

const blockNames = `address article aside base basefont blockquote body caption center col colgroup dd details dialog
  dir div dl dt fieldset figcaption figure footer form frame frameset h[1-6] head header hr html iframe legend li link
  main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead title
  tr track ul`;
const blockTag = new RegExp(`^ {0,3}</?(?:${blockNames.split(/\s+/).join('|')})(?:\\s|/?>|$)`, 'i');
const onlyTag = /^ {0,3}<\/?[a-z][a-z0-9-]*(?:\s[^<>]*)?\/?>[ \t]*$/i;

export function indentOf(line: string): number {
  let at = 0;
  while (line[at] === ' ') at += 1;
  return at;
}

/** Before the text of a line, a tab leads to the next column that is a multiple of four. */
export function withoutTabs(line: string): string {
  const [marks = ''] = /^[ \t>*+\-\d.)]*/.exec(line) ?? [];
  if (!marks.includes('\t')) return line;
  let wide = '';
  for (const character of marks) wide += character === '\t' ? ' '.repeat(4 - (wide.length % 4)) : character;
  return wide + line.slice(marks.length);
}
