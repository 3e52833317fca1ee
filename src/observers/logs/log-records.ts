/** Joins the lines of a log to records: a Python traceback, with the line that logged it, is one. Pure. */
import { headOf } from './level-of.ts';
import { readTraceback } from './read-traceback.ts';
import { tracebackIn } from './traceback-in.ts';
import { isUsualError } from './usual-errors.ts';

interface Line {
  readonly line: number;
  readonly text: string;
}

/** Of one traceback. */
const mostLines = 2_000;

/** At the place of their first line; what another thread wrote between its lines is a record of its own. */
export function recordsOf<T extends Line>(lines: readonly T[]): readonly T[] {
  const records: T[] = [];
  const taken = new Set<number>();
  for (const [index, line] of lines.entries()) {
    if (taken.has(index)) continue;
    const before = tracebackIn(line.text);
    if (before === undefined) {
      records.push(line);
      continue;
    }
    const below = lines.slice(index + 1, index + 1 + mostLines).map(({ text }) => text);
    const own = readTraceback(before, below).own.map((one) => index + 1 + one);
    for (const one of own) taken.add(one);
    const logged = records.at(-1);
    const isLogged = logged !== undefined && logged === lines[index - 1] && hasLevel(logged.text);
    if (isLogged) records.pop();
    const first = isLogged ? logged : line;
    const parts = [...(isLogged ? [logged] : []), line, ...own.map((one) => lines[one] as T)];
    records.push({ ...first, text: parts.map(({ text }) => text).join('\n') });
  }
  return records;
}

function hasLevel(text: string): boolean {
  return headOf(text).rank !== undefined || isUsualError(text);
}
