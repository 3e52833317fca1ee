/** From a run folder to its verdict: what `run` prints at its end, and what `judge` computes again later, anywhere. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { sumCosts } from '../../checks/cost.ts';
import { explanationOf } from '../../checks/explanation.ts';
import { type AttemptVerdict, judge, unreadableAttempt } from '../../checks/judge/judge-attempt.ts';
import { judgeTrial, oneOfEach } from '../../checks/judge/judge-trial.ts';
import { judgeTwins, type TwinCandidate } from '../../checks/judge-twins.ts';
import type { TrialNow } from '../../checks/trial-now.ts';
import type { CheckRecord, TrialRecord } from '../../checks/trial-record.ts';
import { excusedBy } from '../../checks/under-quarantine.ts';
import type { CheckVerdict, RunVerdict, TrialVerdict, Verdict } from '../../checks/verdict.ts';
import { type AttemptEvent, eventsOf } from '../../journal/trial-event.ts';
import type { TrialJournal } from '../../journal/trial-journal.ts';
import { defined } from '../../kernel/defined.ts';
import { exitCodes, worstExitCode } from '../../kernel/exit-codes.ts';
import { problemsIn } from '../../kernel/problem.ts';
import { shellWord } from '../../kernel/shell-word.ts';
import { judgeRequirements } from '../../requirements/planned-requirements.ts';
import { refusalsOf } from '../../requirements/refusals.ts';
import { entriesFor, excuse, judgedEntries } from './quarantine-of-run.ts';
import { readAttempt, trialFolder } from './read-attempt.ts';
import { referenceOf } from './reference-store.ts';
import { type PlannedTrial, type RunPlan, readOutcome, readRunPlan } from './run-plan.ts';
import { runReasons } from './run-reasons.ts';

/** `nowOf` gives a trial as it is now, where it is not to be judged as it was performed. */
export async function judgeRun(
  folder: string,
  nowOf?: (trial: string) => TrialNow | undefined,
): Promise<RunVerdict> {
  const plan = readRunPlan(folder);
  const outcome = readOutcome(folder);
  // A log line that occurs in every passing trial is harmless.
  const usual = [...new Set(plan.trials.flatMap(({ id }) => referenceOf(folder, id)?.usual ?? []))];
  const judged = await Promise.all(
    plan.trials.map(async (trial) => ({
      trial,
      ...(await judgeOne(folder, plan, trial, usual, nowOf?.(trial.id))),
    })),
  );
  const candidates = judged.map(({ trial: { id }, verdict: { verdict }, saw }) => ({ id, verdict, saw }));
  const database = sharedDatabase(plan.system);
  const trials = judged.map(({ verdict, absences }) => withTwins(verdict, absences, candidates, database));
  const requirements = judgeRequirements(plan.requirements, trials);
  const reasons = runReasons(plan, outcome, trials, requirements.reasons);
  const quarantine = judgedEntries(plan, trials);
  const { tool, run, revision, seed, system } = plan;
  return {
    schemaVersion: 1,
    ...{ tool, run, revision, configHash: system.configHash, seed },
    verdict: overall(trials, reasons.length > 0),
    exitCode: exitCodeOf(reasons),
    reasons,
    counts: countOf(plan.declared, trials),
    durationMs: outcome?.durationMs ?? 0,
    trials,
    requirements: requirements.verdicts,
    leaks: outcome?.leaks ?? [],
    ...(quarantine.length === 0 ? {} : { quarantine }),
  };
}

async function judgeOne(
  folder: string,
  plan: RunPlan,
  trial: PlannedTrial,
  usual: readonly string[],
  now: TrialNow | undefined,
): Promise<{ verdict: TrialVerdict; saw: readonly string[]; absences: readonly CheckRecord[] }> {
  const rounds: JudgedRound[] = [];
  const refusals: string[] = [];
  let unchecked = false;
  const reference = referenceOf(folder, trial.id);
  for (let round = 0; round < plan.rounds; round += 1) {
    const verdicts: AttemptVerdict[] = [];
    const places: string[] = [];
    for (let attempt = 1; attempt <= trial.attempts; attempt += 1) {
      const number = round * trial.attempts + attempt;
      const place = trialFolder(trial.id, number);
      if (!hasBegun(path.join(folder, place))) continue;
      const read = await readAttempt(folder, plan, trial.id, number).catch(whyNotRead);
      places.push(place);
      if (typeof read === 'string') {
        verdicts.push(unreadableAttempt(read));
        continue;
      }
      if (!read.isChecked) unchecked = true;
      verdicts.push(judgeRead(read, now, reference, usual));
      if (plan.requirements) refusals.push(...refusalsOfAttempt(read.events));
    }
    if (verdicts.length === 0) continue;
    const whole = judgeTrial(verdicts, trial.atLeast);
    const reporting = verdicts.findIndex(({ verdict }) => verdict === whole.verdict);
    const at = Math.max(0, reporting);
    const { expectedRefusals } = verdicts[at] ?? whole;
    rounds.push({ ...whole, ...defined({ expectedRefusals }), each: verdicts, folder: places[at] ?? null });
  }
  return {
    verdict: {
      ...toVerdict(plan, trial, rounds),
      ...(refusals.length === 0 ? {} : { refusals: [...new Set(refusals)] }),
      ...(unchecked ? { unchecked } : {}),
    },
    saw: [...new Set(rounds.flatMap(({ saw }) => saw))],
    absences: oneOfEach(rounds.flatMap(({ absences }) => absences)),
  };
}

function whyNotRead(error: unknown): string {
  const [problem] = problemsIn(error);
  if (problem?.code !== 'journal.unreadable') throw error;
  return `${problem.message}; ${problem.next}`;
}

/** Without a checksum a journal may be damaged in any way, so it may be misread. */
function judgeRead(
  { events, isChecked }: TrialJournal,
  ...how: readonly [Parameters<typeof judge>[1], Parameters<typeof judge>[2], Parameters<typeof judge>[3]]
): AttemptVerdict {
  try {
    return judge(events, ...how);
  } catch (error) {
    if (isChecked) throw error;
    return unreadableAttempt(`the journal has no checksums, and is not as it was written (${String(error)})`);
  }
}

interface JudgedRound extends AttemptVerdict {
  readonly each: readonly AttemptVerdict[];
  /** Of the first attempt with the round's verdict: the reason is found there. */
  readonly folder: string | null;
}

/** The performing process may be killed before the first line is written. */
function hasBegun(place: string): boolean {
  return (statSync(path.join(place, 'events.ndjson'), { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function toVerdict(plan: RunPlan, trial: PlannedTrial, rounds: readonly JudgedRound[]): TrialVerdict {
  const worst =
    rounds.find(({ verdict }) => verdict === 'failed') ??
    rounds.find(({ verdict }) => verdict !== 'passed') ??
    rounds[0];
  const { id, title, file, line, tags, covers, skipReason } = trial;
  const base = {
    ...defined({ id, title, file, line, tags, covers }),
    ...explanationOf(trial),
    backend: null,
    blame: worst?.blame ?? null,
    ...defined({ expectedRefusals: worst?.expectedRefusals }),
    ...sumCosts(rounds),
    attempts: rounds.reduce((sum, { each }) => sum + each.length, 0),
    skipReason: skipReason ?? (worst?.verdict === 'skipped' ? (worst.cause?.text ?? null) : null),
    repro: reproCommand(plan, id),
    folder: worst?.folder ?? null,
  };
  if (skipReason !== undefined)
    return { ...base, verdict: 'skipped', cause: null, checks: [], durationMs: 0, faults: [] };
  if (!worst) return neverExecuted(base);
  const wanted = trial.attempts * plan.rounds;
  const isWhole = base.attempts >= wanted;
  const checks = isWhole ? worst.checks : openUntil(wanted, base, worst);
  if (!isWhole && mayGetWorse.includes(worst.verdict)) return tooSeldom(base, { ...worst, checks }, wanted);
  const unstable = rounds.some(({ verdict }) => verdict === 'passed') && worst.verdict === 'failed';
  const verdict = unstable ? 'unstable' : worst.verdict;
  return {
    ...base,
    verdict,
    ...(isWhole ? underQuarantine(plan, id, verdict, rounds) : {}),
    cause: worst.cause,
    checks,
    durationMs: rounds.reduce((sum, { durationMs }) => sum + durationMs, 0),
    ...(worst.restless === undefined ? {} : { restless: worst.restless }),
    faults: worst.faults,
  };
}

/** By attempts that are missing. */
const mayGetWorse: readonly Verdict[] = ['passed', 'expected-failure', 'skipped'];

/** One attempt by itself, for display while the run is under way. */
export function attemptForDisplay(
  plan: RunPlan,
  id: string,
  attempt: number,
  judged: AttemptVerdict,
): TrialVerdict {
  const trial = plan.trials.find((one) => one.id === id) as PlannedTrial;
  const often = plan.rounds * trial.attempts;
  const round = { ...judged, each: [judged], folder: trialFolder(id, attempt) };
  const verdict = toVerdict({ ...plan, rounds: 1 }, { ...trial, attempts: 1 }, [round]);
  return often > 1 ? { ...verdict, id: `${id} (${attempt} of ${often})` } : verdict;
}

/** A failure that is in quarantine is unstable: neither hidden nor held against the run. */
function underQuarantine(
  plan: RunPlan,
  id: string,
  verdict: Verdict,
  rounds: readonly JudgedRound[],
): Partial<Pick<TrialVerdict, 'verdict' | 'quarantined'>> {
  if (verdict !== 'failed' && verdict !== 'unstable') return {};
  const entry = excusedBy(
    entriesFor(plan, id),
    rounds.flatMap(({ each }) => each),
  );
  return entry ? { verdict: 'unstable', quarantined: excuse(entry, verdict) } : {};
}

type Base = Omit<TrialVerdict, 'verdict' | 'cause' | 'checks' | 'durationMs' | 'faults'>;

function neverExecuted(base: Base): TrialVerdict {
  return {
    ...base,
    verdict: 'unknown',
    cause: { kind: 'environment', text: 'it was never performed' },
    checks: [],
    durationMs: 0,
    faults: [{ kind: 'never-executed', text: 'it was selected and never performed' }],
  };
}

/** What held so far might have failed in the missing attempts. */
function openUntil(wanted: number, base: Base, { checks }: JudgedRound): readonly CheckVerdict[] {
  return checks.map((check) =>
    check.verdict === 'passed'
      ? { ...check, verdict: 'unknown', explanation: howOften(base, wanted) }
      : check,
  );
}

function howOften({ attempts }: Base, wanted: number): string {
  return `it was performed ${attempts} of ${wanted} times`;
}

/** The run ended before it was done: the missing attempts might have failed. */
function tooSeldom(base: Base, { checks, durationMs, faults }: JudgedRound, wanted: number): TrialVerdict {
  const text = howOften(base, wanted);
  return { ...base, verdict: 'unknown', cause: { kind: 'interrupted', text }, checks, durationMs, faults };
}

/** A claim of absence is unknown while its twin does not prove it. */
function withTwins(
  verdict: TrialVerdict,
  checks: readonly CheckRecord[],
  run: readonly TwinCandidate[],
  database: string | undefined,
): TrialVerdict {
  if (verdict.verdict !== 'passed') return verdict;
  const faults = judgeTwins(checks, run, database);
  const [first] = faults;
  if (!first) return verdict;
  // Of several faults of a check, the first.
  const unproven = new Map(faults.toReversed().map(({ check, text }) => [check, text]));
  return {
    ...verdict,
    verdict: 'unknown',
    cause: { kind: 'suite', text: first.text },
    faults: [...verdict.faults, ...faults],
    checks: verdict.checks.map((check) => {
      const explanation = unproven.get(check.id);
      return explanation === undefined ? check : { ...check, verdict: 'unknown', explanation };
    }),
  };
}

/** The single database, if services have no databases of their own. */
function sharedDatabase({ resources }: RunPlan['system']): string | undefined {
  const [database, ...others] = resources.filter(({ kind }) => kind === 'postgres');
  const isShared = database?.kind === 'postgres' && database.share === 'database';
  return isShared && others.length === 0 ? database.name : undefined;
}

/** After an interruption the missing trials are expected. */
export function exitCodeOf(reasons: RunVerdict['reasons']): RunVerdict['exitCode'] {
  const codes = reasons.map(({ exitCode }) => exitCode);
  return (
    codes.find((code) => code === exitCodes.interrupted || code === exitCodes.terminated) ??
    worstExitCode(codes)
  );
}

export function overall(trials: readonly TrialVerdict[], hasReasons: boolean): Verdict {
  const hasFailed = ({ verdict, quarantined }: TrialVerdict): boolean =>
    verdict === 'failed' || (verdict === 'unstable' && !quarantined);
  if (trials.some(hasFailed)) return 'failed';
  return hasReasons ? 'unknown' : 'passed';
}

export function countOf(declared: number, trials: readonly TrialVerdict[]): RunVerdict['counts'] {
  const of = (verdict: Verdict): number => trials.filter((trial) => trial.verdict === verdict).length;
  const quarantined = trials.filter((trial) => trial.quarantined).length;
  return {
    declared,
    selected: trials.length,
    executed: trials.filter(({ attempts }) => attempts > 0).length,
    passed: of('passed'),
    failed: of('failed'),
    unknown: of('unknown'),
    skipped: of('skipped'),
    'expected-failure': of('expected-failure'),
    unstable: of('unstable'),
    ...(quarantined === 0 ? {} : { quarantined }),
  };
}

/** The command that performs a trial of a run again, ready to be pasted into a shell. */
function reproCommand({ run, config }: Pick<RunPlan, 'run' | 'config'>, trial: string): string {
  const words = ['shakedown', 'rerun', ...(config === undefined ? [] : ['--config', config]), run, trial];
  return words.map(shellWord).join(' ');
}

/** The steps and checks of an attempt that only a refusal fulfils, including those that a flow declared. */
function refusalsOfAttempt(events: readonly AttemptEvent[]): readonly string[] {
  const [started] = eventsOf(events, 'attempt.started');
  if (!started) return [];
  const { checks, ...trial } = started.trial as TrialRecord;
  const declared = eventsOf(events, 'check.declared').map(({ check }) => check as CheckRecord);
  return refusalsOf({ ...trial, checks: [...checks, ...declared] }).map(({ part }) => part);
}
