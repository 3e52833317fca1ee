/** Finds the new lines of a log that match an expression: for the gate against error lines, and for checks. */
import { defined } from '../../kernel/defined.ts';
import { foreignMark } from '../../kernel/utf8-text.ts';
import { createRegexTester } from '../../patterns/bounded-regex.ts';
import { observerLimits } from '../observer-limits.ts';
import { linesBelow } from './lines-below.ts';
import { createLogReader, droppedMark, type LogLine, type LongLine } from './log-reader.ts';
import { quickestPart, requiredTexts } from './required-texts.ts';
import { isWholeBelow } from './traceback-end.ts';
import { isUsualError, textsOfUsualErrors, theUsualErrors, wordsBeforeTraceback } from './usual-errors.ts';

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
  /** Lines that may or may not match: the expression took too long, or they were cut before it was found. */
  readonly undecided: number;
  /** Those of them that were cut. */
  readonly cut: number;
  /** Those of them that are not UTF-8. */
  readonly foreign: number;
}

export interface LogScanOptions {
  readonly file: string;
  readonly from: number;
  readonly signal: AbortSignal;
  /** A regular expression, or the name of the usual errors; without it, every line matches. */
  readonly expression?: string;
  /** More lines than this are counted, not listed. */
  readonly most?: number;
  readonly joined?: (text: string) => string;
}

const none = { match: 0, none: 0, slow: 0, cut: 0, foreign: 0 };
/** Characters that are searched under one watchdog. */
const togetherChars = 64 * 1024;

export function createLogScan({ file, from, signal, expression, most, joined }: LogScanOptions): LogScan {
  const isUsual = expression === theUsualErrors;
  const texts = isUsual ? textsOfUsualErrors : requiredTexts(expression ?? '')?.map(quickestPart);
  const reader = createLogReader(file, from, defined({ signal, texts, joined }));
  const tester = createRegexTester();
  let slow = 0;
  /** After a few lines on which it took too long, the expression is not tried any more. */
  const find = ({ text, shown }: LongLine): boolean | undefined => {
    if (expression === undefined) return true;
    if (isUsual) return isUsualError(text) || isLeftBefore(text, () => linesBelow(file, shown.offset));
    const found = slow < observerLimits.slowLines ? tester.test(expression, '', text) : undefined;
    if (found === undefined) slow += 1;
    return found;
  };
  /** What the expression looks for may be in bytes that cannot be read. */
  const mayMatchBytes = expression !== undefined && !isUsual && /[^\x20-\x7e]|[.[\\]/.test(expression);
  const judge = (lines: readonly LongLine[]): readonly (keyof typeof none)[] => {
    const texts = lines.map(({ text }) => text);
    const isTried = expression !== undefined && !isUsual && slow < observerLimits.slowLines;
    const together = isTried ? tester.testAll(expression, '', texts) : undefined;
    return lines.map((line, index) => {
      const { text, isCut } = line;
      // Any number of lines was there.
      if (text.includes(droppedMark)) return 'cut';
      const found = together ? together[index] : find(line);
      if (found === undefined) return 'slow';
      if (found) return 'match';
      if (isCut) return 'cut';
      return mayMatchBytes && text.includes(foreignMark) ? 'foreign' : 'none';
    });
  };
  return {
    next: async () => {
      const lines: LogLine[] = [];
      const count = { ...none };
      let waiting: LongLine[] = [];
      const judgeWaiting = (): void => {
        for (const [index, judged] of judge(waiting).entries()) {
          const { shown } = waiting[index] as LongLine;
          count[judged] += 1;
          if (judged === 'match' && lines.length < (most ?? observerLimits.elements)) lines.push(shown);
        }
        waiting = [];
      };
      let chars = 0;
      await reader.readOn((line) => {
        waiting.push(line);
        chars += line.text.length + 1;
        if (chars < togetherChars) return;
        judgeWaiting();
        chars = 0;
      });
      judgeWaiting();
      const { match, slow: undecided, cut, foreign } = count;
      return { lines, omitted: match - lines.length, undecided: undecided + cut + foreign, cut, foreign };
    },
    unfinished: () => {
      const line = reader.unfinished();
      return line && judge([line])[0] === 'match' ? line.shown : undefined;
    },
  };
}

/** Words without an end of line, and a traceback behind them. */
function isLeftBefore(text: string, below: () => readonly string[]): boolean {
  const words = wordsBeforeTraceback(text);
  return words !== undefined && isWholeBelow(words, below());
}
