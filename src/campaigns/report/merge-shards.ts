/** Several runs that are the parts of one selection, as one verdict: what no part performed is a reason against it. */
import type { RunReason, RunVerdict, TrialVerdict } from '../../checks/verdict.ts';
import { judgedBadly } from '../../checks/verdict.ts';
import { counted, firstNames } from '../../kernel/counted.ts';
import { exitCodes } from '../../kernel/exit-codes.ts';
import { badUsage, type Problem } from '../../kernel/problem.ts';
import { judgeRequirements } from '../../requirements/planned-requirements.ts';
import { countOf, exitCodeOf, overall } from '../run/judge-run.ts';
import { judgedEntries } from '../run/quarantine-of-run.ts';
import type { PlannedShard, RunOutcome, RunPlan } from '../run/run-plan.ts';
import { runReasons } from '../run/run-reasons.ts';
import type { ReportSource } from './report-source.ts';

export interface JudgedRun extends ReportSource {
  readonly verdict: RunVerdict;
  /** Absent where the run was killed. */
  readonly outcome: RunOutcome | undefined;
}

interface Shard extends JudgedRun {
  readonly shard: PlannedShard;
}

export interface Merged {
  readonly verdict: RunVerdict;
  readonly sources: readonly [Shard, ...Shard[]];
  readonly sourceOf: (trial: string) => Shard | undefined;
}

export function mergeShards(runs: readonly JudgedRun[]): Merged {
  const shards = inOrder(runs);
  const [first] = shards;
  const performed = performedOnce(shards);
  const trials = inOrderOf(
    first.shard.selection,
    [...performed.values()].map(({ trial }) => trial),
  );
  const planned = shards.flatMap(({ plan }) => plan.trials);
  const { isPart: _isPart, ...requirements } = first.plan.requirements ?? { isPart: true };
  const plan: RunPlan = {
    ...first.plan,
    trials: [...new Map(planned.map((one) => [one.id, one])).values()],
    ...('declared' in requirements ? { requirements } : {}),
  };
  const judged = judgeRequirements(plan.requirements, trials);
  const outcome = outcomeOf(shards);
  const reasons = runReasons(plan, outcome, trials, [...judged.reasons, ...mergeReasons(shards)]);
  const quarantine = judgedEntries(plan, trials);
  const known = new Set([...first.shard.selection, ...plan.trials.map(({ id }) => id)]);
  const verdict: RunVerdict = {
    ...first.verdict,
    run: `${first.plan.run}+${shards.length - 1}`,
    verdict: overall(trials, reasons.length > 0),
    exitCode: exitCodeOf(reasons),
    reasons,
    counts: { ...countOf(plan.declared, trials), selected: known.size },
    durationMs: outcome.durationMs,
    trials,
    requirements: judged.verdicts,
    leaks: outcome.leaks,
  };
  const { quarantine: _ofFirst, ...rest } = verdict;
  return {
    verdict: quarantine.length === 0 ? rest : { ...rest, quarantine },
    sources: shards,
    sourceOf: (id) => performed.get(id)?.shard,
  };
}

function inOrder(runs: readonly JudgedRun[]): readonly [Shard, ...Shard[]] {
  const shards = runs.map((run): Shard => {
    if (!run.plan.shard) throw noShard(run);
    return { ...run, shard: run.plan.shard };
  });
  const [first, ...others] = shards.sort((a, b) => a.shard.index - b.shard.index);
  if (!first) throw new Error('there is no run to merge');
  const twice = others.find((one, index) => one.shard.index === (others[index - 1] ?? first).shard.index);
  if (twice) throw isTwice(twice, shards);
  const stranger = others.find(({ plan }) => plan.system.name !== first.plan.system.name);
  if (stranger) throw otherSystem(first, stranger);
  return [first, ...others];
}

/** A twin may be performed by several shards: the one that selected it counts, and one that did not pass. */
function performedOnce(shards: readonly Shard[]) {
  const all = shards.flatMap((shard) => shard.verdict.trials.map((trial) => ({ shard, trial })));
  const rank = ({ shard, trial }: (typeof all)[number]): number =>
    (judgedBadly(trial.verdict) ? 2 : 0) + (isOwn(shard, trial) ? 1 : 0);
  return new Map(
    [...Map.groupBy(all, ({ trial }) => trial.id)].map(([id, group]) => [
      id,
      group.reduce((best, one) => (rank(one) > rank(best) ? one : best)),
    ]),
  );
}

/** As a whole run has them; twins that were not selected come last. */
function inOrderOf(selection: readonly string[], trials: readonly TrialVerdict[]): readonly TrialVerdict[] {
  const place = new Map(selection.map((id, index) => [id, index]));
  return trials.toSorted((a, b) => (place.get(a.id) ?? place.size) - (place.get(b.id) ?? place.size));
}

function isOwn({ plan }: Shard, { id }: Pick<TrialVerdict, 'id'>): boolean {
  return plan.trials.some((trial) => trial.id === id && !trial.asTwin);
}

/** Shards run beside each other: the slowest decides how long it took. */
function outcomeOf(shards: readonly Shard[]): RunOutcome {
  const outcomes = shards.flatMap(({ outcome }) => outcome ?? []);
  const interruptedBy = outcomes.find((one) => one.interruptedBy !== undefined)?.interruptedBy;
  const budgetSpent = outcomes.find((one) => one.budgetSpent !== undefined)?.budgetSpent;
  return {
    problems: outcomes.flatMap(({ problems }) => problems),
    leaks: outcomes.flatMap(({ leaks }) => leaks),
    ...(interruptedBy === undefined ? {} : { interruptedBy }),
    ...(budgetSpent === undefined ? {} : { budgetSpent }),
    ...(outcomes.some(({ stopped }) => stopped) ? { stopped: true } : {}),
    durationMs: Math.max(0, ...outcomes.map(({ durationMs }) => durationMs)),
  };
}

const mostNamed = 5;

function mergeReasons(shards: readonly [Shard, ...Shard[]]): readonly RunReason[] {
  const [{ shard }] = shards;
  const present = new Set(shards.map((one) => one.shard.index));
  const missing = Array.from({ length: shard.of }, (_, index) => index + 1).filter((i) => !present.has(i));
  const own = Map.groupBy(
    shards.flatMap((one) => one.verdict.trials.filter((trial) => isOwn(one, trial))),
    ({ id }) => id,
  );
  const twice = [...own].flatMap(([id, { length }]) => (length > 1 ? [id] : []));
  const nowhere = shard.selection.filter((id) => !own.has(id));
  const killed = shards.filter(({ outcome }) => !outcome).map(nameOf);
  const texts = [
    ...differences(shards),
    ...(missing.length === 0
      ? []
      : [`missing: shard ${missing.map((index) => `${index}/${shard.of}`).join(', ')}`]),
    ...(nowhere.length === 0
      ? []
      : [`no shard performed ${counted(nowhere.length, 'trial')}: ${firstNames(nowhere, mostNamed)}`]),
    ...(twice.length === 0
      ? []
      : [`two shards performed ${counted(twice.length, 'trial')}: ${firstNames(twice, mostNamed)}`]),
    ...(killed.length === 0 ? [] : [`the run of shard ${killed.join(', ')} did not finish`]),
  ];
  return texts.map((text) => ({ exitCode: exitCodes.dishonest, text }));
}

/** What must be the same, so that all trials together say something about one version of one system. */
const common: Readonly<Record<string, (plan: RunPlan) => unknown>> = {
  configs: ({ system }) => short(system.configHash),
  revisions: ({ revision }) => short(revision),
  'uncommitted changes': ({ uncommitted }) => uncommitted,
  variants: ({ variant }) => variant,
  'versions of Shakedown': ({ tool }) => tool,
  'numbers of shards': ({ shard }) => shard?.of,
  'numbers of rounds': ({ rounds }) => rounds,
  selections: ({ shard }) => shard?.selection,
  gates: ({ requirements, skips }) => [requirements?.gate?.name, skips],
};

const shownChars = 40;

/** Of a hash. */
function short(value: unknown): unknown {
  return typeof value === 'string' ? value.slice(0, 12) : value;
}

function differences(shards: readonly Shard[]): readonly string[] {
  return Object.entries(common).flatMap(([what, read]) => {
    const values = Map.groupBy(shards, ({ plan }) => JSON.stringify(read(plan)) ?? 'unknown');
    if (values.size === 1) return [];
    const parts = [...values].map(([value, of]) => {
      const shown = value.length > shownChars ? '' : ` ${value.replaceAll('"', '')}`;
      return `${of.map(nameOf).join(', ')}${shown}`;
    });
    return [`the shards have different ${what}: ${parts.join('; ')}`];
  });
}

function nameOf({ shard }: Shard): string {
  return `${shard.index}/${shard.of}`;
}

function noShard({ shown }: JudgedRun): Problem {
  return badUsage(
    shown,
    'the run is not a shard: it was performed without `--shard`',
    'runs of `shakedown run --shard I/N`, or two other runs to compare',
    'leave it out, or compare two runs: shakedown report A B --compare',
  );
}

function isTwice({ shard, shown }: Shard, shards: readonly Shard[]): Problem {
  const other = shards.find((one) => one.shard.index === shard.index && one.shown !== shown);
  return badUsage(
    shown,
    `shard ${shard.index}/${shard.of} is there twice: also as ${other?.shown ?? shown}`,
    'each shard once',
    'name the one that counts',
  );
}

function otherSystem({ plan }: Shard, { shown, plan: other }: Shard): Problem {
  return badUsage(
    shown,
    `this is a run of the system \`${other.system.name}\`, and the others are of \`${plan.system.name}\``,
    'shards of one system',
    'leave it out',
  );
}
