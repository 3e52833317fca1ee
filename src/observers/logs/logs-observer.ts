/** Sees what a service has written since the attempt began: `logs: daemon`. */
import { cutMark } from '../../kernel/cut-mark.ts';
import { defined } from '../../kernel/defined.ts';
import { createRegexTester } from '../../patterns/bounded-regex.ts';
import { findService } from '../find-service.ts';
import { ObservationError, type Observer, watching } from '../observer.ts';
import { observerLimits } from '../observer-limits.ts';
import { type LogMark, lossOf, markLog, scanSince } from './log-mark.ts';
import type { LogLine } from './log-reader.ts';
import { recordsOf } from './log-records.ts';
import type { LogFinding, LogScan } from './log-scan.ts';

export interface LogsQuery {
  readonly service: string;
  /** A regular expression; all lines without it. */
  readonly match?: string;
  /** A traceback is one element, and `match` is looked for in all of it. */
  readonly records?: boolean;
}

export const logsObserver: Observer<LogsQuery> = {
  name: 'logs',
  open: async ({ facts, signal, redactor }) => {
    const begin = await facts();
    const marks = new Map(begin.services.map(({ logFile }) => [logFile, markLog(logFile, redactor)]));
    const collections = new Map<string, Collection>();
    const collectionFor = async ({ service, match, records }: LogsQuery): Promise<Collection> => {
      const { logFile } = findService(await facts(), service);
      const key = JSON.stringify([logFile, match, records]);
      const known = collections.get(key);
      if (known) return known;
      refuseBadExpression(match);
      const mark = marks.get(logFile) ?? markLog(logFile, redactor);
      const scan = scanSince(mark, redactor, defined({ signal, expression: records ? undefined : match }));
      const lines = collect(scan, mark);
      const made = records ? async () => recordsThatMatch(await lines(), match) : lines;
      collections.set(key, made);
      return made;
    };
    const look = async (query: LogsQuery): Promise<unknown> => (await collectionFor(query))();
    return watching({ signal }, look, () => collections.clear());
  },
};

type Collection = () => Promise<readonly { readonly line: number; readonly text: string }[]>;

/** Keeps the lines of earlier looks. One look at a time: two at once would share out the lines between them. */
function collect(scan: LogScan, mark: LogMark): Collection {
  const lines: LogLine[] = [];
  let bytes = 0;
  let refusal: ObservationError | undefined;
  const readOn = async (): Promise<void> => {
    if (refusal) throw refusal;
    const finding = await scan.next();
    lines.push(...finding.lines);
    for (const { text } of finding.lines) bytes += text.length;
    const loss = lossOf(mark);
    if (loss !== undefined) refusal = new ObservationError(`the log was lost during the attempt: ${loss}`);
    refusal ??= refusalOf(finding.omitted > 0 || lines.length > observerLimits.elements, bytes, finding);
    if (refusal) throw refusal;
  };
  let last: Promise<void> = Promise.resolve();
  return async () => {
    last = last.then(readOn, readOn);
    await last;
    const unfinished = scan.unfinished();
    return [...lines, ...(unfinished ? [unfinished] : [])].map(({ line, text, isCut }) => ({
      line,
      text: isCut ? `${text}${cutMark}` : text,
    }));
  };
}

function recordsThatMatch(
  lines: Awaited<ReturnType<Collection>>,
  match = '',
): Awaited<ReturnType<Collection>> {
  const records = recordsOf(lines);
  const found = createRegexTester().testAll(
    match,
    '',
    records.map(({ text }) => text),
  );
  if (found === undefined) throw tooSlow();
  return records.filter((_, index) => found[index]);
}

/** What was left out might be the very line that a check must not see. */
function refusalOf(
  isTooMany: boolean,
  bytes: number,
  { undecided, cut, foreign }: Pick<LogFinding, 'undecided' | 'cut' | 'foreign'>,
): ObservationError | undefined {
  const { elements: logLines, logBytes, logMatchBytes } = observerLimits;
  if (cut > 0)
    return new ObservationError(
      `a line is longer than ${logMatchBytes / 1024} KB, or a part of the log was dropped, and what is looked for may be there`,
    );
  if (foreign > 0)
    return new ObservationError('a line is not UTF-8, and what `match` looks for may be there', 'never');
  if (undecided > 0) return tooSlow();
  if (!isTooMany && bytes <= logBytes) return undefined;
  const bound = `${logLines} lines or ${logBytes / 1024 ** 2} MB`;
  return new ObservationError(`more than ${bound} since the attempt began; narrow it with match`);
}

function tooSlow(): ObservationError {
  return new ObservationError('`match` takes too long on one of the lines; make it simpler');
}

function refuseBadExpression(match: string | undefined): void {
  try {
    new RegExp(match ?? '');
  } catch (error) {
    throw new ObservationError(`\`match\` is not a valid regular expression: ${(error as Error).message}`);
  }
}
