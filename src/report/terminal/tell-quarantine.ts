/** What is in quarantine, as a person reads it: whose it is, until when, what became of it, and what to do about it. */
import type { JudgedEntry } from '../../checks/quarantine.ts';
import type { TrialVerdict } from '../../checks/verdict.ts';
import { type Line, labelled, line } from './line.ts';
import { storyLimits } from './story-limits.ts';

/** In the story of a failure that does not fail the run. */
export function tellExcuse({ quarantined }: TrialVerdict, columns: number): readonly Line[] {
  if (!quarantined) return [];
  const { owner, reason, until } = quarantined;
  return labelled('  ', `in quarantine until ${until}, ${owner} sees to it: ${reason}`, columns, 'yellow');
}

export function tellQuarantine(entries: readonly JudgedEntry[], columns: number): readonly Line[] {
  const told = entries.slice(0, storyLimits.reasons);
  return [
    ...told.flatMap((entry) => [
      ...labelled('  ', `${nameOf(entry)}  ${became(entry)}`, columns, styleOf(entry)),
      ...labelled('    ', `until ${entry.until}, ${entry.owner}: ${entry.reason}`, columns, 'dim'),
      ...advice(entry).flatMap((text) => labelled('    ', text, columns, 'yellow')),
    ]),
    ...(entries.length > told.length
      ? [line(`    … and ${entries.length - told.length} more, all in verdict.json`, 'dim')]
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
  const told = [...counts].map(([verdict, of]) =>
    trials.length === 1 ? verdict : `${of.length} of ${trials.length} ${verdict}`,
  );
  return [...first, ...told].join(', ');
}

function styleOf({ isExpired, trials }: JudgedEntry): 'red' | 'yellow' | 'dim' {
  if (isExpired) return 'red';
  return trials.some(({ verdict }) => verdict !== 'passed') ? 'yellow' : 'dim';
}

function advice({ isStale, isExpired, heldInARow, file, line: at }: JudgedEntry): readonly string[] {
  if (isStale) return [`it has held in its last ${heldInARow + 1} runs: remove it from ${file}:${at}`];
  return isExpired ? [`it no longer counts: ${file}:${at}`] : [];
}
