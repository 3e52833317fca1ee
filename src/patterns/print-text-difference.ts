/** Two texts that differ, each cut to the part where they begin to differ. */
import { patternLimits } from './pattern-limits.ts';
import { printValue } from './print-value.ts';

const contextChars = 40;

export interface PrintedDifference {
  readonly expected: string;
  readonly observed: string;
}

/** Short texts are printed whole; of long ones, the first difference and some text before it. */
export function printTextDifference(expected: string, observed: string): PrintedDifference {
  const from = Math.max(0, firstDifference(expected, observed) - contextChars);
  const fits = Math.max(expected.length, observed.length) < patternLimits.printedChars;
  if (fits || from === 0) return { expected: printValue(expected), observed: printValue(observed) };
  return { expected: printFrom(expected, from), observed: printFrom(observed, from) };
}

function firstDifference(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i += 1) if (a[i] !== b[i]) return i;
  return shorter;
}

function printFrom(text: string, from: number): string {
  const note = ` (from character ${from} of ${text.length})`;
  return `${printValue(text.slice(from), patternLimits.printedChars - note.length)}${note}`;
}
