/** Live sabotage: each service in turn dead, returning junk or another's data; a trial that stays green is a finding. */
import { type MutantOf, mutantText } from '../../../journal/mutant-kinds.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { IsJudged } from '../baseline.ts';
import type { Counterfactual } from '../exposure.ts';
import { type MutatedTrial, planMutants } from './plan-mutants.ts';
import type { StoredEvidence, StoredTrial } from './stored-evidence.ts';
import { type TriedMutant, type TryOptions, tryMutants } from './try-mutants.ts';

export interface LiveOptions extends Omit<TryOptions, 'attempts' | 'enough' | 'onTried'> {
  readonly evidence: StoredEvidence;
  readonly clock: Clock;
  /** Nothing more is started after this; no deadline if absent. */
  readonly withinMs?: number;
  /** Receives the number of attempts to try, and each result. */
  readonly onPlanned?: (attempts: number) => void;
  readonly onTried?: (tried: TriedMutant) => void;
}

/** One trial under one mutant. */
interface TrialUnderMutant extends MutantOf {
  readonly trial: string;
}

export interface LiveFinding extends TrialUnderMutant {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

export interface LiveSabotage {
  /** The run whose journals show which services each trial touches. */
  readonly of: string;
  /** How many mutants were applied. */
  readonly mutants: number;
  readonly trials: number;
  readonly attempts: number;
  /** Attempts in which the trial killed the mutant. */
  readonly noticed: number;
  readonly findings: readonly LiveFinding[];
  /** Attempts that died because the trial's own connection was refused. */
  readonly provesNothing: number;
  readonly notMet: number;
  readonly undecided: readonly (TrialUnderMutant & { readonly because: string })[];
  readonly notPossible: ReturnType<typeof planMutants>['notPossible'];
  readonly exempt: ReturnType<typeof planMutants>['exempt'];
  readonly notTried: StoredEvidence['notTried'];
  /** What there was no time or no environment for. */
  readonly left: readonly (MutantOf & { readonly trials: number })[];
  readonly outcomes: readonly LiveOutcome[];
  readonly durationMs: number;
}

export interface LiveOutcome extends TrialUnderMutant {
  readonly outcome: TriedMutant['outcome'] | 'left';
}

export async function sabotageLive(options: LiveOptions) {
  const { system, evidence, clock, withinMs } = options;
  const startedAt = clock.monotonic();
  const plan = planMutants(system, evidence.trials);
  options.onPlanned?.(plan.attempts.length);
  const enough = new AbortController();
  const cancel = withinMs === undefined ? undefined : clock.after(withinMs, () => enough.abort());
  const { tried, left, problems, leaks } = await tryMutants({
    ...options,
    attempts: plan.attempts,
    enough: enough.signal,
    onTried: (one) => options.onTried?.(one),
  }).finally(() => cancel?.());
  const of = (outcome: TriedMutant['outcome']): readonly TriedMutant[] =>
    tried.filter((one) => one.outcome === outcome);
  const live: LiveSabotage = {
    of: evidence.run,
    mutants: new Set(tried.map(({ mutant }) => `${mutant.service} ${mutant.mutant}`)).size,
    trials: new Set(tried.map(idOf)).size,
    attempts: tried.length,
    noticed: of('killed').length,
    findings: of('survived').map(findingOf).toSorted(byPlace),
    provesNothing: of('proves-nothing').length,
    notMet: of('not-met').length,
    undecided: of('undecided').map((one) => ({ ...named(one), because: one.because })),
    notPossible: plan.notPossible,
    exempt: plan.exempt,
    notTried: evidence.notTried,
    left: countLeft(left),
    outcomes: [
      ...tried.map((one) => ({ ...named(one), outcome: one.outcome })),
      ...left.map((one) => ({ ...named(one), outcome: 'left' as const })),
    ],
    durationMs: Math.round(clock.monotonic() - startedAt),
  };
  return { live, problems, leaks };
}

function findingOf(tried: TriedMutant): LiveFinding {
  const { file, line } = tried.stored.trial.record;
  const met = [...tried.feltOn].map(([edge, count]) => `${edge}${count === 1 ? '' : ` ${count} times`}`);
  const { service, mutant } = tried.mutant;
  return {
    ...named(tried),
    file,
    line,
    text: `it stays green with ${service} ${mutantText[mutant]}, which it met on ${met.join(', ')}`,
  };
}

function byPlace(one: LiveFinding, other: LiveFinding): number {
  return (
    one.service.localeCompare(other.service) ||
    one.mutant.localeCompare(other.mutant) ||
    one.file.localeCompare(other.file) ||
    one.line - other.line ||
    one.trial.localeCompare(other.trial)
  );
}

function countLeft(left: readonly MutatedTrial[]): LiveSabotage['left'] {
  return [...Map.groupBy(left, ({ mutant }) => `${mutant.service} ${mutant.mutant}`).values()].flatMap(
    (all) => {
      const [first] = all;
      return first
        ? [{ service: first.mutant.service, mutant: first.mutant.mutant, trials: all.length }]
        : [];
    },
  );
}

function named(one: MutatedTrial) {
  return { service: one.mutant.service, mutant: one.mutant.mutant, trial: idOf(one) };
}

function idOf({ stored }: MutatedTrial): string {
  return stored.trial.record.id;
}

/** `trials` are the names of all trials of the suite: findings of a trial that is gone are stale. */
export function judgedMutants(
  outcomes: LiveSabotage['outcomes'],
  trials: readonly string[],
): IsJudged<'live'> {
  const judged = new Set(
    outcomes.filter(({ outcome }) => outcome === 'survived' || outcome === 'killed').map(keyOf),
  );
  const known = new Set(trials);
  return (entry) => judged.has(keyOf(entry)) || !known.has(entry.trial);
}

function keyOf(one: Record<'service' | 'mutant' | 'trial', string>): string {
  return JSON.stringify([one.service, one.mutant, one.trial]);
}

/** Mutants of values that fed a later step: only live sabotage of their provider can judge them. */
export function coverCounterfactuals(
  counterfactual: readonly Counterfactual[],
  trials: readonly Pick<StoredTrial, 'view'>[],
  outcomes: readonly LiveOutcome[],
) {
  const records = new Map(trials.map(({ view }) => [view.record.id, view.record]));
  return counterfactual.map((one) => {
    const provider = records.get(one.trial)?.steps.find(({ name }) => name === one.step)?.to ?? null;
    const tried = outcomes.filter(({ trial, service }) => trial === one.trial && service === provider);
    const judged = tried.filter(({ outcome }) => outcome === 'killed' || outcome === 'survived');
    // Whether the trial met a mutant of that provider, and was judged.
    const covered = judged.length > 0;
    return { ...one, provider, covered, text: textOf(provider, one.step, judged) };
  });
}

function textOf(provider: string | null, step: string, judged: readonly LiveOutcome[]): string {
  if (provider === null) return `the step ${step} names no service that could be mutated`;
  if (judged.length === 0) return `no mutant of ${provider} was met and judged`;
  const mutants = judged.map(
    ({ mutant, outcome }) => `${mutant}: ${outcome === 'killed' ? 'killed' : 'stays green'}`,
  );
  return `covered by live sabotage of ${provider} (${mutants.join(', ')})`;
}
