/** Every reason against exit code 0, most severe first. */
import type { RunReason, TrialVerdict } from '../../checks/verdict.ts';
import { defined } from '../../kernel/defined.ts';
import { exitCodes, interruptExitCode, worstExitCode } from '../../kernel/exit-codes.ts';
import { quarantineReasons } from './quarantine-of-run.ts';
import type { RunOutcome, RunPlan } from './run-plan.ts';

export function runReasons(
  plan: RunPlan,
  outcome: RunOutcome | undefined,
  trials: readonly TrialVerdict[],
  more: readonly RunReason[] = [],
): readonly RunReason[] {
  const shared = sharedTwins(trials);
  const reasons = [
    ...(outcome?.problems ?? []).map(({ exitCode, what, where }) => ({
      exitCode,
      text: `${placeOf(where)}: ${what}`,
    })),
    ...trials
      .filter((trial) => !isNeverExecuted(trial) && !restsOnOneOf(trial, shared))
      .flatMap(trialReasons),
    ...[...shared].map(([twin, resting]) => twinReason(twin, resting)),
    ...neverExecuted(outcome, trials.filter(isNeverExecuted)),
    ...skipReasons(plan, trials),
    ...quarantineReasons(plan),
    ...more,
    ...leakReasons(outcome?.leaks ?? []),
    ...budgetReason(outcome),
    ...(outcome ? interruptReasons(outcome.interruptedBy) : [dishonest('the run did not finish')]),
  ];
  const compareSeverity = (a: RunReason, b: RunReason): number =>
    worstExitCode([a.exitCode, b.exitCode]) === a.exitCode ? -1 : 1;
  return reasons.sort((a, b) => (a.exitCode === b.exitCode ? 0 : compareSeverity(a, b)));
}

function trialReasons({ id, verdict, cause, faults, quarantined }: TrialVerdict): RunReason[] {
  const why = cause?.text ?? 'for no known reason';
  if (verdict === 'failed' || (verdict === 'unstable' && !quarantined))
    return [{ exitCode: exitCodes.failed, trial: id, text: `${id} ${verdict}: ${why}` }];
  if (verdict === 'unknown' && faults.length === 0) {
    const exitCode = cause?.kind === 'budget' ? exitCodes.budget : exitCodes.dishonest;
    return [{ exitCode, trial: id, text: `${id} is unknown: ${why}` }];
  }
  if (verdict === 'skipped') return [];
  return faults.map(({ text }) => dishonest(`${id}: ${text}`, id));
}

/** Twins that did not pass, with the trials that are unknown only for that: reported once if there are several. */
function sharedTwins(trials: readonly TrialVerdict[]): ReadonlyMap<string, readonly TrialVerdict[]> {
  const resting = trials.filter(({ faults }) => faults.length > 0 && faults.every(({ twin }) => twin));
  const groups = Map.groupBy(resting, twinOf);
  return new Map([...groups].filter(([, all]) => all.length > 1));
}

function twinOf({ faults: [fault] }: TrialVerdict): string {
  return `${fault?.twin?.id}, which proves what they say is absent, ${fault?.twin?.happened}`;
}

function restsOnOneOf(trial: TrialVerdict, shared: ReadonlyMap<string, readonly TrialVerdict[]>): boolean {
  return shared.get(twinOf(trial))?.includes(trial) ?? false;
}

function twinReason(twin: string, resting: readonly TrialVerdict[]): RunReason {
  return dishonest(`${resting.length} trials are unknown, because ${twin}: ${namesOf(resting)}`);
}

function dishonest(text: string, trial?: string): RunReason {
  return { exitCode: exitCodes.dishonest, ...defined({ trial }), text };
}

function namesOf(trials: readonly TrialVerdict[]): string {
  const named = trials.slice(0, mostNamed).map(({ id }) => id);
  const rest = trials.length > mostNamed ? [`and ${trials.length - mostNamed} more`] : [];
  return [...named, ...rest].join(', ');
}

function isNeverExecuted({ faults }: TrialVerdict): boolean {
  return faults.some(({ kind }) => kind === 'never-executed');
}

const mostNamed = 5;

/** Declared is not executed: reported once, with the reason if known. */
function neverExecuted(outcome: RunOutcome | undefined, trials: readonly TrialVerdict[]): RunReason[] {
  if (trials.length === 0) return [];
  const why = outcome?.stopped
    ? ' after the first failure'
    : outcome?.budgetSpent !== undefined
      ? ' because a budget limit was reached'
      : (outcome?.problems.length ?? 0) > 0
        ? ' because no environment was available'
        : '';
  const count = trials.length === 1 ? 'one trial was' : `${trials.length} trials were`;
  const exitCode = outcome?.budgetSpent === undefined ? exitCodes.dishonest : exitCodes.budget;
  return [{ exitCode, text: `${count} never performed${why}: ${namesOf(trials)}` }];
}

function skipReasons({ skips, trials: planned }: RunPlan, trials: readonly TrialVerdict[]): RunReason[] {
  const skipped = trials.filter(({ verdict }) => verdict === 'skipped');
  const [first] = skipped;
  if (planned.length > 0 && skipped.length === planned.length)
    return [dishonest(`every trial was skipped; the first: ${first?.id}: ${first?.skipReason}`)];
  const allowed = skips === 'allow' ? skipped.length : skips === 'forbid' ? 0 : skips.atMost;
  if (skipped.length <= allowed) return [];
  const rule = `${allowed === 0 ? 'no skip is' : `at most ${allowed} are`} allowed here`;
  return skipped.map(({ id, skipReason }) => dishonest(`${id} was skipped (${skipReason}), and ${rule}`, id));
}

function budgetReason(outcome: RunOutcome | undefined): RunReason[] {
  const { budgetSpent } = outcome ?? {};
  if (budgetSpent === undefined) return [];
  return [{ exitCode: exitCodes.budget, text: `a budget limit was reached (${budgetSpent})` }];
}

export function leakReasons(leaks: readonly string[]): RunReason[] {
  return leaks.map((leak) => ({ exitCode: exitCodes.leftBehind, text: `left behind: ${leak}` }));
}

export function interruptReasons(signal: string | undefined): RunReason[] {
  if (signal === undefined) return [];
  return [{ exitCode: interruptExitCode(signal), text: `interrupted by ${signal}` }];
}

function placeOf(where: RunOutcome['problems'][number]['where']): string {
  return typeof where === 'string' ? where : `${where.file}:${where.line}`;
}
