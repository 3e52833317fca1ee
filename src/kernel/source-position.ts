/** A position in a text file, and an excerpt with a caret under it. */

export interface SourcePosition {
  readonly file: string;
  /** Both start at 1. */
  readonly line: number;
  readonly column: number;
  /** The whole line, and the one before it, as written. */
  readonly excerpt?: string;
  /** How many characters the caret underlines. */
  readonly length?: number;
}

/** The position of an offset in a text. */
export function positionAt(file: string, text: string, offset: number, length = 1): SourcePosition {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - (before.lastIndexOf('\n') + 1) + 1;
  const lines = text.split('\n');
  const excerpt = lines.slice(Math.max(0, line - 2), line).join('\n');
  return { file, line, column, excerpt, length };
}

/** `file:line:column`, which editors and terminals make clickable. */
export function formatPosition(position: SourcePosition): string {
  return `${position.file}:${position.line}:${position.column}`;
}

/** The excerpt with line numbers and a caret under the position. */
export function formatExcerpt(position: SourcePosition): string {
  if (position.excerpt === undefined) return '';
  const lines = position.excerpt.split('\n');
  const width = String(position.line).length;
  const numbered = lines.map((text, index) => {
    const number = String(position.line - lines.length + 1 + index).padStart(width);
    return `  ${number} | ${text.replaceAll('\t', ' ')}`;
  });
  const last = lines.at(-1) ?? '';
  const underline = '^'.repeat(
    Math.max(1, Math.min(position.length ?? 1, last.length - position.column + 1)),
  );
  return [...numbered, `  ${' '.repeat(width)} | ${' '.repeat(position.column - 1)}${underline}`].join('\n');
}
