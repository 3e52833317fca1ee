/** From a run folder to its verdict: what `run` prints at its end, and what `judge` says again later, anywhere. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { sumCosts } from '../../checks/cost.ts';
import { type AttemptVerdict, judge } from '../../checks/judge-attempt.ts';
import { judgeTrial, oneOfEach } from '../../checks/judge-trial.ts';
import { judgeTwins, type TwinCandidate } from '../../checks/judge-twins.ts';
import type { CheckRecord } from '../../checks/trial-record.ts';
import type { RunVerdict, TrialVerdict, Verdict } from '../../checks/verdict.ts';
import { readTrialJournal } from '../../journal/trial-journal.ts';
import { exitCodes, worstExitCode } from '../../kernel/exit-codes.ts';
import { greenOf } from './green-store.ts';
import { reproCommand } from './repro-command.ts';
import { type PlannedTrial, type RunPlan, readOutcome, readRunPlan } from './run-plan.ts';
import { runReasons } from './run-reasons.ts';
import { trialFolder } from './trial-folder.ts';

/** `checksOf` gives other checks for a trial than those it was performed with. */
export async function judgeRun(
  folder: string,
  checksOf?: (trial: string) => readonly CheckRecord[] | undefined,
): Promise<RunVerdict> {
  const plan = readRunPlan(folder);
  const outcome = readOutcome(folder);
  // What is wrong in every trial that passes harms nobody.
  const usual = [...new Set(plan.trials.flatMap(({ id }) => greenOf(folder, id)?.usual ?? []))];
  const judged = await Promise.all(
    plan.trials.map(async (trial) => ({
      trial,
      ...(await judgeOne(folder, plan, trial, usual, checksOf?.(trial.id))),
    })),
  );
  const candidates: TwinCandidate[] = judged.map(({ trial, verdict, saw }) => ({
    id: trial.id,
    verdict: verdict.verdict,
    saw,
  }));
  const trials = judged.map(({ verdict, absences }) => withTwins(verdict, absences, candidates));
  const reasons = runReasons(plan, outcome, trials);
  return {
    schemaVersion: 1,
    tool: plan.tool,
    run: plan.run,
    revision: plan.revision,
    configHash: plan.system.configHash,
    seed: plan.seed,
    verdict: overall(trials, reasons.length > 0),
    exitCode: exitCodeOf(reasons),
    reasons,
    counts: countOf(plan, trials),
    durationMs: outcome?.durationMs ?? 0,
    trials,
    requirements: [],
    leaks: outcome?.leaks ?? [],
  };
}

async function judgeOne(
  folder: string,
  plan: RunPlan,
  trial: PlannedTrial,
  usual: readonly string[],
  checks: readonly CheckRecord[] | undefined,
): Promise<{ verdict: TrialVerdict; saw: readonly string[]; absences: readonly CheckRecord[] }> {
  const rounds: JudgedRound[] = [];
  const green = greenOf(folder, trial.id);
  for (let round = 0; round < plan.rounds; round += 1) {
    const verdicts: AttemptVerdict[] = [];
    const places: string[] = [];
    for (let attempt = 1; attempt <= trial.attempts; attempt += 1) {
      const place = trialFolder(trial.id, round * trial.attempts + attempt);
      if (!hasBegun(path.join(folder, place))) continue;
      verdicts.push(judge((await readTrialJournal(path.join(folder, place))).events, checks, green, usual));
      places.push(place);
    }
    if (verdicts.length === 0) continue;
    const whole = judgeTrial(verdicts, trial.atLeast);
    const telling = verdicts.findIndex(({ verdict }) => verdict === whole.verdict);
    rounds.push({ ...whole, attempts: verdicts.length, folder: places[telling] ?? places[0] ?? null });
  }
  return {
    verdict: toVerdict(plan, trial, rounds),
    saw: [...new Set(rounds.flatMap(({ saw }) => saw))],
    absences: oneOfEach(rounds.flatMap(({ absences }) => absences)),
  };
}

interface JudgedRound extends AttemptVerdict {
  readonly attempts: number;
  /** Of the first attempt that is as the round was judged: whoever looks for the reason finds it there. */
  readonly folder: string | null;
}

/** Whoever performs may be killed before the first line is written. */
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
    id,
    ...(title === undefined ? {} : { title }),
    file,
    line,
    tags,
    covers,
    backend: null,
    blame: worst?.blame ?? null,
    ...sumCosts(rounds),
    attempts: rounds.reduce((sum, { attempts }) => sum + attempts, 0),
    skipReason: skipReason ?? null,
    repro: reproCommand(plan, id),
    folder: worst?.folder ?? null,
  };
  if (skipReason !== undefined)
    return { ...base, verdict: 'skipped', cause: null, checks: [], durationMs: 0, faults: [] };
  if (!worst) return neverExecuted(base);
  const wanted = trial.attempts * plan.rounds;
  if (worst.verdict === 'passed' && base.attempts < wanted) return tooSeldom(base, worst, wanted);
  const unstable = rounds.some(({ verdict }) => verdict === 'passed') && worst.verdict === 'failed';
  return {
    ...base,
    verdict: unstable ? 'unstable' : worst.verdict,
    cause: worst.cause,
    checks: worst.checks,
    durationMs: rounds.reduce((sum, { durationMs }) => sum + durationMs, 0),
    faults: worst.faults,
  };
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

/** The run ended before it was done: the attempts that are missing might have failed. */
function tooSeldom(base: Base, { checks, durationMs, faults }: JudgedRound, wanted: number): TrialVerdict {
  const text = `it was performed ${base.attempts} of ${wanted} times`;
  return { ...base, verdict: 'unknown', cause: { kind: 'interrupted', text }, checks, durationMs, faults };
}

/** What a trial says about absence is unknown while its twin does not prove it. */
function withTwins(
  verdict: TrialVerdict,
  checks: readonly CheckRecord[],
  run: readonly TwinCandidate[],
): TrialVerdict {
  if (verdict.verdict !== 'passed') return verdict;
  const faults = judgeTwins(checks, run);
  const [first] = faults;
  if (!first) return verdict;
  const unproven = new Set(faults.map(({ check }) => check));
  return {
    ...verdict,
    verdict: 'unknown',
    cause: { kind: 'suite', text: first.text },
    faults: [...verdict.faults, ...faults],
    checks: verdict.checks.map((check) =>
      unproven.has(check.id)
        ? {
            ...check,
            verdict: 'unknown',
            explanation: faults.find((fault) => fault.check === check.id)?.text ?? '',
          }
        : check,
    ),
  };
}

/** Whoever interrupted it knows why not everything was done. */
function exitCodeOf(reasons: RunVerdict['reasons']): RunVerdict['exitCode'] {
  const codes = reasons.map(({ exitCode }) => exitCode);
  return (
    codes.find((code) => code === exitCodes.interrupted || code === exitCodes.terminated) ??
    worstExitCode(codes)
  );
}

function overall(trials: readonly TrialVerdict[], hasReasons: boolean): Verdict {
  if (trials.some(({ verdict }) => verdict === 'failed' || verdict === 'unstable')) return 'failed';
  return hasReasons ? 'unknown' : 'passed';
}

function countOf(plan: RunPlan, trials: readonly TrialVerdict[]): RunVerdict['counts'] {
  const of = (verdict: Verdict): number => trials.filter((trial) => trial.verdict === verdict).length;
  return {
    declared: plan.declared,
    selected: plan.trials.length,
    executed: trials.filter(({ attempts }) => attempts > 0).length,
    passed: of('passed'),
    failed: of('failed'),
    unknown: of('unknown'),
    skipped: of('skipped'),
    'expected-failure': of('expected-failure'),
    unstable: of('unstable'),
  };
}
