/** New lines of services that match the log gate of the config, except those that it allows. */
import type { Redactor } from '../../journal/redaction.ts';
import { errorTexts } from '../../observers/logs/error-text.ts';
import { lossOf, scanSince } from '../../observers/logs/log-mark.ts';
import { createRegexTester } from '../../patterns/bounded-regex.ts';
import type { System } from '../../system/system.ts';
import type { LogMarks } from '../../trials/perform/write-logs.ts';
import { logGateOf } from '../../trials/read/trial-options.ts';
import { observeLimits } from './junit/observe-limits.ts';

export async function newErrorLines(system: System, marks: LogMarks, redactor: Redactor) {
  const { signal } = new AbortController();
  const { error, allow } = logGateOf(system, []);
  const regexes = createRegexTester();
  const found: { readonly service: string; readonly text: string }[] = [];
  // Logs whose content is not known, and why; lines that could not be decided, or exceeded the limit.
  const lost: string[] = [];
  let undecided = 0;
  if (error === undefined) return { lines: [], undecided, lost };
  for (const [service, mark] of marks) {
    const scan = scanSince(mark, redactor, { signal, expression: error, most: observeLimits.errorLines });
    const finding = await scan.next();
    const last = scan.unfinished();
    const loss = lossOf(mark);
    if (loss !== undefined) lost.push(`${service}: ${loss}`);
    undecided += finding.undecided + finding.omitted;
    const isAllowed = (text: string): boolean =>
      allow.some((one) => one.service === service && regexes.test(one.match, '', text) === true);
    const lines = last ? [...finding.lines, last] : finding.lines;
    for (const text of errorTexts(mark.file, lines)) if (!isAllowed(text)) found.push({ service, text });
  }
  return { lines: found, undecided, lost };
}
