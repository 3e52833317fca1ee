/** Formats the result of live sabotage: the trials that stay green, by mutant; then what was inconclusive, and why. */
import type { LiveFinding, LiveSabotage } from '../../campaigns/sabotage/live/sabotage-live.ts';
import type { SabotagedSuite } from '../../campaigns/sabotage/live/sabotage-suite.ts';
import { mutantText } from '../../journal/mutant-kinds.ts';
import { counted, firstNames } from '../../kernel/counted.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { formatBaseline } from './format-baseline.ts';
import {
  firstOf,
  item,
  type Line,
  line,
  paragraph,
  printLines,
  type ReportOptions,
  type Style,
  wholeLine,
} from './line.ts';

export function formatLive(held: SabotagedSuite, options: ReportOptions): readonly string[] {
  const { live } = held;
  return printLines(
    [
      ...formatFindings(held.open),
      ...formatBaseline<'live'>(
        held,
        ({ trial, service, mutant }) => `${trial} with ${service} ${mutant}`,
        'shakedown sabotage --live --prune',
      ),
      ...formatNothingShown(live),
      ...formatLeft(live),
      formatScore(held),
      ...(options.runFolder === undefined ? [] : [wholeLine(`evidence: ${options.runFolder}`, 'dim')]),
    ],
    options,
  );
}

const mostShown = 30;

function formatFindings(open: readonly LiveFinding[]): readonly Line[] {
  const groups = Map.groupBy(open, ({ service, mutant }) => `${service} ${mutantText[mutant]}`);
  const next =
    '  next: add a check of what it is for, or accept it: shakedown sabotage --live --accept "REASON"';
  return [...groups].flatMap(([what, findings]) => {
    const which = findings.length === 1 ? 'This trial stays' : `These ${findings.length} trials stay`;
    return paragraph(`${which} green with ${what}`, [
      ...firstOf(findings, mostShown, formatFinding, (left) => line(`    … ${left} more: --json`, 'dim')),
      line(next, 'dim'),
    ]);
  });
}

function formatFinding({ trial, file, line: at, text }: LiveFinding): readonly Line[] {
  return [
    item('  ✗ ', trial, 'red'),
    wholeLine(`      ${file}:${at}`, 'dim'),
    item('      ', text.replace(/^it stays green with .*?, which it met/, 'met'), 'dim'),
  ];
}

/** Attempts that count neither for nor against a trial. */
function formatNothingShown(live: LiveSabotage): readonly Line[] {
  const died = 'failed because a connection of the trial itself was refused: proves nothing';
  return paragraph('Inconclusive', [
    ...attempts(live.provesNothing, died),
    ...attempts(live.notMet, 'never met the mutant: not counted'),
    ...live.undecided.map(({ trial, service, mutant, because }) =>
      item('  ? ', `${trial} with ${service} ${mutantText[mutant]}: ${because}`, 'yellow'),
    ),
    ...live.notPossible.map(({ service, mutant, because }) =>
      item('  - ', `${service} ${mutantText[mutant]}: not possible, ${because}`, 'dim'),
    ),
    ...grouped(live.exempt, ({ service, because }) => ` with ${service}: ${because}`, 'dim'),
    ...grouped(live.notTried, ({ because }) => ` not tried: ${because}`),
  ]);
}

function attempts(count: number, what: string): readonly Line[] {
  return count === 0 ? [] : [item('  - ', `${counted(count, 'attempt')} ${what}`)];
}

const mostNames = 3;

/** One line for all trials of which the same is said. */
function grouped<Item extends { readonly trial: string }>(
  items: readonly Item[],
  what: (item: Item) => string,
  style?: Style,
): readonly Line[] {
  return [...Map.groupBy(items, what)].map(([said, all]) => {
    const names = all.map(({ trial }) => trial);
    return item('  - ', `${firstNames(names, mostNames)}${said}`, style);
  });
}

function formatLeft({ left }: LiveSabotage): readonly Line[] {
  const sum = left.reduce((all, { trials }) => all + trials, 0);
  return paragraph(
    `Not tried: there was no time left for ${sum} attempts`,
    left.map(({ service, mutant, trials }) =>
      item('  - ', `${service} ${mutantText[mutant]}: ${trials} trials`),
    ),
  );
}

function formatScore({ live, open, accepted }: SabotagedSuite): Line {
  const { mutants, trials, attempts, noticed, durationMs } = live;
  const survived = open.length + accepted.length;
  const text = `${mutants} mutants applied to ${trials} trials in ${attempts} attempts: ${noticed} killed, ${survived} survived, ${formatDuration(durationMs)}`;
  return item('', text, open.length === 0 && attempts > 0 ? 'green' : 'bold');
}
