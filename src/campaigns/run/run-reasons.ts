/** Everything that speaks against exit code 0, the gravest first. */
import type { RunReason, TrialVerdict } from '../../checks/verdict.ts';
import { type ExitCode, exitCodes, worstExitCode } from '../../kernel/exit-codes.ts';
import { quarantineReasons } from './quarantine-of-run.ts';
import type { RunOutcome, RunPlan } from './run-plan.ts';

export function runReasons(
  plan: RunPlan,
  outcome: RunOutcome | undefined,
  trials: readonly TrialVerdict[],
  more: readonly RunReason[] = [],
): readonly RunReason[] {
  const reasons = [
    ...(outcome?.problems ?? []).map(({ exitCode, what, where }) => ({
      exitCode,
      text: `${placeOf(where)}: ${what}`,
    })),
    ...trials.filter((trial) => !isNeverExecuted(trial)).flatMap(trialReasons),
    ...neverExecuted(outcome, trials.filter(isNeverExecuted)),
    ...skipReasons(plan, trials),
    ...quarantineReasons(plan),
    ...more,
    ...(outcome?.leaks ?? []).map((leak) => ({
      exitCode: exitCodes.leftBehind,
      text: `left behind: ${leak}`,
    })),
    ...budgetReason(outcome),
    ...interruption(outcome),
  ];
  const gravest = (a: RunReason, b: RunReason): number =>
    worstExitCode([a.exitCode, b.exitCode]) === a.exitCode ? -1 : 1;
  return reasons.sort((a, b) => (a.exitCode === b.exitCode ? 0 : gravest(a, b)));
}

function trialReasons({ id, verdict, cause, faults, quarantined }: TrialVerdict): RunReason[] {
  const failed = verdict === 'failed' || (verdict === 'unstable' && !quarantined);
  const reasons: RunReason[] = failed
    ? [
        {
          exitCode: exitCodes.failed,
          trial: id,
          text: `${id} ${verdict}: ${cause?.text ?? 'for no known reason'}`,
        },
      ]
    : [];
  if (verdict === 'unknown' && faults.length === 0)
    reasons.push({
      exitCode: cause?.kind === 'budget' ? exitCodes.budget : exitCodes.dishonest,
      trial: id,
      text: `${id} is unknown: ${cause?.text ?? 'for no known reason'}`,
    });
  if (!failed && verdict !== 'skipped')
    reasons.push(
      ...faults.map(({ text }) => ({ exitCode: exitCodes.dishonest, trial: id, text: `${id}: ${text}` })),
    );
  return reasons;
}

function isNeverExecuted({ faults }: TrialVerdict): boolean {
  return faults.some(({ kind }) => kind === 'never-executed');
}

const mostNamed = 5;

/** Declared is not executed: told once, with the reason where it is known. */
function neverExecuted(outcome: RunOutcome | undefined, trials: readonly TrialVerdict[]): RunReason[] {
  if (trials.length === 0) return [];
  const why = outcome?.stopped
    ? ' after the first failure'
    : outcome?.budgetSpent !== undefined
      ? ' because a budget allowed no more'
      : (outcome?.problems.length ?? 0) > 0
        ? ' for lack of an environment'
        : '';
  const named = trials.slice(0, mostNamed).map(({ id }) => id);
  const rest = trials.length > mostNamed ? [`and ${trials.length - mostNamed} more`] : [];
  const count = trials.length === 1 ? 'one trial was' : `${trials.length} trials were`;
  return [
    {
      exitCode: outcome?.budgetSpent === undefined ? exitCodes.dishonest : exitCodes.budget,
      text: `${count} never performed${why}: ${[...named, ...rest].join(', ')}`,
    },
  ];
}

function skipReasons({ skips, trials: planned }: RunPlan, trials: readonly TrialVerdict[]): RunReason[] {
  const skipped = trials.filter(({ verdict }) => verdict === 'skipped');
  if (planned.length > 0 && skipped.length === planned.length)
    return [
      {
        exitCode: exitCodes.dishonest,
        text: `every trial was skipped; the first: ${skipped[0]?.id}: ${skipped[0]?.skipReason}`,
      },
    ];
  const allowed = skips === 'allow' ? skipped.length : skips === 'forbid' ? 0 : skips.atMost;
  if (skipped.length <= allowed) return [];
  return skipped.map(({ id, skipReason }) => ({
    exitCode: exitCodes.dishonest,
    trial: id,
    text: `${id} was skipped (${skipReason}), and ${allowed === 0 ? 'no skip is' : `at most ${allowed} are`} allowed here`,
  }));
}

function budgetReason(outcome: RunOutcome | undefined): RunReason[] {
  const { budgetSpent } = outcome ?? {};
  if (budgetSpent === undefined) return [];
  return [{ exitCode: exitCodes.budget, text: `a budget allowed no more (${budgetSpent})` }];
}

function interruption(outcome: RunOutcome | undefined): RunReason[] {
  if (!outcome) return [{ exitCode: exitCodes.dishonest, text: 'the run did not come to its end' }];
  const { interruptedBy } = outcome;
  if (interruptedBy === undefined) return [];
  const exitCode: ExitCode = interruptedBy === 'SIGTERM' ? exitCodes.terminated : exitCodes.interrupted;
  return [{ exitCode, text: `interrupted by ${interruptedBy}` }];
}

function placeOf(where: RunOutcome['problems'][number]['where']): string {
  return typeof where === 'string' ? where : `${where.file}:${where.line}`;
}
