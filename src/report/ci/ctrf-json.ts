/** `ctrf.json`: a run in the Common Test Report Format. */
import type { CheckVerdict, RunTimes, RunVerdict, TrialVerdict } from '../../checks/verdict.ts';
import { formatTrial } from '../terminal/format-trial.ts';
import { type Stories, type TrialOutcome, trialOutcome } from './trial-outcome.ts';

const specVersion = '0.0.0';
const traceChars = 32_000;

export function ctrfJson(run: RunVerdict, times: RunTimes, stories: Stories = new Map()): string {
  const [name = 'shakedown', version] = run.tool.split(' ');
  const { seed, verdict, exitCode, reasons, leaks } = run;
  const report = {
    reportFormat: 'CTRF',
    specVersion,
    timestamp: new Date(whole(times.stoppedAt)).toISOString(),
    generatedBy: run.tool,
    results: {
      tool: { name, version },
      summary: summaryOf(run, times),
      tests: run.trials.map((trial) => testOf(trial, stories)),
      environment: {
        ...(run.revision === null ? {} : { commit: run.revision }),
        healthy: exitCode === 0,
      },
      extra: { run: run.run, seed, verdict, exitCode, reasons, leaks },
    },
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

function summaryOf({ trials, durationMs }: RunVerdict, { startedAt, stoppedAt }: RunTimes): object {
  const statuses = trials.map((trial) => trialOutcome(trial).ctrf);
  const count = (wanted: TrialOutcome['ctrf']): number =>
    statuses.filter((status) => status === wanted).length;
  return {
    tests: trials.length,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    pending: 0,
    other: count('other'),
    flaky: trials.filter(({ verdict }) => verdict === 'unstable').length,
    suites: new Set(trials.map(({ file }) => file)).size,
    start: whole(startedAt),
    stop: whole(stoppedAt),
    duration: whole(durationMs),
  };
}

function testOf(trial: TrialVerdict, stories: Stories): object {
  const { id, file, line, tags, verdict, durationMs, attempts, checks } = trial;
  const { ctrf: status, junit, message } = trialOutcome(trial);
  const hasStory = junit === 'failure' || junit === 'error';
  const trace = hasStory
    ? (stories.get(id) ?? formatTrial(trial, [], { verbose: true })).join('\n').slice(0, traceChars)
    : '';
  return {
    name: id,
    status,
    duration: whole(durationMs),
    ...(message === '' ? {} : { message }),
    ...(trace === '' ? {} : { trace }),
    rawStatus: verdict,
    filePath: file,
    line,
    tags,
    type: 'e2e',
    retries: Math.max(0, attempts - 1),
    flaky: verdict === 'unstable',
    ...(checks.length === 0 ? {} : { steps: checks.map(stepOf) }),
    extra: Object.fromEntries(extraKeys.map((key) => [key, trial[key]])),
  };
}

const stepStatus: Readonly<Record<CheckVerdict['verdict'], string>> = {
  passed: 'passed',
  failed: 'failed',
  unstable: 'failed',
  skipped: 'skipped',
  unknown: 'other',
  'expected-failure': 'other',
};

function stepOf({ id, title, verdict }: CheckVerdict): object {
  return { name: title === undefined ? id : `${id}: ${title}`, status: stepStatus[verdict] };
}

/** What the format has no place for. JSON omits absent values. */
const extraKeys = [
  ...(['title', 'covers', 'protects', 'catches', 'generated', 'regression', 'quarantined'] as const),
  ...(['backend', 'repro', 'folder', 'faults', 'blame'] as const),
  ...(['costUsd', 'paidUsd', 'unpriced', 'unmetered', 'tokens'] as const),
];

function whole(ms: number): number {
  return Number.isFinite(ms) ? Math.max(0, Math.round(ms)) : 0;
}
