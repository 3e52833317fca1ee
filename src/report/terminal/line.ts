/** A line of a report before it is styled, and how such lines become text. */
import { fitText, oneLine, widthOf, wrapText } from './fit-text.ts';
import { storyLimits } from './story-limits.ts';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export interface ReportOptions {
  /** Of the terminal; a report is never wider than 100. */
  readonly columns?: number;
  /** Colours a text; without it the lines are plain. */
  readonly paint?: (style: Style, text: string) => string;
  /** Where the evidence is, as displayed to the reader. */
  readonly runFolder?: string;
  /** The file to look at, likewise. */
  readonly page?: string;
  /** The command that repeats the run. */
  readonly again?: string;
  /** All that is known of a failed trial, not only what fits on a screen. */
  readonly verbose?: boolean;
  /** Completes the commands in a text, so that they can be pasted. */
  readonly hint?: (text: string) => string;
}

export interface Line {
  readonly text: string;
  readonly style?: Style;
  /** Before the text, which wraps below itself. */
  readonly label?: string;
  /** Of a text with a label. */
  readonly mostLines?: number;
  /** Something to copy: never cut, however long. */
  readonly isWhole?: true;
}

export function line(text: string, style?: Style): Line {
  return style === undefined ? { text } : { text, style };
}

export function wholeLine(text: string, style?: Style): Line {
  return { ...line(text, style), isWhole: true };
}

/** A label and a text that wraps below itself when it is printed. */
export function item(label: string, text: string, style?: Style, mostLines = 3): Line {
  return { ...line(text, style), label, mostLines };
}

/** The same as lines of a known width. */
export function labelled(label: string, text: string, columns: number, style?: Style, mostLines = 3): Line[] {
  const margin = ' '.repeat(widthOf(label));
  return wrapText(text, columns - margin.length, mostLines).map((part, index) =>
    line(`${index === 0 ? label : margin}${part}`, style),
  );
}

/** A heading with its lines; nothing where there are none. */
export function block(heading: string, lines: readonly Line[]): readonly Line[] {
  return lines.length === 0 ? [] : [line(''), line(heading, 'bold'), ...lines];
}

/** The same with an empty line below it instead of above. */
export function paragraph(heading: string, lines: readonly Line[]): readonly Line[] {
  return lines.length === 0 ? [] : [line(heading, 'bold'), ...lines, line('')];
}

export function section(heading: string, lines: readonly Line[]): readonly Line[] {
  return block(`  ${heading}`, lines);
}

/** The first of a list, and how many more there are. */
export function firstOf<Item>(
  items: readonly Item[],
  most: number,
  draw: (item: Item) => Line | readonly Line[],
  more: (left: number) => Line,
): readonly Line[] {
  const left = items.length - most;
  return [...items.slice(0, most).flatMap(draw), ...(left > 0 ? [more(left)] : [])];
}

/** `where` says where the others are. */
export function andMore(indent: string, where = ''): (left: number) => Line {
  return (left) => line(`${indent}… and ${left} more${where}`, 'dim');
}

export function formatLeaks(heading: string, leaks: readonly string[]): readonly Line[] {
  return block(
    heading,
    leaks.map((leak) => wholeLine(`  ${leak}`, 'red')),
  );
}

export function columnsFor({ columns = storyLimits.columns }: ReportOptions): number {
  return Math.max(storyLimits.fewestColumns, Math.min(storyLimits.columns, columns));
}

/** Each as many lines as it takes. */
export function wrapLines(lines: readonly Line[], columns: number): readonly Line[] {
  return lines.flatMap((one) =>
    one.label === undefined ? [one] : labelled(one.label, one.text, columns, one.style, one.mostLines),
  );
}

export function printLines(lines: readonly Line[], options: ReportOptions): string[] {
  const columns = columnsFor(options);
  return wrapLines(lines, columns).map(({ text, style, isWhole }) => {
    const clean = oneLine(text);
    const fitted = isWhole ? (options.hint?.(clean) ?? clean) : fitText(clean, columns).trimEnd();
    return style === undefined || options.paint === undefined ? fitted : options.paint(style, fitted);
  });
}
