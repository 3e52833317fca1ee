/** Formats the result of live sabotage: the trials that stay green, by mutant; then what was inconclusive, and why. */
import type { LiveFinding, LiveSabotage } from '../../campaigns/sabotage/live/sabotage-live.ts';
import type { SabotagedSuite } from '../../campaigns/sabotage/live/sabotage-suite.ts';
import { mutantText } from '../../journal/mutant-kinds.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { formatBaseline } from './format-baseline.ts';
import { columnsFor, type Line, labelled, line, printLines, type ReportOptions, wholeLine } from './line.ts';

export function formatLive(held: SabotagedSuite, options: ReportOptions): readonly string[] {
  const columns = columnsFor(options);
  const { live } = held;
  return printLines(
    [
      ...formatFindings(held.open, columns),
      ...formatBaseline<'live'>(
        held,
        ({ trial, service, mutant }) => `${trial} with ${service} ${mutant}`,
        'shakedown sabotage --live --prune',
        columns,
      ),
      ...formatNothingShown(live, columns),
      ...formatLeft(live, columns),
      ...formatScore(held, columns),
      ...(options.runFolder === undefined ? [] : [wholeLine(`evidence: ${options.runFolder}`, 'dim')]),
    ],
    options,
  );
}

const mostShown = 30;

function formatFindings(open: readonly LiveFinding[], columns: number): readonly Line[] {
  const groups = Map.groupBy(open, ({ service, mutant }) => `${service} ${mutantText[mutant]}`);
  return [...groups].flatMap(([what, findings]) => [
    line(
      `${findings.length === 1 ? 'This trial stays' : `These ${findings.length} trials stay`} green with ${what}`,
      'bold',
    ),
    ...findings
      .slice(0, mostShown)
      .flatMap(({ trial, file, line: at, text }) => [
        ...labelled('  ✗ ', trial, columns, 'red'),
        wholeLine(`      ${file}:${at}`, 'dim'),
        ...labelled('      ', text.replace(/^it stays green with .*?, which it met/, 'met'), columns, 'dim'),
      ]),
    ...(findings.length > mostShown
      ? [line(`    … ${findings.length - mostShown} more: --json`, 'dim')]
      : []),
    line(
      '  next: add a check of what it is for, or accept it: shakedown sabotage --live --accept "REASON"',
      'dim',
    ),
    line(''),
  ]);
}

/** Attempts that count neither for nor against a trial. */
function formatNothingShown(live: LiveSabotage, columns: number): readonly Line[] {
  const lines = [
    ...counted(
      live.provesNothing,
      'failed because a connection of the trial itself was refused: proves nothing',
      columns,
    ),
    ...counted(live.notMet, 'never met the mutant: not counted', columns),
    ...live.undecided.flatMap(({ trial, service, mutant, because }) =>
      labelled('  ? ', `${trial} with ${service} ${mutantText[mutant]}: ${because}`, columns, 'yellow'),
    ),
    ...live.notPossible.flatMap(({ service, mutant, because }) =>
      labelled('  - ', `${service} ${mutantText[mutant]}: not possible, ${because}`, columns, 'dim'),
    ),
    ...formatExempt(live, columns),
    ...formatNotTried(live, columns),
  ];
  return lines.length === 0 ? [] : [line('Inconclusive', 'bold'), ...lines, line('')];
}

function counted(count: number, what: string, columns: number): readonly Line[] {
  return count === 0
    ? []
    : labelled('  - ', `${count === 1 ? '1 attempt' : `${count} attempts`} ${what}`, columns);
}

function formatExempt({ exempt }: LiveSabotage, columns: number): readonly Line[] {
  const groups = Map.groupBy(exempt, ({ service, because }) => `${service}: ${because}`);
  return [...groups].flatMap(([what, all]) =>
    labelled('  - ', `${several(all.map(({ trial }) => trial))} with ${what}`, columns, 'dim'),
  );
}

function formatNotTried({ notTried }: LiveSabotage, columns: number): readonly Line[] {
  const groups = Map.groupBy(notTried, ({ because }) => because);
  return [...groups].flatMap(([because, all]) =>
    labelled('  - ', `${several(all.map(({ trial }) => trial))} not tried: ${because}`, columns),
  );
}

const mostNames = 3;

function several(trials: readonly string[]): string {
  const rest = trials.length > mostNames ? ` and ${trials.length - mostNames} more` : '';
  return `${trials.slice(0, mostNames).join(', ')}${rest}`;
}

function formatLeft({ left }: LiveSabotage, columns: number): readonly Line[] {
  if (left.length === 0) return [];
  const sum = left.reduce((all, { trials }) => all + trials, 0);
  return [
    line(`Not tried: there was no time left for ${sum} attempts`, 'bold'),
    ...left.flatMap(({ service, mutant, trials }) =>
      labelled('  - ', `${service} ${mutantText[mutant]}: ${trials} trials`, columns),
    ),
    line(''),
  ];
}

function formatScore({ live, open, accepted }: SabotagedSuite, columns: number): readonly Line[] {
  const { mutants, trials, attempts, noticed, durationMs } = live;
  const quiet = open.length + accepted.length;
  return labelled(
    '',
    `${mutants} mutants applied to ${trials} trials in ${attempts} attempts: ${noticed} killed, ${quiet} survived, ${formatDuration(durationMs)}`,
    columns,
    open.length === 0 && attempts > 0 ? 'green' : 'bold',
  );
}
