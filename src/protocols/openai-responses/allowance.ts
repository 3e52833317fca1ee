/** How much of an answer is kept: what goes beyond it is dropped, and that is a fault. */
import { foldLimits } from '../turn/fold-limits.ts';
import type { FoldNotes } from '../turn/fold-notes.ts';

/** Characters of text, arguments and passed-on values together. */
const mostChars = foldLimits.textChars + foldLimits.argumentsChars;

export interface Allowance {
  /** The text, or as much of it as may still be kept. */
  spend(text: string): string;
  /** The value, or undefined where it would be too much. */
  keep<V>(value: V): V | undefined;
}

export function createAllowance(notes: FoldNotes): Allowance {
  let left = mostChars;
  const spend = (text: string): string => {
    const kept = text.length > left ? text.slice(0, left) : text;
    left -= kept.length;
    if (kept.length < text.length)
      notes.fault('too-large', `the answer has more than ${mostChars} characters`);
    return kept;
  };
  return {
    spend,
    keep: (value) => {
      const text = JSON.stringify(value) ?? '';
      return spend(text).length === text.length ? value : undefined;
    },
  };
}
