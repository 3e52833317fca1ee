/** Finds the new lines of a log that match an expression: for the gate against error lines, and for checks. */
import { createRegexTester } from '../../patterns/bounded-regex.ts';
import { observerLimits } from '../observer-limits.ts';
import { createLogReader, type LogLine } from './log-reader.ts';
import { quickestPart, requiredTexts } from './required-texts.ts';

export interface LogScan {
  /** Lines that match and were finished since the last time. */
  next(): Promise<LogFinding>;
  /** What has been written of the next line, when that matches already. It is not taken: `next` gives it when it is finished. */
  unfinished(): LogLine | undefined;
}

export interface LogFinding {
  readonly lines: readonly LogLine[];
  /** Lines that match and are not listed, because there are too many. */
  readonly omitted: number;
  /** Lines on which the expression took too long; after a few of them it is not tried any more. */
  readonly undecided: number;
}

export interface LogScanOptions {
  readonly file: string;
  readonly from: number;
  readonly signal: AbortSignal;
  /** A regular expression; without it, every line matches. */
  readonly expression?: string;
  /** More lines than this are counted, not listed. */
  readonly most?: number;
}

export function createLogScan({ file, from, signal, expression, most }: LogScanOptions): LogScan {
  const texts = expression === undefined ? undefined : requiredTexts(expression)?.map(quickestPart);
  const reader = createLogReader(file, from, { signal, ...(texts ? { texts } : {}) });
  const tester = createRegexTester();
  let slow = 0;
  const isMatch = (text: string): boolean | undefined => {
    if (expression === undefined) return true;
    if (slow >= observerLimits.slowLines) return undefined;
    const found = tester.test(expression, '', text);
    if (found === undefined) slow += 1;
    return found;
  };
  return {
    next: async () => {
      const lines: LogLine[] = [];
      let omitted = 0;
      let undecided = 0;
      await reader.readOn((line) => {
        const found = isMatch(line.text);
        if (found === undefined) undecided += 1;
        else if (found && lines.length < (most ?? observerLimits.logLines)) lines.push(line);
        else if (found) omitted += 1;
      });
      return { lines, omitted, undecided };
    },
    unfinished: () => {
      const line = reader.unfinished();
      return line && isMatch(line.text) ? line : undefined;
    },
  };
}
