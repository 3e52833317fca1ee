/** Reads what follows the head of a Python traceback: its frames, and the exception in which it ends. Pure. */
import { observerLimits } from '../observer-limits.ts';
import { prefixLength } from './line-prefix.ts';
import { tracebackIn } from './traceback-in.ts';

/** A class, dotted or capitalized, alone or with a message: not a level, and not output of another thread. */
const ending = /^(?!\p{Lu}+(?::|\s*$))(?:\p{Lu}|[\p{L}_][^\s.:]*\.)[^\s:]*(?::\s|\s*$)/u;
const frame = /^ {2}File ".+", line \d+/;

/** The exception that a line without its prefix tells. */
export function endingOf(line: string): string | undefined {
  return ending.test(line) || ending.test(`${line} `)
    ? line.trimEnd().slice(0, observerLimits.logLineBytes)
    : undefined;
}

/** Its frames begin directly below, and it has an end. */
export function isWholeBelow(before: string, lines: readonly string[]): boolean {
  if (!frame.test(withoutPrefix(lines[0] ?? '', before))) return false;
  const inner = lines.map((line) => withoutPrefix(line, before));
  const end = inner.find((line) => ending.test(line) || tracebackIn(line) !== undefined);
  return end !== undefined && tracebackIn(end) === undefined;
}

/** Other lines share all that is before the head of the traceback, or what a process manager put there. */
export function withoutPrefix(line: string, before: string): string {
  const prefixes = [before, before.slice(0, prefixLength(before))];
  const shared = prefixes.find((prefix) => hasShape(line, prefix)) ?? '';
  return line.slice(shared.length);
}

/** The same prefix at another time. In the tree of a group, a plus becomes a line. */
function hasShape(line: string, prefix: string): boolean {
  const shape = (text: string): string => text.replaceAll(/\d/g, '0').replace('+', '|');
  return shape(line.slice(0, prefix.length)) === shape(prefix);
}
