/** What the doctor found, for people: a line each, and what to do below everything that is not there. */
import { tellProblems } from '../tell-problems.ts';
import type { Style, Terminal } from '../terminal.ts';
import type { CheckState, Examined } from './check.ts';
import type { LiveAnswer } from './examine-live.ts';

const words: Readonly<Record<CheckState, { readonly word: string; readonly style: Style }>> = {
  ok: { word: 'yes', style: 'green' },
  missing: { word: 'no', style: 'red' },
  failed: { word: 'no', style: 'red' },
  broken: { word: 'broken', style: 'red' },
  skipped: { word: 'skipped', style: 'yellow' },
  'optional-missing': { word: 'optional', style: 'yellow' },
};

const wordWidth = Math.max(...Object.values(words).map(({ word }) => word.length));

export function printChecks(
  checks: readonly Examined[],
  live: LiveAnswer | undefined,
  terminal: Terminal,
): void {
  const rows = live?.rows ?? [];
  const nameWidth = Math.max(...[...checks, ...rows].map(({ name }) => name.length));
  printRows(checks, nameWidth, terminal);
  if (rows.length > 0) terminal.out('\nyour own system, from the boot to each way in:');
  printRows(rows, nameWidth, terminal);
  const problems = [...checks, ...rows].flatMap(({ problems: own }) => own ?? []);
  if (problems.length > 0) terminal.out(`\n${tellProblems(problems, terminal)}`);
  terminal.out(`\n${summary(checks, live)}`);
}

/** What has the same remedy is told together. */
function printRows(rows: readonly Examined[], nameWidth: number, terminal: Terminal): void {
  rows.forEach(({ name, state, detail, next }, index) => {
    const { word, style } = words[state];
    terminal.out(`${terminal.paint(style, word.padEnd(wordWidth))}  ${name.padEnd(nameWidth)}  ${detail}`);
    const margin = `\n${' '.repeat(wordWidth + nameWidth + 10)}`;
    if (next !== undefined && rows[index + 1]?.next !== next)
      terminal.out(
        terminal.paint('dim', `${margin.slice(1, -6)}next: ${terminal.hint(next).replaceAll('\n', margin)}`),
      );
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
  // What was taken down again shows only that it boots: to work is to answer somebody.
  const isEntered = rows.some(({ trial, state }) => trial !== undefined && state !== 'skipped');
  if (!isEntered) return 'everything that is required is here, and the system boots; no way in was tried';
  return `everything that is required is here, and the system works${skipped > 0 ? `; ${skipped} of ${rows.length} not tried` : ''}`;
}
