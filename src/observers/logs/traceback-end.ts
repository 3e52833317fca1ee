/** Reads what follows the head of a Python traceback: its frames, and the exception in which it ends. Pure. */
import { observerLimits } from '../observer-limits.ts';
import { prefixLength } from './line-prefix.ts';
import { tracebackIn } from './traceback-in.ts';

/** A class, dotted or capitalized, alone or with a message: not a level, and not output of another thread. */
const ending = /^(?!\p{Lu}+(?::|\s*$))(?:\p{Lu}|[\p{L}_][^\s.:]*\.)[^\s:]*(?::\s|\s*$)/u;
const frame = /^ {2}File ".+", line \d+/;

/** Undefined where it has no end yet. */
export function exceptionBelow(before: string, lines: readonly string[]): string | undefined {
  const end = lines
    .map((line) => withoutPrefix(line, before))
    .find((line) => ending.test(line) || tracebackIn(line) !== undefined);
  return end === undefined || tracebackIn(end) !== undefined
    ? undefined
    : end.trimEnd().slice(0, observerLimits.logLineBytes);
}

/** Its frames begin directly below, and it has an end. */
export function isWholeBelow(before: string, lines: readonly string[]): boolean {
  return frame.test(withoutPrefix(lines[0] ?? '', before)) && exceptionBelow(before, lines) !== undefined;
}

/** Other lines share all that is before the head of the traceback, or what a process manager put there. */
function withoutPrefix(line: string, before: string): string {
  const prefixes = [before, before.slice(0, prefixLength(before))];
  const shared = prefixes.find((prefix) => hasShape(line, prefix)) ?? '';
  return line.slice(shared.length);
}

/** The same prefix at another time. In the tree of a group, a plus becomes a line. */
function hasShape(line: string, prefix: string): boolean {
  const shape = (text: string): string => text.replaceAll(/\d/g, '0').replace('+', '|');
  return shape(line.slice(0, prefix.length)) === shape(prefix);
}
