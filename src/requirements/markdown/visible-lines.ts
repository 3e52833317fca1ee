/** The lines of a Markdown text without what nobody sees: code in fences, and comments. */

export interface Line {
  /** From 1. */
  readonly number: number;
  /** Where it begins in the whole text. */
  readonly offset: number;
  readonly text: string;
}

export interface VisibleLines {
  /** What is not seen became spaces, so that everything else keeps its place. */
  readonly lines: readonly Line[];
  /** Where comments begin that never end; nothing is hidden by them. */
  readonly unclosed: readonly number[];
}

export function visibleLines(text: string): VisibleLines {
  return withoutHidden(linesOf(text));
}

function linesOf(text: string): Line[] {
  let offset = 0;
  return text.split('\n').map((line, index) => {
    const start = offset;
    offset += line.length + 1;
    return { number: index + 1, offset: start, text: line };
  });
}

function withoutHidden(all: readonly Line[]): VisibleLines {
  const lines = [...all];
  const unclosed: number[] = [];
  let fence: string | undefined;
  for (let row = 0; row < lines.length; row += 1) {
    const mark = fenceIn(lines[row]?.text ?? '', fence);
    if (fence !== undefined || mark !== undefined) {
      fence = fence === undefined ? mark : mark === undefined ? fence : undefined;
      blank(lines, row, 0, Number.POSITIVE_INFINITY);
      continue;
    }
    for (let from = 0; ; ) {
      const opens = commentIn(lines[row]?.text ?? '', from);
      if (opens < 0) break;
      const end = endOfComment(lines, row, opens);
      if (!end) unclosed.push((lines[row]?.offset ?? 0) + opens);
      from = end?.column ?? opens + 4;
      if (!end) continue;
      for (let at = row; at <= end.row; at += 1)
        blank(lines, at, at === row ? opens : 0, at === end.row ? end.column : Number.POSITIVE_INFINITY);
      row = end.row;
    }
  }
  return { lines, unclosed };
}

/** The mark that opens a block of code here, or closes the one that is open. */
function fenceIn(text: string, open: string | undefined): string | undefined {
  const [, mark, rest = ''] = /^\s*(`{3,}|~{3,})(.*)$/.exec(text) ?? [];
  if (mark === undefined) return undefined;
  if (open !== undefined) return mark.startsWith(open) && rest.trim() === '' ? mark : undefined;
  return mark.startsWith('`') && rest.includes('`') ? undefined : mark;
}

/** Where a comment opens; one that stands in code is an example. */
function commentIn(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text.startsWith('<!--', at)) return at;
    if (text[at] === '\\') at += 1;
    else if (text[at] === '`') at = endOfCode(text, at) - 1;
  }
  return -1;
}

/** Behind the code that begins with these backticks; behind the backticks where nothing closes them. */
function endOfCode(text: string, from: number): number {
  const [marks = ''] = /^`+/.exec(text.slice(from)) ?? [];
  const closes = [...text.matchAll(/`+/g)].find(
    ({ 0: run, index }) => index > from && run.length === marks.length,
  );
  return closes ? closes.index + marks.length : from + marks.length;
}

/** A comment in a row ends in that row, one in a paragraph ends with it; one at the beginning of a line may be as long as it likes. */
function endOfComment(
  lines: readonly Line[],
  row: number,
  opens: number,
): { readonly row: number; readonly column: number } | undefined {
  const first = lines[row]?.text ?? '';
  const isBlock = first.slice(0, opens).trim() === '';
  for (let at = row; at < lines.length; at += 1) {
    const text = lines[at]?.text ?? '';
    if (!isBlock && at > row && (text.trim() === '' || first.includes('|'))) return undefined;
    const closes = text.indexOf('-->', at === row ? opens + 2 : 0);
    if (closes >= 0) return { row: at, column: closes + 3 };
  }
  return undefined;
}

function blank(lines: Line[], row: number, from: number, to: number): void {
  const line = lines[row];
  if (!line) return;
  const end = Math.min(to, line.text.length);
  lines[row] = { ...line, text: line.text.slice(0, from) + ' '.repeat(end - from) + line.text.slice(end) };
}
