/** What the doctor found, for people: a line each, and what to do below everything that is not there. */
import { formatProblem } from '../../kernel/problem.ts';
import type { Style, Terminal } from '../terminal.ts';
import type { CheckState, Examined } from './check.ts';

const words: Readonly<Record<CheckState, { readonly word: string; readonly style: Style }>> = {
  ok: { word: 'yes', style: 'green' },
  missing: { word: 'no', style: 'red' },
  broken: { word: 'broken', style: 'red' },
  'optional-missing': { word: 'optional', style: 'yellow' },
};

const wordWidth = Math.max(...Object.values(words).map(({ word }) => word.length));

export function printChecks(checks: readonly Examined[], terminal: Terminal): void {
  const nameWidth = Math.max(...checks.map(({ name }) => name.length));
  for (const { name, state, detail, next } of checks) {
    const { word, style } = words[state];
    terminal.out(`${terminal.paint(style, word.padEnd(wordWidth))}  ${name.padEnd(nameWidth)}  ${detail}`);
    const margin = `\n${' '.repeat(wordWidth + nameWidth + 10)}`;
    if (next !== undefined)
      terminal.out(terminal.paint('dim', `${margin.slice(1, -6)}next: ${next.replaceAll('\n', margin)}`));
  }
  const problems = checks.flatMap(({ problems: own }) => own ?? []);
  if (problems.length > 0) terminal.out(`\n${problems.map(formatProblem).join('\n\n')}`);
  terminal.out(`\n${summary(checks)}`);
}

function summary(checks: readonly Examined[]): string {
  const named = (state: CheckState): string =>
    checks
      .filter((check) => check.state === state)
      .map(({ name }) => name)
      .join(', ');
  const parts = [
    named('missing') && `required and missing: ${named('missing')}`,
    named('broken') && `broken: ${named('broken')}`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join('; ') : 'everything that is required is here';
}
