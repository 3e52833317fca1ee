/** The quarantine for a person: owner, end date, result, and what to do about it. */
import type { JudgedEntry } from '../../checks/quarantine.ts';
import type { TrialVerdict } from '../../checks/verdict.ts';
import { andMore, firstOf, item, type Line } from './line.ts';
import { storyLimits } from './story-limits.ts';

/** Shown with a failure that does not fail the run. */
export function formatExcuse({ quarantined }: TrialVerdict): readonly Line[] {
  if (!quarantined) return [];
  const { owner, reason, until } = quarantined;
  return [item('  ', `in quarantine until ${until}, owned by ${owner}: ${reason}`, 'yellow')];
}

export function formatQuarantine(entries: readonly JudgedEntry[]): readonly Line[] {
  return firstOf(entries, storyLimits.reasons, formatEntry, andMore('    ', ', all in verdict.json'));
}

function formatEntry(entry: JudgedEntry): readonly Line[] {
  return [
    item('  ', `${nameOf(entry)}  ${became(entry)}`, styleOf(entry)),
    item('    ', `until ${entry.until}, ${entry.owner}: ${entry.reason}`, 'dim'),
    ...advice(entry).map((text) => item('    ', text, 'yellow')),
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
