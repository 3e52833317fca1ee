/** The position of each key and value of a document in its file, the same for YAML and for TypeScript. */
import { positionAt, type SourcePosition } from '../../kernel/source-position.ts';
import type { DocumentPath } from './document-path.ts';

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One value as it was written, with the values inside it. */
export interface SourceNode {
  readonly key?: Span;
  readonly value: Span;
  /** The text of a plain scalar before YAML converted it to a number or a boolean. */
  readonly written?: string;
  readonly children: ReadonlyMap<string, SourceNode>;
}

export interface ConfigSource {
  readonly file: string;
  readonly text: string;
  /** The position of a key; of the nearest known ancestor when the value is computed. */
  keyPosition(path: DocumentPath): SourcePosition;
  /** Only the line of the key, which is cheap. */
  keyLine(path: DocumentPath): number;
  valuePosition(path: DocumentPath): SourcePosition;
  /** The position of the n-th occurrence of a part of a text value, such as `${db.url}`. */
  partPosition(path: DocumentPath, parts: readonly string[], occurrence: number): SourcePosition;
  /** Whether the value itself is written in the file, rather than computed or imported. */
  knows(path: DocumentPath): boolean;
  /** The source text of a scalar, where that is known. */
  written(path: DocumentPath): string | undefined;
}

/** The tree of positions is built on first use. */
export function createConfigSource(
  file: string,
  text: string,
  findRoot: () => SourceNode | undefined,
): ConfigSource {
  let found: { readonly root: SourceNode | undefined } | undefined;
  const rootNode = (): SourceNode | undefined => {
    found ??= { root: findRoot() };
    return found.root;
  };
  const at = (span: Span): SourcePosition => positionAt(file, text, span.start, firstLineLength(text, span));
  const top: Span = { start: 0, end: 1 };
  let lineStarts: readonly number[] | undefined;
  return {
    file,
    text,
    keyPosition: (path) => {
      const { node } = nearestNode(rootNode(), path);
      return at(
        path.length === 0
          ? { ...top, start: rootNode()?.value.start ?? 0 }
          : (node?.key ?? node?.value ?? top),
      );
    },
    keyLine: (path) => {
      const { node } = nearestNode(rootNode(), path);
      lineStarts ??= startsOfLines(text);
      return lineAt(lineStarts, (node?.key ?? node?.value ?? top).start);
    },
    valuePosition: (path) => {
      const { node, exact } = nearestNode(rootNode(), path);
      return at((exact ? node?.value : (node?.key ?? node?.value)) ?? top);
    },
    partPosition: (path, parts, occurrence) => {
      const { node, exact } = nearestNode(rootNode(), path);
      const whole = node?.value ?? top;
      const found = parts
        .map((part) => findPart(text, whole, part, exact ? occurrence : 0))
        .find((span) => span !== undefined);
      return at(found ?? (exact ? whole : (node?.key ?? whole)));
    },
    knows: (path) => nearestNode(rootNode(), path).exact,
    written: (path) => {
      const { node, exact } = nearestNode(rootNode(), path);
      return exact ? node?.written : undefined;
    },
  };
}

function nearestNode(
  root: SourceNode | undefined,
  path: DocumentPath,
): { node: SourceNode | undefined; exact: boolean } {
  let node = root;
  for (const step of path) {
    const child = node?.children.get(String(step));
    if (!child) return { node, exact: false };
    node = child;
  }
  return { node, exact: node !== undefined };
}

function startsOfLines(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** From 1: how many lines begin at or before the offset. */
function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as number) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function findPart(text: string, within: Span, part: string, occurrence: number): Span | undefined {
  let start = within.start - 1;
  for (let seen = 0; seen <= occurrence; seen += 1) {
    start = text.indexOf(part, start + 1);
    if (start < 0 || start + part.length > within.end) return undefined;
  }
  return { start, end: start + part.length };
}

/** Carets underline one line; further lines of the value are not underlined. */
function firstLineLength(text: string, span: Span): number {
  const lineEnd = text.indexOf('\n', span.start);
  const end = Math.min(span.end, lineEnd < 0 ? text.length : lineEnd);
  return Math.max(1, text.slice(span.start, end).trimEnd().length);
}
