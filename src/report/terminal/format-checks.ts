/** What was expected and what was seen, check by check: those that failed, those that are unknown, those that held. */
import type { CheckVerdict } from '../../checks/verdict.ts';
import type { AttemptEvent } from '../../journal/trial-event.ts';
import { formatSeen, type SeenLine } from './format-seen.ts';
import { firstOf, item, type Line, labelled, line } from './line.ts';
import { storyLimits } from './story-limits.ts';

const margin = ' '.repeat(8);

export function formatChecks(
  checks: readonly CheckVerdict[],
  events: readonly AttemptEvent[],
  columns: number,
): readonly Line[] {
  const failed = checks.filter(({ verdict }) => verdict === 'failed' || verdict === 'unstable');
  return [
    ...firstOf(
      failed,
      storyLimits.failedChecks,
      (check) => formatFailed(check, events, columns),
      (left) => line(`    … and ${left} more, all in verdict.json`),
    ),
    ...formatUnknown(checks),
    ...formatHeld(checks),
  ];
}

function formatFailed(
  check: CheckVerdict,
  events: readonly AttemptEvent[],
  columns: number,
): readonly Line[] {
  const title = check.title === undefined ? '' : `: ${check.title}`;
  const seen = formatSeen(check, events, columns);
  return [
    item('    ✗ ', `${check.id} (line ${check.line})${title}`, 'red'),
    ...formatDifference(check, seen, columns),
    ...seen,
  ];
}

/** The explanation of a mismatch repeats expected and observed, so one of the two is enough. */
function formatDifference(check: CheckVerdict, seen: readonly SeenLine[], columns: number): readonly Line[] {
  const { expected, observed } = check;
  const text = withoutRepeats(check.explanation ?? '', seen);
  const own = `expected  ${expected}\nobserved  ${observed}`;
  const blocks = (text.includes(own) ? text : `${own}\n${text}`).split('\n\n');
  const omitted = blocks.length - storyLimits.mismatches;
  const lines = [
    ...blocks
      .slice(0, storyLimits.mismatches)
      .flatMap((block, index) => [
        ...(index > 0 ? [line('')] : []),
        ...block.split('\n').flatMap((text) => formatPart(text, columns)),
      ]),
    ...(omitted > 0 ? [line(`${margin}… and ${omitted} more places, all in verdict.json`, 'dim')] : []),
  ];
  if (lines.length <= storyLimits.differenceLines) return lines;
  return [
    ...lines.slice(0, storyLimits.differenceLines),
    line(`${margin}… the rest is in verdict.json`, 'dim'),
  ];
}

/** The time, and the value itself if it follows, are shown with the evidence. */
function withoutRepeats(explanation: string, seen: readonly SeenLine[]): string {
  const untimed = seen.length > 0 ? explanation.replace(/\n?^(?:seen )?at \d.*$/m, '') : explanation;
  return seen.some(({ isValue }) => isValue) ? untimed.replace(/; the last value seen: .*$/m, '') : untimed;
}

function formatPart(text: string, columns: number): readonly Line[] {
  const [, label, value = ''] = /^(expected|observed|at)( {2,}.*)$/.exec(text) ?? [];
  if (label === undefined) return text === '' ? [] : labelled(margin, text, columns);
  // The root of a value is not worth a line.
  if (label === 'at' && value.trim() === '$') return [];
  const style = label === 'expected' ? 'green' : label === 'observed' ? 'red' : undefined;
  return labelled(`${margin}${label.padEnd(10)}`, value.trim() || 'nothing', columns, style);
}

/** Many checks are usually unknown for one reason: the attempt ended before them. */
export function formatUnknown(checks: readonly CheckVerdict[], indent = '    '): readonly Line[] {
  const unknown = checks.filter(({ verdict }) => verdict === 'unknown');
  const byReason = Map.groupBy(unknown, ({ explanation, observed }) => explanation ?? observed);
  return [...byReason].map(([reason, same]) =>
    item(`${indent}? `, `${same.map(({ id }) => id).join(', ')}: unknown, ${reason}`, 'yellow'),
  );
}

/** Only the trial's own checks: done steps and running processes are not listed. */
function formatHeld(checks: readonly CheckVerdict[]): readonly Line[] {
  const held = checks.flatMap(({ id, verdict }) => (verdict === 'passed' && !isImplied(id) ? [id] : []));
  return held.length === 0 ? [] : [item('    ✓ ', `held: ${held.join(', ')}`, 'dim')];
}

function isImplied(id: string): boolean {
  return ['processes', 'logs', 'models', 'peers'].includes(id) || id.startsWith('step ');
}
