/** Error lines as the log gate tells them: a traceback with the exception in which it ends, by which it can be told from others. */
import { closeSync, readSync } from 'node:fs';
import { findPlainFile } from '../../kernel/folders/own-file.ts';
import { steeringSequence } from '../../kernel/printable.ts';
import { utf8Text } from '../../kernel/utf8-text.ts';
import { observerLimits } from '../observer-limits.ts';
import type { LogLine } from './log-reader.ts';

const head = /^(?<drawn>[^\w"'`>]*)(?:Exception Group )?Traceback \(most recent call last\)/;

/** In their order. A traceback directly below an error line is the second half of it, as `logging.exception` prints it. */
export function errorTexts(file: string, lines: readonly LogLine[]): readonly string[] {
  const told: string[] = [];
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1];
    const text = errorText(file, line);
    const isHalf = before?.line === line.line - 1 && head.test(line.text) && !head.test(before.text);
    if (isHalf) told.push(`${told.pop()} … ${text.slice(line.text.length).replace(/^ … /, '')}`);
    else told.push(text);
  }
  return told;
}

function errorText(file: string, { text, offset }: LogLine): string {
  const drawn = head.exec(text)?.groups?.drawn?.replace('+', '|');
  if (drawn === undefined) return text;
  const [, ...lines] = readFrom(file, offset).split('\n');
  // The last line may not be finished.
  const end = lines
    .slice(0, -1)
    .map((line) => (line.startsWith(drawn) ? line.slice(drawn.length) : line))
    .find((line) => /^[^\s│╰]/.test(line));
  return end === undefined ? text : `${text} … ${end.trimEnd().slice(0, observerLimits.logLineBytes)}`;
}

function readFrom(file: string, offset: number): string {
  const opened = findPlainFile(file, 'followed');
  if (!opened) return '';
  try {
    const buffer = Buffer.alloc(observerLimits.logMatchBytes);
    const bytes = buffer.subarray(0, readSync(opened.descriptor, buffer, 0, buffer.length, offset));
    return utf8Text(bytes, true).replaceAll(steeringSequence, '');
  } finally {
    closeSync(opened.descriptor);
  }
}
