/** Error lines as the log gate reports them: a traceback with its final exception, which identifies it. */
import { linesBelow } from './lines-below.ts';
import type { LogLine } from './log-reader.ts';
import { exceptionBelow } from './traceback-end.ts';
import { tracebackIn } from './traceback-in.ts';

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
  const before = tracebackIn(text);
  return before === undefined ? undefined : exceptionBelow(before, linesBelow(file, offset));
}
