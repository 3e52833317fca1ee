/** Error lines as the log gate reports them: a traceback with its final exception, which identifies it. */
import { readSync } from 'node:fs';
import { readingPlainFile } from '../../kernel/folders/own-file.ts';
import { steeringSequence } from '../../kernel/printable.ts';
import { utf8Text } from '../../kernel/utf8-text.ts';
import { observerLimits } from '../observer-limits.ts';
import type { LogLine } from './log-reader.ts';
import { tracebackIn } from './traceback-in.ts';

/** A class, dotted or capitalized, alone or with a message: not a level, and not output of another thread. */
const ending = /^(?!\p{Lu}+(?::|\s*$))(?:\p{Lu}|[\p{L}_][^\s.:]*\.)[^\s:]*(?::\s|\s*$)/u;

/**
 * In their order. A traceback directly below an error line is the second half of it, as `logging.exception` prints it, where
 * that line mentions the exception: allowing the line does not allow any other.
 */
export function errorTexts(file: string, lines: readonly LogLine[]): readonly string[] {
  const texts: string[] = [];
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1];
    const exception = exceptionOf(file, line);
    const isBelow = before?.line === line.line - 1 && tracebackIn(before.text) === undefined;
    if (exception === undefined) texts.push(line.text);
    else if (isBelow && speaksOf(before.text, exception)) texts.push(`${texts.pop()} … ${exception}`);
    else texts.push(`${line.text} … ${exception}`);
  }
  return texts;
}

/** By its class or by its message, unless these are so common or short that they may be there by chance. */
function speaksOf(line: string, exception: string): boolean {
  const [, name = '', said = ''] = /^(?:[^\s:]*\.)?([^\s:]+)(?::\s+(.*))?$/.exec(exception) ?? [];
  const isNamed = !/^(?:Exception|Error)?$/.test(name) && hasWord(line, name);
  return isNamed || (said.length >= 8 && /\p{L}{3}/u.test(said) && hasWord(line, said));
}

function hasWord(line: string, word: string): boolean {
  const parts = line.split(word);
  return parts.slice(1).some((after, index) => !/\w$/.test(parts[index] ?? '') && !/^\w/.test(after));
}

/** The line in which a traceback ends, if the line is the head of one. */
function exceptionOf(file: string, { text, offset }: LogLine): string | undefined {
  const prefix = tracebackIn(text);
  if (prefix === undefined) return undefined;
  const [, ...lines] = readFrom(file, offset).split('\n');
  // The last line may not be finished.
  const end = lines
    .slice(0, -1)
    .map((line) => (hasShape(line, prefix) ? line.slice(prefix.length) : line))
    .find((line) => ending.test(line) || tracebackIn(line) !== undefined);
  return end === undefined || tracebackIn(end) !== undefined
    ? undefined
    : end.trimEnd().slice(0, observerLimits.logLineBytes);
}

/** The same prefix at another time. In the tree of a group, a plus becomes a line. */
function hasShape(line: string, prefix: string): boolean {
  const shape = (text: string): string => text.replaceAll(/\d/g, '0').replace('+', '|');
  return shape(line.slice(0, prefix.length)) === shape(prefix);
}

function readFrom(file: string, offset: number): string {
  const read = ({ descriptor }: { readonly descriptor: number }): string => {
    const buffer = Buffer.alloc(observerLimits.logMatchBytes);
    const bytes = buffer.subarray(0, readSync(descriptor, buffer, 0, buffer.length, offset));
    return utf8Text(bytes, true).replaceAll(steeringSequence, '');
  };
  return readingPlainFile(file, read, 'followed') ?? '';
}
