/** Errors as the log gate reports them: a traceback is one, with its last exception, and with the line that logged it. */
import { linesBelow } from './lines-below.ts';
import type { LogLine } from './log-reader.ts';
import { readTraceback, type Traceback } from './read-traceback.ts';
import { tracebackIn } from './traceback-in.ts';

export interface ErrorText {
  readonly text: string;
  /** What each must be expected by itself, so that allowing a message does not allow every exception below it. */
  readonly parts?: readonly string[];
  /** Where the exception was raised. */
  readonly raisedAt?: string;
}

/** In their order. A traceback directly below an error line is the second half of it, as `logging.exception` prints it. */
export function errorTexts(file: string, lines: readonly LogLine[]): readonly ErrorText[] {
  const errors: ErrorText[] = [];
  const taken = new Set<number>();
  for (const [index, line] of lines.entries()) {
    if (taken.has(line.line)) continue;
    const traceback = tracebackAt(file, line);
    if (traceback === undefined) {
      errors.push({ text: line.text });
      continue;
    }
    for (const below of traceback.own) taken.add(line.line + 1 + below);
    const before = lines[index - 1];
    const isBelow = before?.line === line.line - 1 && !taken.has(before.line) && isNoHead(before);
    if (isBelow) errors.pop();
    errors.push(joined(isBelow ? before.text : undefined, line, traceback, lines));
  }
  return errors;
}

function joined(
  logged: string | undefined,
  head: LogLine,
  { exception, members, at }: Traceback,
  lines: readonly LogLine[],
): ErrorText {
  const whole = [exception ?? head.text, ...members.map((member) => member.exception)].join('; ');
  const alone = exception === undefined ? head.text : `${head.text} … ${whole}`;
  const ofMembers = members.flatMap(({ index, exception: one }) => {
    const found = lines.find(({ line }) => index !== undefined && line === head.line + 1 + index);
    return found ? [`${found.text} … ${one}`] : [];
  });
  const isMentioned = logged !== undefined && exception !== undefined && speaksOf(logged, exception);
  const text = logged === undefined ? alone : `${logged} … ${whole}`;
  const first = logged === undefined || isMentioned ? [text] : [logged, alone];
  const parts = [...first, ...ofMembers];
  return { text, ...(parts.length > 1 ? { parts } : {}), ...(at === undefined ? {} : { raisedAt: at }) };
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

function isNoHead({ text }: LogLine): boolean {
  return tracebackIn(text) === undefined;
}

/** If the line is the head of one. */
function tracebackAt(file: string, { text, offset }: LogLine): Traceback | undefined {
  const before = tracebackIn(text);
  return before === undefined ? undefined : readTraceback(before, linesBelow(file, offset));
}
