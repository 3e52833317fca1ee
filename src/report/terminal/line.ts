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
  /** The command that repeats the run. */
  readonly again?: string;
  /** Completes the commands in a text, so that they can be pasted. */
  readonly hint?: (text: string) => string;
}

export interface Line {
  readonly text: string;
  readonly style?: Style;
  /** Something to copy: never cut, however long. */
  readonly isWhole?: true;
}

export function line(text: string, style?: Style): Line {
  return style === undefined ? { text } : { text, style };
}

/** Nothing where there are no lines. */
export function block(heading: string, lines: readonly Line[]): readonly Line[] {
  return lines.length === 0 ? [] : [line(''), line(heading, 'bold'), ...lines];
}

export function wholeLine(text: string, style?: Style): Line {
  return { ...line(text, style), isWhole: true };
}

/** A heading with its lines; nothing if there are none. */
export function section(heading: string, lines: readonly Line[]): readonly Line[] {
  return lines.length === 0 ? [] : [line(''), line(`  ${heading}`, 'bold'), ...lines];
}

/** A label and a text that wraps below itself. */
export function labelled(label: string, text: string, columns: number, style?: Style, mostLines = 3): Line[] {
  const [first = '', ...rest] = wrapText(text, columns - widthOf(label), mostLines);
  return [
    line(`${label}${first}`, style),
    ...rest.map((more) => line(`${' '.repeat(widthOf(label))}${more}`, style)),
  ];
}

export function columnsFor({ columns = storyLimits.columns }: ReportOptions): number {
  return Math.max(storyLimits.fewestColumns, Math.min(storyLimits.columns, columns));
}

export function printLines(lines: readonly Line[], options: ReportOptions): string[] {
  const columns = columnsFor(options);
  return lines.map(({ text, style, isWhole }) => {
    const clean = oneLine(text);
    const fitted = isWhole ? (options.hint?.(clean) ?? clean) : fitText(clean, columns).trimEnd();
    return style === undefined || options.paint === undefined ? fitted : options.paint(style, fitted);
  });
}
