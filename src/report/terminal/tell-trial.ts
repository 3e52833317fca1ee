/** One trial as a person reads it: a line when it held, a short story when it did not. */
import type { CheckVerdict, TrialVerdict, Verdict } from '../../checks/verdict.ts';
import type { AttemptEvent } from '../../journal/trial-event.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { declaredIn } from './attempt-parts.ts';
import {
  columnsFor,
  type Line,
  labelled,
  line,
  printLines,
  type ReportOptions,
  type Style,
  section,
  wholeLine,
} from './line.ts';
import { storyLimits } from './story-limits.ts';
import { tellBlame } from './tell-blame.ts';
import { tellCalls } from './tell-calls.ts';
import { tellChecks } from './tell-checks.ts';
import { tellCost } from './tell-cost.ts';
import { tellDisturbances } from './tell-disturbances.ts';
import { labelOf, tellExplanation } from './tell-explanation.ts';
import { tellDeaths, tellLogs } from './tell-logs.ts';
import { tellExcuse } from './tell-quarantine.ts';
import { tellSteps } from './tell-steps.ts';

export const signs: Readonly<Record<Verdict, { readonly sign: string; readonly style: Style }>> = {
  passed: { sign: '✓', style: 'green' },
  failed: { sign: '✗', style: 'red' },
  unstable: { sign: '✗', style: 'red' },
  unknown: { sign: '?', style: 'yellow' },
  skipped: { sign: '-', style: 'dim' },
  'expected-failure': { sign: '~', style: 'dim' },
};

/** `events` are those of the attempt that decided; without them the story holds what the verdict knows. */
export function tellTrial(
  verdict: TrialVerdict,
  events: readonly AttemptEvent[],
  options: ReportOptions = {},
): string[] {
  const lines = isStory(verdict)
    ? tellStory(verdict, events, options)
    : [...headline(verdict, events, columnsFor(options)), ...faultLines(verdict, columnsFor(options))];
  return printLines(lines, options);
}

/** What the environment or the suite prevented has no story of its own; one line says why. */
function isStory({ verdict, cause }: TrialVerdict): boolean {
  if (verdict === 'failed' || verdict === 'unstable') return true;
  const elsewhere = ['environment', 'interrupted', 'suite', 'budget', 'evidence'];
  return verdict === 'unknown' && cause !== null && !elsewhere.includes(cause.kind);
}

function tellStory(
  verdict: TrialVerdict,
  events: readonly AttemptEvent[],
  options: ReportOptions,
): readonly Line[] {
  const columns = columnsFor(options);
  const deaths = tellDeaths(events);
  const logs = tellLogs(events, verdict.checks, columns);
  const told = (check: CheckVerdict): boolean =>
    (check.id === 'processes' && deaths.length > 0) || (check.id === 'logs' && logs.length > 0);
  const checks = verdict.checks.filter((check) => !told(check));
  const where = [options.runFolder, verdict.folder].filter(Boolean).join('/');
  return [
    ...headline(verdict, events, columns),
    ...(verdict.title === undefined ? [] : labelled('  ', verdict.title, columns)),
    line(`  ${verdict.file}:${verdict.line}`, 'dim'),
    ...tellExplanation(verdict, columns),
    ...tellExcuse(verdict, columns),
    ...section('What was done', tellSteps(events, judgedSteps(verdict), columns)),
    ...section('What was expected, and what was seen', tellChecks(checks, events, columns)),
    ...section('Who is to blame', tellBlame(verdict.blame, events, columns)),
    ...section('What was disturbed', tellDisturbances(events, columns)),
    ...section('Who answered what', tellCalls(events, columns)),
    ...section('Who died', deaths),
    ...section('What the logs say', logs),
    ...section('What is wrong with the trial itself', faultLines(verdict, columns)),
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

function headline(verdict: TrialVerdict, events: readonly AttemptEvent[], columns: number): readonly Line[] {
  const { sign, style } = signOf(verdict);
  const name = verdict.backend === null ? verdict.id : `${verdict.id} on ${verdict.backend}`;
  // What a check or a step says follows at length.
  const isToldBelow = toldBelow.includes(verdict.cause?.kind ?? '');
  const mostLines = isStory(verdict) && isToldBelow ? 1 : 3;
  return labelled(`${sign} `, `${name}  ${outcome(verdict, events)}`, columns, style, mostLines);
}

function signOf(trial: TrialVerdict): { readonly sign: string; readonly style: Style } {
  if (!proves(trial)) return { sign: '!', style: 'yellow' };
  return trial.quarantined ? { sign: '~', style: 'yellow' } : signs[trial.verdict];
}

const toldBelow: readonly string[] = ['check', 'step', 'script', 'ladder'];

/** A trial with a fault of its own must not look as if it held. */
function proves({ verdict, faults }: TrialVerdict): boolean {
  return faults.length === 0 || (verdict !== 'passed' && verdict !== 'skipped');
}

function outcome(trial: TrialVerdict, events: readonly AttemptEvent[]): string {
  const { verdict, cause, durationMs, attempts, skipReason, quarantined } = trial;
  // What was only played cost nothing; it stands in the table at the end.
  const isPaid = trial.costUsd > 0 && trial.paidUsd !== 0;
  const took = `${formatDuration(durationMs)}${isPaid ? `, ${tellCost(trial)}` : ''}`;
  const often = attempts > 1 ? `, in ${attempts} attempts` : '';
  switch (verdict) {
    case 'passed':
      return `${took}${often}${labelOf(trial)}`;
    case 'skipped':
      return `skipped: ${skipReason ?? cause?.text ?? 'no reason was given'}`;
    case 'expected-failure': {
      const because = declaredIn(events).expectedFailure?.because ?? cause?.text;
      return `failed as expected after ${took}${because === undefined ? '' : `: ${because}`}`;
    }
    case 'unstable':
      if (quarantined) return `failed in quarantine after ${took}${often}${cause ? `: ${cause.text}` : ''}`;
      return `held in some attempts only${often}, ${took}${cause ? `: ${cause.text}` : ''}`;
    default:
      return `${verdict} after ${took}${often}${cause ? `: ${cause.text}` : ''}`;
  }
}

function faultLines({ faults }: TrialVerdict, columns: number): readonly Line[] {
  const shown = faults.slice(0, storyLimits.faults);
  return [
    ...shown.flatMap(({ text }) => labelled('    ! ', text, columns, 'yellow')),
    ...(faults.length > shown.length ? [line(`    … and ${faults.length - shown.length} more`)] : []),
  ];
}
