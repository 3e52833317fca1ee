/** Tells what live sabotage has found: the trials that stay green, by the lie that they believed; then what was not shown, and why. */
import type { Held } from '../../campaigns/sabotage/baseline.ts';
import {
  type LiveFinding,
  type LiveSabotage,
  lieWords,
} from '../../campaigns/sabotage/live/sabotage-live.ts';
import { formatDuration } from '../../kernel/duration.ts';
import {
  columnsFor,
  type Line,
  labelled,
  line,
  printLines,
  type ReportOptions,
  wholeLine,
} from '../../report/terminal/line.ts';

export interface HeldLive extends Held<'live', LiveFinding> {
  readonly live: LiveSabotage;
}

export function tellLive(held: HeldLive, options: ReportOptions): readonly string[] {
  const columns = columnsFor(options);
  const { live } = held;
  return printLines(
    [
      ...tellFindings(held.open, columns),
      ...tellBaseline(held, columns),
      ...tellNothingShown(live, columns),
      ...tellLeft(live, columns),
      ...tellScore(held, columns),
      ...(options.runFolder === undefined ? [] : [wholeLine(`evidence: ${options.runFolder}`, 'dim')]),
    ],
    options,
  );
}

const mostTold = 30;

function tellFindings(open: readonly LiveFinding[], columns: number): readonly Line[] {
  const groups = Map.groupBy(open, ({ service, lie }) => `${service} ${lieWords[lie]}`);
  return [...groups].flatMap(([what, findings]) => [
    line(
      `${findings.length === 1 ? 'This trial stays' : `These ${findings.length} trials stay`} green with ${what}`,
      'bold',
    ),
    ...findings
      .slice(0, mostTold)
      .flatMap(({ trial, file, line: at, text }) => [
        ...labelled('  ✗ ', trial, columns, 'red'),
        wholeLine(`      ${file}:${at}`, 'dim'),
        ...labelled('      ', text.replace(/^it stays green with .*?, which it met/, 'met'), columns, 'dim'),
      ]),
    ...(findings.length > mostTold ? [line(`    … ${findings.length - mostTold} more: --json`, 'dim')] : []),
    line(
      '  next: add a check of what it is for, or accept it: shakedown sabotage --live --accept "REASON"',
      'dim',
    ),
    line(''),
  ]);
}

function tellBaseline({ accepted, stale }: HeldLive, columns: number): readonly Line[] {
  const gone = stale.flatMap(({ service, lie, trial, line: at }) =>
    labelled(
      '  ✗ ',
      `${trial} with ${service} ${lie} is accepted in shakedown/sabotage-baseline.yaml${at === undefined ? '' : `:${at}`}, and is no finding any more: shakedown sabotage --live --prune`,
      columns,
      'red',
    ),
  );
  const kept = accepted.flatMap(({ service, lie, trial, reason }) =>
    labelled('  · ', `${trial} with ${service} ${lieWords[lie]}: accepted, ${reason}`, columns, 'dim'),
  );
  return gone.length + kept.length === 0 ? [] : [line('Baseline', 'bold'), ...gone, ...kept, line('')];
}

/** Nothing of this speaks for a trial, and nothing against it. */
function tellNothingShown(live: LiveSabotage, columns: number): readonly Line[] {
  const lines = [
    ...counted(
      live.provesNothing,
      'died of a refused connection of the trial itself: that proves nothing',
      columns,
    ),
    ...counted(live.notMet, 'never met the lie: not counted', columns),
    ...live.undecided.flatMap(({ trial, service, lie, because }) =>
      labelled('  ? ', `${trial} with ${service} ${lieWords[lie]}: ${because}`, columns, 'yellow'),
    ),
    ...live.notPossible.flatMap(({ service, lie, because }) =>
      labelled('  - ', `${service} ${lieWords[lie]}: not possible, ${because}`, columns, 'dim'),
    ),
    ...tellExempt(live, columns),
    ...tellNotTried(live, columns),
  ];
  return lines.length === 0 ? [] : [line('What shows nothing', 'bold'), ...lines, line('')];
}

function counted(count: number, what: string, columns: number): readonly Line[] {
  return count === 0
    ? []
    : labelled('  - ', `${count === 1 ? '1 attempt' : `${count} attempts`} ${what}`, columns);
}

function tellExempt({ exempt }: LiveSabotage, columns: number): readonly Line[] {
  const groups = Map.groupBy(exempt, ({ service, because }) => `${service}: ${because}`);
  return [...groups].flatMap(([what, all]) =>
    labelled('  - ', `${several(all.map(({ trial }) => trial))} with ${what}`, columns, 'dim'),
  );
}

function tellNotTried({ notTried }: LiveSabotage, columns: number): readonly Line[] {
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

function tellLeft({ left }: LiveSabotage, columns: number): readonly Line[] {
  if (left.length === 0) return [];
  const sum = left.reduce((all, { trials }) => all + trials, 0);
  return [
    line(`Not tried: there was no time left for ${sum} attempts`, 'bold'),
    ...left.flatMap(({ service, lie, trials }) =>
      labelled('  - ', `${service} ${lieWords[lie]}: ${trials} trials`, columns),
    ),
    line(''),
  ];
}

function tellScore({ live, open, accepted }: HeldLive, columns: number): readonly Line[] {
  const { lies, trials, attempts, noticed, durationMs } = live;
  const quiet = open.length + accepted.length;
  return labelled(
    '',
    `${lies} lies told to ${trials} trials in ${attempts} attempts: ${noticed} noticed, ${quiet} stayed green, ${formatDuration(durationMs)}`,
    columns,
    open.length === 0 && attempts > 0 ? 'green' : 'bold',
  );
}
