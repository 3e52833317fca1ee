/** Formats the results of the doctor: a line for each check, followed by the remedy where something is missing. */

import type { CheckState, Examined } from '../../campaigns/doctor/checks/check.ts';
import type { Diagnosis, LiveAnswer } from '../../campaigns/doctor/diagnose.ts';
import { formatProblems } from '../../kernel/format-problems.ts';
import type { Style, Terminal } from '../call/terminal.ts';

const words: Readonly<Record<CheckState, { readonly word: string; readonly style: Style }>> = {
  ok: { word: 'yes', style: 'green' },
  missing: { word: 'no', style: 'red' },
  failed: { word: 'no', style: 'red' },
  broken: { word: 'broken', style: 'red' },
  skipped: { word: 'skipped', style: 'yellow' },
  'optional-missing': { word: 'optional', style: 'yellow' },
};

const wordWidth = Math.max(...Object.values(words).map(({ word }) => word.length));

export function formatChecks({ examined, live }: Diagnosis, terminal: Terminal): readonly string[] {
  const rows = live?.rows ?? [];
  const all = [...examined, ...rows];
  const nameWidth = Math.max(...all.map(({ name }) => name.length));
  const problems = all.flatMap(({ problems: own }) => own ?? []);
  return [
    ...formatRows(examined, nameWidth, terminal),
    ...(rows.length > 0 ? ['\nyour own system, from the boot to each entry point:'] : []),
    ...formatRows(rows, nameWidth, terminal),
    ...(problems.length > 0 ? [`\n${formatProblems(problems, terminal)}`] : []),
    `\n${summary(examined, live)}`,
  ];
}

/** Checks with the same remedy are grouped. */
function formatRows(rows: readonly Examined[], nameWidth: number, { paint, hint }: Terminal): string[] {
  const margin = `\n${' '.repeat(wordWidth + nameWidth + 10)}`;
  return rows.flatMap(({ name, state, detail, next }, index) => {
    const { word, style } = words[state];
    const row = `${paint(style, word.padEnd(wordWidth))}  ${name.padEnd(nameWidth)}  ${detail}`;
    if (next === undefined || rows[index + 1]?.next === next) return [row];
    return [row, paint('dim', `${margin.slice(1, -6)}next: ${hint(next).replaceAll('\n', margin)}`)];
  });
}

function summary(checks: readonly Examined[], live: LiveAnswer | undefined): string {
  const rows = live?.rows ?? [];
  const named = (state: CheckState): string =>
    [...checks, ...rows]
      .filter((check) => check.state === state)
      .map(({ name }) => name)
      .join(', ');
  const parts = [
    named('missing') && `required and missing: ${named('missing')}`,
    named('broken') && `broken: ${named('broken')}`,
    named('failed') && `does not work: ${named('failed')}`,
  ].filter(Boolean);
  if (parts.length > 0) return parts.join('; ');
  const skipped = rows.filter(({ state }) => state === 'skipped').length;
  if (!live?.tried)
    return `everything that is required is here${live ? '; whether the system works was not tried' : ''}`;
  // A boot alone does not show that the system works: a trial must get an answer from it.
  const isEntered = rows.some(({ trial, state }) => trial !== undefined && state !== 'skipped');
  if (!isEntered)
    return 'everything that is required is here, and the system boots; no entry point was tried';
  return `everything that is required is here, and the system works${skipped > 0 ? `; ${skipped} of ${rows.length} not tried` : ''}`;
}
