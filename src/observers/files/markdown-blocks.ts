/** Reads the headings and paragraphs of Markdown, in whatever quotes and lists they are; code and comments are skipped. Pure. */
import {
  beginsTable,
  closesFence,
  type Fence,
  fenceAt,
  headingAt,
  indentOf,
  isRule,
  isTagLine,
  itemAt,
  rawHtmlAt,
  underlineAt,
  withoutTabs,
} from './markdown-lines.ts';

export type Block = Heading | Paragraph;

interface Heading {
  readonly kind: 'heading';
  readonly level: number;
  readonly text: string;
  readonly line: number;
}

interface Paragraph {
  readonly kind: 'paragraph';
  readonly lines: string[];
  /** Of the first. */
  readonly line: number;
  /** Nothing else precedes it in the item of a list. */
  readonly beginsItem: boolean;
}

/** A quote, or an item of a list with the width of its indentation. */
type Container =
  | { readonly kind: 'quote' }
  | { readonly kind: 'item'; readonly width: number; isEmpty: boolean };

/** What the next line may go on with. */
type Open =
  | Paragraph
  | ({ readonly kind: 'fence' } & Fence)
  | { readonly kind: 'html'; readonly end: RegExp };

const mostLevels = 100;

/** The lines from this one on. */
export function readBlocks(lines: readonly string[], from: number): readonly Block[] {
  const reader = new BlockReader();
  for (let index = from; index < lines.length; index += 1)
    reader.read(withoutTabs(lines[index] as string), index + 1);
  return reader.end();
}

class BlockReader {
  readonly #blocks: Block[] = [];
  readonly #containers: Container[] = [];
  /** How many of them the line at hand is in. */
  #depth = 0;
  #open: Open | undefined;

  read(line: string, number: number): void {
    let rest = this.#enter(line);
    if (this.#goesOn(rest)) return;
    for (let inside = this.#openContainer(rest); inside !== undefined; inside = this.#openContainer(rest))
      rest = inside;
    if (rest.trim() === '') this.#close();
    else if (indentOf(rest) >= 4) this.#readIndented(rest);
    else this.#readLeaf(rest, number);
  }

  end(): readonly Block[] {
    this.#close();
    return this.#blocks;
  }

  /** Gives what is left of the line inside of the quotes and items that it continues. */
  #enter(line: string): string {
    let at = 0;
    this.#depth = 0;
    const end = line.trimEnd().length;
    for (const container of this.#containers) {
      const rest = line.slice(at, at + 5);
      if (container.kind === 'quote') {
        const mark = quoteMark.exec(rest)?.[0];
        if (mark === undefined) break;
        at += mark.length;
      } else if (at >= end) {
        if (container.isEmpty) break;
      } else if (spacesAt(line, at, container.width)) at += container.width;
      else break;
      this.#depth += 1;
    }
    return line.slice(at);
  }

  get #isWhole(): boolean {
    return this.#depth === this.#containers.length;
  }

  /** Code and raw HTML, as long as the quotes and items that they are in. */
  #goesOn(rest: string): boolean {
    const open = this.#open;
    if (open === undefined || open.kind === 'paragraph' || !this.#isWhole) return false;
    const isOver = open.kind === 'fence' ? closesFence(rest, open) : open.end.test(rest);
    if (isOver) this.#open = undefined;
    return true;
  }

  /** What is left of the line in a quote or item that begins here. */
  #openContainer(rest: string): string | undefined {
    const quote = quoteMark.exec(rest)?.[0];
    if (quote !== undefined) {
      this.#push({ kind: 'quote' });
      return rest.slice(quote.length);
    }
    const interrupts = this.#open?.kind === 'paragraph' && this.#isWhole;
    const item = itemAt(rest);
    if (!item || isRule(rest) || (interrupts && (!item.mayInterrupt || underlineAt(rest)))) return undefined;
    this.#push({ kind: 'item', width: item.width, isEmpty: true });
    return rest.slice(item.width);
  }

  #push(container: Container): void {
    this.#begin();
    if (this.#depth === mostLevels) throw new SyntaxError(`nested deeper than ${mostLevels} levels`);
    this.#containers.push(container);
    this.#depth += 1;
  }

  /** Text further inside of a paragraph, else code. */
  #readIndented(rest: string): void {
    if (this.#open?.kind === 'paragraph') this.#open.lines.push(rest.trim());
    else this.#begin();
  }

  #readLeaf(rest: string, line: number): void {
    const paragraph = this.#open?.kind === 'paragraph' ? this.#open : undefined;
    const heading = headingAt(rest);
    const level = paragraph && this.#isWhole ? underlineAt(rest) : undefined;
    const fence = fenceAt(rest);
    const end = rawHtmlAt(rest);
    if (paragraph && level !== undefined && !isTable(paragraph)) {
      this.#open = undefined;
      this.#blocks.push({ kind: 'heading', level, text: paragraph.lines.join(' '), line: paragraph.line });
    } else if (heading) {
      this.#begin();
      this.#blocks.push({ kind: 'heading', ...heading, line });
    } else if (fence) {
      this.#begin();
      this.#open = { kind: 'fence', ...fence };
    } else if (end) {
      this.#begin();
      if (!end.test(rest)) this.#open = { kind: 'html', end };
    } else if (isRule(rest) || isTagLine(rest, paragraph !== undefined)) this.#begin();
    else if (paragraph) paragraph.lines.push(rest.trim());
    else this.#open = { kind: 'paragraph', beginsItem: this.#begin(), lines: [rest.trim()], line };
  }

  /** Makes room for a new block; true for the first in an item. */
  #begin(): boolean {
    this.#close();
    const inside = this.#containers.at(-1);
    if (inside?.kind !== 'item' || !inside.isEmpty) return false;
    inside.isEmpty = false;
    return true;
  }

  /** Ends what the line at hand does not continue. */
  #close(): void {
    if (this.#open?.kind === 'paragraph') this.#blocks.push(this.#open);
    this.#open = undefined;
    this.#containers.length = this.#depth;
  }
}

const quoteMark = /^ {0,3}> ?/;

function spacesAt(line: string, at: number, count: number): boolean {
  for (let index = at; index < at + count; index += 1) if (line[index] !== ' ') return false;
  return true;
}

function isTable({ lines }: Paragraph): boolean {
  return lines.some((line, index) => index > 0 && beginsTable(lines[index - 1] as string, line));
}
