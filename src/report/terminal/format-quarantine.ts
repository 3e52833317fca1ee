/** The quarantine for a person: owner, end date, result, and what to do about it. */
import type { JudgedEntry } from '../../checks/quarantine.ts';
import type { TrialVerdict } from '../../checks/verdict.ts';
import { type Line, labelled, line } from './line.ts';
import { storyLimits } from './story-limits.ts';

/** Shown with a failure that does not fail the run. */
export function formatExcuse({ quarantined }: TrialVerdict, columns: number): readonly Line[] {
  if (!quarantined) return [];
  const { owner, reason, until } = quarantined;
  return labelled('  ', `in quarantine until ${until}, owned by ${owner}: ${reason}`, columns, 'yellow');
}

export function formatQuarantine(entries: readonly JudgedEntry[], columns: number): readonly Line[] {
  const shown = entries.slice(0, storyLimits.reasons);
  return [
    ...shown.flatMap((entry) => [
      ...labelled('  ', `${nameOf(entry)}  ${became(entry)}`, columns, styleOf(entry)),
      ...labelled('    ', `until ${entry.until}, ${entry.owner}: ${entry.reason}`, columns, 'dim'),
      ...advice(entry).flatMap((text) => labelled('    ', text, columns, 'yellow')),
    ]),
    ...(entries.length > shown.length
      ? [line(`    … and ${entries.length - shown.length} more, all in verdict.json`, 'dim')]
      : []),
  ];
}

function nameOf({ trial, check }: JudgedEntry): string {
  return check === undefined ? trial : `${trial}, ${check}`;
}

function became({ trials, isExpired }: JudgedEntry): string {
  const first = isExpired ? ['expired'] : [];
  if (trials.length === 0) return [...first, 'not selected'].join(', ');
  const counts = Map.groupBy(trials, ({ verdict }) => (verdict === 'unstable' ? 'failed' : verdict));
  const shown = [...counts].map(([verdict, of]) =>
    trials.length === 1 ? verdict : `${of.length} of ${trials.length} ${verdict}`,
  );
  return [...first, ...shown].join(', ');
}

function styleOf({ isExpired, trials }: JudgedEntry): 'red' | 'yellow' | 'dim' {
  if (isExpired) return 'red';
  return trials.some(({ verdict }) => verdict !== 'passed') ? 'yellow' : 'dim';
}

function advice({ isStale, isExpired, heldInARow, file, line: at }: JudgedEntry): readonly string[] {
  if (isStale) return [`it has held in its last ${heldInARow + 1} runs: remove it from ${file}:${at}`];
  return isExpired ? [`it no longer counts: ${file}:${at}`] : [];
}
