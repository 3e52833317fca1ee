/** Parses a Markdown text as far as requirements need it: headings, tables, and the lines between them. */
import type { Heading as MarkdownHeading, Nodes, TableCell, TableRow } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';
import { Problem } from '../../kernel/problem.ts';
import type { SourcePosition } from '../../kernel/source-position.ts';

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
  /** As written in the file. */
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
  /** Neither heading nor table; code and comments in them are spaces. */
  readonly lines: readonly PlainLine[];
  /** The positions of unclosed comments. */
  readonly unclosed: readonly number[];
}

/** Code and comments hold examples, not requirements. */
export function markdownOutline(text: string): MarkdownOutline {
  const visible = withoutHidden(text, nodesIn(parse(text)));
  // A row behind a comment is a row only once the comment is away.
  const nodes = nodesIn(parse(visible));
  const blocks = new Map(nodes.filter((node) => isBlock(node, visible)).map((node) => [lineOf(node), node]));
  const headings: Heading[] = [];
  const tables: Table[] = [];
  const lines: PlainLine[] = [];
  let under: readonly Heading[] = [];
  let offset = 0;
  let taken = 0;
  for (const [index, content] of visible.split('\n').entries()) {
    const line = index + 1;
    const block = blocks.get(line);
    if (block?.type === 'heading') {
      const heading = { level: block.depth, text: insideOf(block, visible).text, line };
      headings.push(heading);
      under = [...under.filter(({ level }) => level < heading.level), heading];
      taken = block.position?.end.line ?? line;
    } else if (block?.type === 'table') {
      const [header, ...rows] = block.children.map((row) => rowOf(row, visible));
      const end = rows.findIndex(({ written }) => !written.includes('|'));
      const table = { under, header: header as Row, rows: end < 0 ? rows : rows.slice(0, end) };
      tables.push(table);
      taken = table.rows.at(-1)?.line ?? line + 1;
    } else if (line > taken && content.trim() !== '') lines.push({ under, line, offset, text: content });
    offset += content.length + 1;
  }
  return { headings, tables, lines, unclosed: unclosedComments(nodes, visible) };
}

/** Without indented code: a table may be indented, too. */
function parse(text: string): Nodes {
  const extensions = [gfmTable(), { disable: { null: ['codeIndented'] } }];
  return fromMarkdown(text, { extensions, mdastExtensions: [gfmTableFromMarkdown()] });
}

function nodesIn(node: Nodes): readonly Nodes[] {
  return [node, ...('children' in node ? node.children.flatMap(nodesIn) : [])];
}

/** Everything else keeps its position. */
function withoutHidden(text: string, nodes: readonly Nodes[]): string {
  const spaces = (part: string): string => part.replaceAll(/[^\n]/g, ' ');
  const parts: string[] = [];
  let done = 0;
  for (const node of nodes) {
    if (node.type !== 'code' && node.type !== 'html') continue;
    const [from, to] = rangeOf(node);
    const part = text.slice(from, to);
    const shown = node.type === 'code' ? spaces(part) : part.replaceAll(/<!--.*?-->/gs, spaces);
    parts.push(text.slice(done, from), shown);
    done = to;
  }
  return [...parts, text.slice(done)].join('');
}

/** A heading or a table that is not behind the mark of a quote or a list. */
function isBlock(node: Nodes, text: string): boolean {
  const [from] = rangeOf(node);
  const before = text.slice(text.lastIndexOf('\n', from - 1) + 1, from);
  return (node.type === 'heading' || node.type === 'table') && before.trim() === '';
}

function rowOf(row: TableRow, text: string): Row {
  const [offset, end] = rangeOf(row);
  const cells = row.children.map((cell) => {
    const inside = insideOf(cell, text);
    return { ...inside, text: inside.text.replaceAll('\\|', '|') };
  });
  return { line: lineOf(row), offset, written: text.slice(offset, end), cells };
}

function insideOf(node: MarkdownHeading | TableCell, text: string): Cell {
  const [first, last] = [node.children[0] ?? node, node.children.at(-1)];
  const [offset] = rangeOf(first);
  return { text: last ? text.slice(offset, rangeOf(last)[1]).trim() : '', offset };
}

/** They are text to a reader of Markdown, and hide nothing. */
function unclosedComments(nodes: readonly Nodes[], visible: string): readonly number[] {
  return nodes
    .filter(({ type }) => type === 'text' || type === 'html')
    .flatMap((node) => {
      const [from, to] = rangeOf(node);
      return [...visible.slice(from, to).matchAll(/(?<!\\)<!--/g)].map(({ index }) => from + index);
    });
}

function lineOf({ position }: Nodes): number {
  return position?.start.line ?? 1;
}

function rangeOf({ position }: Nodes): readonly [from: number, to: number] {
  return [position?.start.offset ?? 0, position?.end.offset ?? 0];
}

export function badTable(where: SourcePosition, what: string, allowed: string, next: string): Problem {
  return new Problem({ code: 'requirement.bad-table', where, what, allowed, next });
}

/** The text of a cell or a heading without markup: `**[INT-001](x)**` is `INT-001`. */
export function plainWords(text: string): string {
  return text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*~]/g, '')
    .replaceAll(/(?<!\w)_|_(?!\w)/g, '')
    .trim();
}
