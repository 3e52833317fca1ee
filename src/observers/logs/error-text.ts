/** Error lines as the log gate tells them: a traceback with the exception in which it ends, by which it can be told from others. */
import { closeSync, readSync } from 'node:fs';
import { findPlainFile } from '../../kernel/folders/own-file.ts';
import { steeringSequence } from '../../kernel/printable.ts';
import { utf8Text } from '../../kernel/utf8-text.ts';
import { observerLimits } from '../observer-limits.ts';
import type { LogLine } from './log-reader.ts';

const head = /^(?<drawn>[^\w"'`>]*)(?:Exception Group )?Traceback \(most recent call last\)/;

/** A class, dotted or with a capital letter, alone or with a message: not a level, nor what another thread wrote in between. */
const ending = /^(?!\p{Lu}+(?::|\s*$))(?:\p{Lu}|[\p{L}_][^\s.:]*\.)[^\s:]*(?::\s|\s*$)/u;

/**
 * In their order. A traceback directly below an error line is the second half of it, as `logging.exception` prints it, where
 * that line speaks of the exception: whoever allows the line has not allowed any other.
 */
export function errorTexts(file: string, lines: readonly LogLine[]): readonly string[] {
  const told: string[] = [];
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1];
    const exception = exceptionOf(file, line);
    const isBelow = before?.line === line.line - 1 && !head.test(before.text);
    if (exception === undefined) told.push(line.text);
    else if (isBelow && speaksOf(before.text, exception)) told.push(`${told.pop()} … ${exception}`);
    else told.push(`${line.text} … ${exception}`);
  }
  return told;
}

/** By its class or by its message, unless these are so common or short that they may be there by chance. */
function speaksOf(line: string, exception: string): boolean {
  const [, name = '', message = ''] = /^(?:[^\s:]*\.)?([^\s:]+)(?::\s+(.*))?$/.exec(exception) ?? [];
  const isNamed = !/^(?:Exception|Error)?$/.test(name) && hasWord(line, name);
  return isNamed || (message.length >= 8 && /\p{L}{3}/u.test(message) && hasWord(line, message));
}

function hasWord(line: string, word: string): boolean {
  const parts = line.split(word);
  return parts.slice(1).some((after, index) => !/\w$/.test(parts[index] ?? '') && !/^\w/.test(after));
}

/** The line in which a traceback ends, if the line is the head of one. */
function exceptionOf(file: string, { text, offset }: LogLine): string | undefined {
  const drawn = head.exec(text)?.groups?.drawn?.replace('+', '|');
  if (drawn === undefined) return undefined;
  const [, ...lines] = readFrom(file, offset).split('\n');
  // The last line may not be finished.
  const end = lines
    .slice(0, -1)
    .map((line) => (line.startsWith(drawn) ? line.slice(drawn.length) : line))
    .find((line) => ending.test(line) || head.test(line));
  return end === undefined || head.test(end)
    ? undefined
    : end.trimEnd().slice(0, observerLimits.logLineBytes);
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
