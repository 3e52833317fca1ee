/** The end of a run for a person: the numbers, the reasons for its exit code, what was skipped, what to do next. */
import type { CauseKind, RunReason, RunVerdict, TrialVerdict, Verdict } from '../../checks/verdict.ts';
import { counted, firstNames } from '../../kernel/counted.ts';
import { defined } from '../../kernel/defined.ts';
import { formatDuration } from '../../kernel/duration.ts';
import type { ExitCode } from '../../kernel/exit-codes.ts';
import { shellWord } from '../../kernel/shell-word.ts';
import { formatCosts } from './format-cost.ts';
import { formatQuarantine } from './format-quarantine.ts';
import {
  block,
  firstOf,
  formatLeaks,
  item,
  type Line,
  line,
  printLines,
  type ReportOptions,
  wholeLine,
} from './line.ts';
import { storyLimits } from './story-limits.ts';

/** `notes` are facts beside the verdict itself. */
export function formatRun(
  run: RunVerdict,
  options: ReportOptions = {},
  notes: readonly Line[] = [],
): string[] {
  const lines = [
    ...headline(run),
    ...formatSkips(run),
    ...block('Quarantine', formatQuarantine(run.quarantine ?? [])),
    ...formatReasons(run, options),
    ...formatUnrest(run),
    ...formatCosts(run),
    ...formatLeaks('Left behind', run.leaks),
    ...notes,
    ...formatUnchecked(run),
    line(''),
    ...nextCommands(run, options),
  ];
  return printLines(lines, options);
}

/** Journals of the first version have no checksums. */
function formatUnchecked({ trials }: RunVerdict): readonly Line[] {
  const count = trials.filter(({ unchecked }) => unchecked).length;
  if (count === 0) return [];
  const parts = `${count} of the trials were judged from journals of version 1, which have no checksums: changes to them cannot be detected`;
  return [line(''), item('', parts)];
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

function headline({ counts, exitCode, durationMs }: RunVerdict): readonly Line[] {
  const { quarantined = 0 } = counts;
  const shown = { ...counts, unstable: counts.unstable - quarantined, quarantined };
  const parts = countWords
    .filter(([verdict]) => shown[verdict] > 0)
    .map(([verdict, words]) => `${shown[verdict]} ${words}`);
  const sum = parts.length === 0 ? 'nothing was judged' : parts.join(', ');
  const { declared, selected, executed } = counts;
  const trials = counted(selected, 'trial');
  const isPart = declared !== selected || executed !== selected;
  return [
    item('', `${trials} in ${formatDuration(durationMs)}: ${sum}`, exitCode === 0 ? 'green' : 'bold'),
    ...(isPart ? [line(`${declared} declared, ${selected} selected, ${executed} executed`, 'dim')] : []),
  ];
}

/** Skips grouped by reason, none omitted. */
function formatSkips({ trials }: RunVerdict): readonly Line[] {
  const skipped = trials.filter(({ verdict }) => verdict === 'skipped');
  const parts = skipped.slice(0, storyLimits.skips);
  const byReason = Map.groupBy(
    parts,
    ({ skipReason, cause }) => skipReason ?? cause?.text ?? 'no reason was given',
  );
  return block('Skipped', [
    ...[...byReason].flatMap(([reason, group]) => [
      item('  ', `${reason}:`),
      ...group.map(({ id }) => line(`    ${id}`, 'dim')),
    ]),
    ...(skipped.length > parts.length ? [more(skipped.length - parts.length)] : []),
  ]);
}

/** All of them timed out waiting for quiet; one sentence says what to do. */
function formatUnrest({ trials }: RunVerdict): readonly Line[] {
  const restless = trials.filter((trial) => trial.restless !== undefined);
  const [first] = restless;
  if (!first) return [];
  const which = restless.length === 1 ? first.id : `${restless.length} trials`;
  return block('Never quiet', [item('  ', `${which}: ${first.restless}`, 'yellow')]);
}

const meanings: Readonly<Record<ExitCode, string>> = {
  0: 'everything held',
  1: 'the system failed',
  2: 'wrong usage, or a config that cannot be used',
  3: 'the environment did not boot',
  4: 'backends differ',
  5: 'a budget limit was reached',
  6: 'the suite does not prove what it says',
  7: 'something was left behind',
  70: 'a bug of Shakedown',
  130: 'it was interrupted',
  143: 'it was terminated',
};

/** Every reason against 0, most severe first, under its exit code. */
function formatReasons(run: RunVerdict, { verbose = false }: ReportOptions): readonly Line[] {
  const { exitCode } = run;
  const reasons = verbose ? run.reasons : shortReasons(run);
  if (reasons.length === 0) return exitCode === 0 ? [] : [line(''), line(endsWith(exitCode), 'red')];
  const groups = [...Map.groupBy(reasons, (reason) => reason.exitCode)];
  if (groups.length === 1) return block(endsWith(exitCode), formatGroup(reasons));
  return block(
    `${endsWith(exitCode)}. Every reason against 0, most severe first:`,
    groups.flatMap(([code, group]) => [
      line(`  ${code}, ${meanings[code]}`, code === exitCode ? 'red' : 'yellow'),
      ...formatGroup(group),
    ]),
  );
}

function endsWith(code: ExitCode): string {
  return `Exit code ${code}, ${meanings[code]}`;
}

function formatGroup(reasons: readonly RunReason[]): readonly Line[] {
  return firstOf(reasons, storyLimits.reasons, formatReason, more);
}

const more = (left: number): Line => item('    ', `… and ${left} more, all in verdict.json`, 'dim');

/** Each trial once under an exit code, in a few words: its story is above. */
function shortReasons({ reasons, trials }: RunVerdict): readonly RunReason[] {
  const groups = [...Map.groupBy(reasons, ({ exitCode, trial }) => `${exitCode} ${trial ?? ''}`).values()];
  return groups.flatMap((group) => {
    const trial = trials.find(({ id }) => id === group[0]?.trial);
    return trial ? group.slice(0, 1).map((reason) => shortReason(reason, trial)) : group;
  });
}

function shortReason(reason: RunReason, { id, verdict, cause, checks }: TrialVerdict): RunReason {
  const broken = checks.filter((check) => check.verdict === 'failed').map((check) => check.id);
  const isToldAbove = cause !== null && reason.text.endsWith(cause.text) && verdict !== 'unknown';
  if (!isToldAbove || broken.length === 0 || !toldByChecks.includes(cause.kind)) return reason;
  return { ...reason, text: `${id} ${verdict}: ${firstNames(broken, mostNamed)}` };
}

const toldByChecks: readonly CauseKind[] = ['check', 'step', 'script', 'ladder', 'log'];

const mostNamed = 4;

function formatReason({ trial, text }: RunReason): Line {
  const name = trial === undefined || text.includes(trial) ? '' : `${trial}  `;
  return item('    ', `${name}${text}`);
}

/** Where to look and what to type: everything again, the most severe failure alone, all that failed. */
function nextCommands(
  { trials, reasons, seed }: RunVerdict,
  { runFolder, page, again }: ReportOptions,
): readonly Line[] {
  const bad = trials.filter(({ verdict }) => ['failed', 'unstable', 'unknown'].includes(verdict));
  const worst = reasons.find(({ trial }) => bad.some(({ id }) => id === trial))?.trial ?? bad[0]?.id;
  const repro =
    worst && (trials.find(({ id }) => id === worst)?.repro ?? `shakedown rerun latest ${shellWord(worst)}`);
  const parts = defined({
    evidence: runFolder,
    'to look at': page,
    'same seed': again ?? `shakedown run --seed ${shellWord(seed)}`,
    [bad.length === 1 ? 'see it again' : 'the most severe']: repro,
    'what failed only': repro && 'shakedown run --last-failed',
  });
  return Object.entries(parts).map(([label, text]) => wholeLine(`${label.padEnd(18)}${text}`));
}
