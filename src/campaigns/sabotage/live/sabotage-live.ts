/** Live sabotage: each service in turn dead, talking junk, or answering with what is another's; a trial that stays green is a finding. */
import type { Clock } from '../../../kernel/clock.ts';
import type { Problem } from '../../../kernel/problem.ts';
import type { System } from '../../../system/system.ts';
import type { StageSource } from '../../run/stage-holder.ts';
import type { LieKind } from './place-lie.ts';
import { type LiedTrial, planLies } from './plan-lies.ts';
import type { StoredEvidence } from './stored-evidence.ts';
import { type TriedLie, tryLies } from './try-lies.ts';

export interface LiveOptions {
  readonly system: System;
  readonly evidence: StoredEvidence;
  readonly parallel: number;
  readonly stages: StageSource;
  readonly folder: string;
  readonly about: { readonly run: string; readonly seed: string; readonly tool: string };
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** No more is begun after this; no end where absent. */
  readonly withinMs?: number;
  /** How many are to be tried, and each that was. */
  readonly onPlanned?: (attempts: number) => void;
  readonly onTried?: (tried: TriedLie) => void;
}

export interface LiveFinding {
  readonly service: string;
  readonly lie: LieKind;
  readonly trial: string;
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

export interface LiveSabotage {
  /** The run whose journals say whom each trial touches. */
  readonly of: string;
  /** How many lies were told. */
  readonly lies: number;
  readonly trials: number;
  readonly attempts: number;
  /** Attempts in which the trial noticed. */
  readonly noticed: number;
  readonly findings: readonly LiveFinding[];
  /** Attempts that died because the trial's own connection was refused. */
  readonly provesNothing: number;
  readonly notMet: number;
  readonly undecided: readonly Undecided[];
  readonly notPossible: ReturnType<typeof planLies>['notPossible'];
  readonly exempt: ReturnType<typeof planLies>['exempt'];
  readonly notTried: StoredEvidence['notTried'];
  /** What there was no time for, or no environment. */
  readonly left: readonly { readonly service: string; readonly lie: LieKind; readonly trials: number }[];
  readonly outcomes: readonly LiveOutcome[];
  readonly durationMs: number;
}

interface Undecided {
  readonly service: string;
  readonly lie: LieKind;
  readonly trial: string;
  readonly because: string;
}

export interface LiveOutcome {
  readonly service: string;
  readonly lie: LieKind;
  readonly trial: string;
  readonly outcome: TriedLie['outcome'] | 'left';
}

export async function sabotageLive(options: LiveOptions): Promise<{
  readonly live: LiveSabotage;
  readonly problems: readonly Problem[];
  readonly leaks: readonly string[];
}> {
  const { system, evidence, clock, withinMs } = options;
  const startedAt = clock.monotonic();
  const plan = planLies(system, evidence.trials);
  options.onPlanned?.(plan.attempts.length);
  const enough = new AbortController();
  const cancel = withinMs === undefined ? undefined : clock.after(withinMs, () => enough.abort());
  const { tried, left, problems, leaks } = await tryLies({
    ...options,
    attempts: plan.attempts,
    enough: enough.signal,
    onTried: (one) => options.onTried?.(one),
  }).finally(() => cancel?.());
  const of = (outcome: TriedLie['outcome']): readonly TriedLie[] =>
    tried.filter((one) => one.outcome === outcome);
  const live: LiveSabotage = {
    of: evidence.run,
    lies: new Set(tried.map(({ lie }) => `${lie.service} ${lie.lie}`)).size,
    trials: new Set(tried.map(idOf)).size,
    attempts: tried.length,
    noticed: of('red').length,
    findings: of('green').map(findingOf).toSorted(byPlace),
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

function findingOf(tried: TriedLie): LiveFinding {
  const { file, line } = tried.stored.trial.record;
  const met = [...tried.feltOn].map(([edge, count]) => `${edge}${count === 1 ? '' : ` ${count} times`}`);
  const { service, lie } = tried.lie;
  return {
    ...named(tried),
    file,
    line,
    text: `it stays green with ${service} ${lieWords[lie]}, which it met on ${met.join(', ')}`,
  };
}

/** How a lie is told to a person, after the name of who tells it. */
export const lieWords: Readonly<Record<LieKind, string>> = {
  dead: 'dead',
  garbage: 'answering garbage',
  'other-tenant': "answering with another's data",
};

function byPlace(one: LiveFinding, other: LiveFinding): number {
  return (
    one.service.localeCompare(other.service) ||
    one.lie.localeCompare(other.lie) ||
    one.file.localeCompare(other.file) ||
    one.line - other.line ||
    one.trial.localeCompare(other.trial)
  );
}

function countLeft(left: readonly LiedTrial[]): LiveSabotage['left'] {
  return [...Map.groupBy(left, ({ lie }) => `${lie.service} ${lie.lie}`).values()].flatMap((all) => {
    const [first] = all;
    return first ? [{ service: first.lie.service, lie: first.lie.lie, trials: all.length }] : [];
  });
}

function named(one: LiedTrial): { readonly service: string; readonly lie: LieKind; readonly trial: string } {
  return { service: one.lie.service, lie: one.lie.lie, trial: idOf(one) };
}

function idOf({ stored }: LiedTrial): string {
  return stored.trial.record.id;
}
