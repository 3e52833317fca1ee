/** The end of a run as a person reads it: the numbers, what speaks against it, what was skipped, what to do next. */
import type { RunReason, RunVerdict, Verdict } from '../../checks/verdict.ts';
import { formatDuration } from '../../kernel/duration.ts';
import type { ExitCode } from '../../kernel/exit-codes.ts';
import { shellWord } from '../../kernel/shell-word.ts';
import { columnsFor, type Line, labelled, line, printLines, type ReportOptions, wholeLine } from './line.ts';
import { storyLimits } from './story-limits.ts';
import { tellCosts } from './tell-costs.ts';
import { tellQuarantine } from './tell-quarantine.ts';

/** `notes` are what is known beside the verdict itself. */
export function tellRun(run: RunVerdict, options: ReportOptions = {}, notes: readonly Line[] = []): string[] {
  const columns = columnsFor(options);
  const lines = [
    ...headline(run, columns),
    ...tellSkips(run, columns),
    ...block('Quarantine', tellQuarantine(run.quarantine ?? [], columns)),
    ...tellReasons(run, columns),
    ...tellUnrest(run, columns),
    ...tellCosts(run, columns),
    ...block(
      'Left behind',
      run.leaks.map((leak) => wholeLine(`  ${leak}`, 'red')),
    ),
    ...notes,
    ...tellUnchecked(run, columns),
    line(''),
    ...nextCommands(run, options),
  ];
  return printLines(lines, options);
}

/** Journals of the first version have no checksums. */
function tellUnchecked({ trials }: RunVerdict, columns: number): readonly Line[] {
  const count = trials.filter(({ unchecked }) => unchecked).length;
  if (count === 0) return [];
  const told = `${count} of the trials were judged from journals of version 1, which have no checksums: nobody can tell whether they are as they were written`;
  return [line(''), ...labelled('', told, columns)];
}

/** In this order, and in these words. */
const countWords: ReadonlyArray<readonly [verdict: Verdict | 'quarantined', words: string]> = [
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['unstable', 'unstable'],
  ['quarantined', 'failed in quarantine'],
  ['unknown', 'unknown'],
  ['expected-failure', 'failed as expected'],
  ['skipped', 'skipped'],
];

function headline({ counts, exitCode, durationMs }: RunVerdict, columns: number): readonly Line[] {
  const { quarantined = 0 } = counts;
  const shown = { ...counts, unstable: counts.unstable - quarantined, quarantined };
  const told = countWords
    .filter(([verdict]) => shown[verdict] > 0)
    .map(([verdict, words]) => `${shown[verdict]} ${words}`);
  const trials = counts.selected === 1 ? '1 trial' : `${counts.selected} trials`;
  const sum = told.length === 0 ? 'nothing was judged' : told.join(', ');
  const { declared, selected, executed } = counts;
  const isPart = declared !== selected || executed !== selected;
  return [
    ...labelled(
      '',
      `${trials} in ${formatDuration(durationMs)}: ${sum}`,
      columns,
      exitCode === 0 ? 'green' : 'bold',
    ),
    ...(isPart ? [line(`${declared} declared, ${selected} selected, ${executed} executed`, 'dim')] : []),
  ];
}

/** Skips of one reason together, none left out. */
function tellSkips({ trials }: RunVerdict, columns: number): readonly Line[] {
  const skipped = trials.filter(({ verdict }) => verdict === 'skipped');
  const told = skipped.slice(0, storyLimits.skips);
  const byReason = Map.groupBy(
    told,
    ({ skipReason, cause }) => skipReason ?? cause?.text ?? 'no reason was given',
  );
  return block('Skipped', [
    ...[...byReason].flatMap(([reason, group]) => [
      ...labelled('  ', `${reason}:`, columns),
      ...group.map(({ id }) => line(`    ${id}`, 'dim')),
    ]),
    ...untold(skipped.length - told.length, columns),
  ]);
}

/** Each of them waited in vain; one sentence says what to do. */
function tellUnrest({ trials }: RunVerdict, columns: number): readonly Line[] {
  const restless = trials.filter((trial) => trial.restless !== undefined);
  const [first] = restless;
  if (!first) return [];
  const which = restless.length === 1 ? first.id : `${restless.length} trials`;
  return block('Never at rest', labelled('  ', `${which}: ${first.restless}`, columns, 'yellow'));
}

const meanings: Readonly<Record<ExitCode, string>> = {
  0: 'everything held',
  1: 'the system failed',
  2: 'wrong usage, or a config that cannot be used',
  3: 'the environment did not boot',
  4: 'backends differ',
  5: 'a budget allowed no more',
  6: 'the suite does not prove what it says',
  7: 'something was left behind',
  70: 'a bug of Shakedown',
  130: 'it was interrupted',
  143: 'it was terminated',
};

/** All that speaks against 0, the gravest first, under the exit code to which it leads. */
function tellReasons({ reasons, exitCode }: RunVerdict, columns: number): readonly Line[] {
  if (reasons.length === 0) return exitCode === 0 ? [] : [line(''), line(endsWith(exitCode), 'red')];
  const groups = [...Map.groupBy(reasons, (reason) => reason.exitCode)];
  if (groups.length === 1) return block(endsWith(exitCode), tellGroup(reasons, columns));
  return block(
    `${endsWith(exitCode)}. All that speaks against 0, the gravest first:`,
    groups.flatMap(([code, group]) => [
      line(`  ${code}, ${meanings[code]}`, code === exitCode ? 'red' : 'yellow'),
      ...tellGroup(group, columns),
    ]),
  );
}

function endsWith(code: ExitCode): string {
  return `Exit code ${code}, ${meanings[code]}`;
}

function tellGroup(reasons: readonly RunReason[], columns: number): readonly Line[] {
  return [
    ...reasons.slice(0, storyLimits.reasons).flatMap((reason) => tellReason(reason, columns)),
    ...untold(reasons.length - storyLimits.reasons, columns),
  ];
}

function tellReason({ trial, text }: RunReason, columns: number): readonly Line[] {
  const name = trial === undefined || text.includes(trial) ? '' : `${trial}  `;
  return labelled('    ', `${name}${text}`, columns);
}

/** Where to look and what to type: everything again, the gravest failure alone, all that failed. */
function nextCommands(
  { trials, reasons, seed }: RunVerdict,
  { runFolder, again }: ReportOptions,
): readonly Line[] {
  const bad = trials.filter(({ verdict }) => ['failed', 'unstable', 'unknown'].includes(verdict));
  const gravest = reasons.find(({ trial }) => bad.some(({ id }) => id === trial))?.trial ?? bad[0]?.id;
  const told: ReadonlyArray<readonly [label: string, text: string]> = [
    ...(runFolder === undefined ? [] : [['evidence', runFolder] as const]),
    ['same seed', again ?? `shakedown run --seed ${shellWord(seed)}`],
    ...(gravest === undefined
      ? []
      : [
          [
            bad.length === 1 ? 'see it again' : 'the gravest',
            trials.find(({ id }) => id === gravest)?.repro ?? `shakedown rerun latest ${shellWord(gravest)}`,
          ] as const,
          ['what failed only', 'shakedown run --last-failed'] as const,
        ]),
  ];
  return told.map(([label, text]) => wholeLine(`${label.padEnd(18)}${text}`));
}

function block(heading: string, lines: readonly Line[]): readonly Line[] {
  return lines.length === 0 ? [] : [line(''), line(heading, 'bold'), ...lines];
}

function untold(count: number, columns: number): readonly Line[] {
  return count > 0 ? labelled('    ', `… and ${count} more, all in verdict.json`, columns, 'dim') : [];
}
