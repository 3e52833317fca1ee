/** One trial for a person: a line if it passed, a short story if it did not. */
import type { Explanation } from '../../checks/explanation.ts';
import type { CheckVerdict, TrialVerdict, Verdict } from '../../checks/verdict.ts';
import { type AttemptEvent, eventsOf } from '../../journal/trial-event.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { edgeOf } from '../../kernel/edge-name.ts';
import { declaredIn } from './attempt-parts.ts';
import { formatBlame } from './format-blame.ts';
import { formatBrief } from './format-brief.ts';
import { formatCalls } from './format-calls.ts';
import { formatChecks } from './format-checks.ts';
import { formatCost } from './format-cost.ts';
import { formatDeaths, formatLogs } from './format-logs.ts';
import { formatExcuse } from './format-quarantine.ts';
import { formatSteps } from './format-steps.ts';
import {
  andMore,
  columnsFor,
  firstOf,
  item,
  type Line,
  line,
  printLines,
  type ReportOptions,
  type Style,
  section,
  wholeLine,
} from './line.ts';
import { storyLimits } from './story-limits.ts';

export const signs: Readonly<Record<Verdict, { readonly sign: string; readonly style: Style }>> = {
  passed: { sign: '✓', style: 'green' },
  failed: { sign: '✗', style: 'red' },
  unstable: { sign: '✗', style: 'red' },
  unknown: { sign: '?', style: 'yellow' },
  skipped: { sign: '-', style: 'dim' },
  'expected-failure': { sign: '~', style: 'dim' },
};

/**
 * `events` are those of the attempt that decided; without them the story contains what the verdict has. It is as long as
 * a screen, unless `verbose` asks for everything.
 */
export function formatTrial(
  verdict: TrialVerdict,
  events: readonly AttemptEvent[],
  options: ReportOptions = {},
): string[] {
  const draw = options.verbose === true ? formatStory : formatBrief;
  const lines = isStory(verdict)
    ? [headline(verdict, events, options), ...draw(verdict, events, options)]
    : [headline(verdict, events, options), ...faultLines(verdict)];
  return printLines(lines, options);
}

/** What the environment or the suite prevented has no story of its own; one line says why. */
function isStory({ verdict, cause }: TrialVerdict): boolean {
  if (verdict === 'failed' || verdict === 'unstable') return true;
  const elsewhere = ['environment', 'interrupted', 'suite', 'budget', 'evidence'];
  return verdict === 'unknown' && cause !== null && !elsewhere.includes(cause.kind);
}

function formatStory(
  verdict: TrialVerdict,
  events: readonly AttemptEvent[],
  options: ReportOptions,
): readonly Line[] {
  const columns = columnsFor(options);
  const deaths = formatDeaths(events);
  const logs = formatLogs(events, verdict.checks, columns, verdict.expectedRefusals);
  const shown = (check: CheckVerdict): boolean =>
    (check.id === 'processes' && deaths.length > 0) || (check.id === 'logs' && logs.length > 0);
  const checks = verdict.checks.filter((check) => !shown(check));
  const where = [options.runFolder, verdict.folder].filter(Boolean).join('/');
  return [
    ...(verdict.title === undefined ? [] : [item('  ', verdict.title)]),
    line(`  ${verdict.file}:${verdict.line}`, 'dim'),
    ...formatExplanation(verdict),
    ...formatExcuse(verdict),
    ...section('What was done', formatSteps(events, judgedSteps(verdict), columns)),
    ...section('What was expected, and what was seen', formatChecks(checks, events, columns)),
    ...section('Who is to blame', formatBlame(verdict.blame, events, columns)),
    ...section('What was disturbed', formatDisturbances(events)),
    ...section('Who answered what', formatCalls(events, columns, verdict.expectedRefusals)),
    ...section('Who died', deaths),
    ...section('What the logs say', logs),
    ...section('What is wrong with the trial itself', faultLines(verdict)),
    ...section('See it again', [
      wholeLine(`    ${verdict.repro}`, 'cyan'),
      ...(where === '' ? [] : [wholeLine(`    everything that was seen: ${where}`, 'dim')]),
    ]),
    line(''),
  ];
}

function judgedSteps({ checks }: TrialVerdict): ReadonlySet<string> {
  const failed = checks.filter(({ id, verdict }) => verdict === 'failed' && id.startsWith('step '));
  return new Set(failed.map(({ id }) => id.slice('step '.length)));
}

function headline(verdict: TrialVerdict, events: readonly AttemptEvent[], { verbose }: ReportOptions): Line {
  const { sign, style } = signOf(verdict);
  const name = verdict.backend === null ? verdict.id : `${verdict.id} on ${verdict.backend}`;
  // The text of a check or a step follows in full.
  const below = verbose ? shownBelow : [...shownBelow, 'death', 'log'];
  const isBelow = isStory(verdict) && below.includes(verdict.cause?.kind ?? '');
  const isRepeated = isBelow && !verbose && verdict.checks.some((check) => check.verdict !== 'passed');
  const said = isRepeated ? { ...verdict, cause: null } : verdict;
  const mostLines = isBelow ? 1 : isStory(verdict) && !verbose ? 2 : 3;
  return item(`${sign} `, `${name}  ${outcome(said, events)}`, style, mostLines);
}

function signOf(trial: TrialVerdict): { readonly sign: string; readonly style: Style } {
  if (!proves(trial)) return { sign: '!', style: 'yellow' };
  return trial.quarantined ? { sign: '~', style: 'yellow' } : signs[trial.verdict];
}

const shownBelow: readonly string[] = ['check', 'step', 'script', 'ladder'];

/** A trial with a fault of its own must not look passed. */
function proves({ verdict, faults }: TrialVerdict): boolean {
  return faults.length === 0 || (verdict !== 'passed' && verdict !== 'skipped');
}

function outcome(trial: TrialVerdict, events: readonly AttemptEvent[]): string {
  const { verdict, cause, durationMs, attempts, skipReason, quarantined } = trial;
  // Played calls cost nothing; they are in the table at the end.
  const isPaid = trial.costUsd > 0 && trial.paidUsd !== 0;
  const took = `${formatDuration(durationMs)}${isPaid ? `, ${formatCost(trial)}` : ''}`;
  const often = attempts > 1 ? `, in ${attempts} attempts` : '';
  switch (verdict) {
    case 'passed':
      return `${took}${often}${trial.regression?.shownRedOn === null ? ', a regression trial not shown red' : ''}`;
    case 'skipped':
      return `skipped: ${skipReason ?? cause?.text ?? 'no reason was given'}`;
    case 'expected-failure': {
      const because = declaredIn(events).expectedFailure?.because ?? cause?.text;
      return `failed as expected after ${took}${because === undefined ? '' : `: ${because}`}`;
    }
    case 'unstable':
      if (quarantined) return `failed in quarantine after ${took}${often}${cause ? `: ${cause.text}` : ''}`;
      return `held only in some attempts${often}, ${took}${cause ? `: ${cause.text}` : ''}`;
    default:
      return `${verdict} after ${took}${often}${cause ? `: ${cause.text}` : ''}`;
  }
}

function faultLines({ faults }: TrialVerdict): readonly Line[] {
  const more = (left: number): Line => line(`    … and ${left} more`);
  return firstOf(faults, storyLimits.faults, ({ text }) => item('    ! ', text, 'yellow'), more);
}

/** The purpose of a trial; and how far a regression trial can be trusted. */
function formatExplanation({ protects, catches, generated, regression }: Explanation): readonly Line[] {
  const on = regression?.shownRedOn ?? null;
  const shownRed =
    on === null ? 'not shown red: it was never seen failing on an older version' : `shown red on ${on}`;
  return [
    ...(protects === undefined ? [] : [item('  it protects: ', protects, 'dim')]),
    ...(catches === undefined ? [] : [item('  it catches: ', catches, 'dim')]),
    ...(regression === undefined ? [] : [item('  ', `a regression trial, ${shownRed}`, 'dim')]),
    ...(generated === undefined ? [] : [item('  ', 'a tool wrote it', 'dim')]),
  ];
}

/** What the trial did to edges, as its consumers felt it. */
function formatDisturbances(events: readonly AttemptEvent[]): readonly Line[] {
  const felt = eventsOf(events, 'disturbance.felt');
  const draw = (event: (typeof felt)[number]): Line =>
    item('    ', `${edgeOf(event)}  ${event.disturbance}: ${event.what}`, 'yellow');
  return firstOf(felt, storyLimits.disturbances, draw, andMore('    '));
}
