/** The outcome of a stored verdict for the flake ledger, and where outcomes of a trial contradict each other. */
import { createHash } from 'node:crypto';
import type { Alternation } from '../../checks/trial-history.ts';
import type { PlannedTrial } from '../run/run-plan.ts';
import type { StoredPlan, StoredTrial } from './stored-runs.ts';

export type Outcome = 'held' | 'failed' | 'unstable' | 'undecided';

/** One trial in one run. */
export interface Result extends Circumstances {
  readonly run: string;
  readonly at: string;
  readonly revision: string | null;
  readonly configHash: string;
  readonly trial: StoredTrial;
  readonly outcome: Outcome;
}

/** Quarantine excuses a failure; it still counts as one. */
export function outcomeOf({ verdict, quarantined }: Pick<StoredTrial, 'verdict' | 'quarantined'>): Outcome {
  switch (quarantined?.verdict ?? verdict) {
    case 'passed':
    case 'expected-failure':
      return 'held';
    case 'failed':
      return 'failed';
    case 'unstable':
      return 'unstable';
    default:
      return 'undecided';
  }
}

/** Where it both held and failed, newest first: with nothing changed, or at least on one revision and config. */
export function alternationsOf(results: readonly Result[]): readonly Alternation[] {
  const decided = results.filter(({ outcome }) => outcome !== 'undecided');
  const exact = Map.groupBy(decided, ({ exact: key }) => key ?? '');
  exact.delete('');
  const same = [...exact.values()].filter(contradicts);
  const known = new Set(same.flat().map(({ version }) => version));
  // Where it is known which files changed, they are why the outcome did.
  const unsure = decided.filter((one) => one.exact === undefined);
  const loose = [...Map.groupBy(unsure, ({ version }) => version)]
    .filter(([version, group]) => !known.has(version) && contradicts(group))
    .map(([, group]) => group);
  return [
    ...same.map((group) => alternation(group, true)),
    ...loose.map((group) => alternation(group, false)),
  ]
    .sort((a, b) => (a.at < b.at ? 1 : -1))
    .map(({ at: _at, ...rest }) => rest);
}

function contradicts(group: readonly Result[]): boolean {
  const outcomes = new Set(group.map(({ outcome }) => outcome));
  return outcomes.has('unstable') || outcomes.size > 1;
}

function alternation(group: readonly Result[], isSame: boolean): Alternation & { readonly at: string } {
  const newest = group.at(-1) as Result;
  const changes = group.filter((one, index) => index > 0 && one.outcome !== group[index - 1]?.outcome).length;
  return {
    revision: newest.revision,
    configHash: newest.configHash,
    isSame,
    runs: group.length,
    failed: group.filter(({ outcome }) => outcome === 'failed').length,
    unstable: group.filter(({ outcome }) => outcome === 'unstable').length,
    changes,
    lastRun: newest.run,
    at: newest.at,
  };
}

export interface Circumstances {
  /** How it was performed, whatever the version: variant, models, isolation, variables, attached or own environment. */
  readonly place: string;
  /** Same place, revision, config, steps and checks; uncommitted files may differ. */
  readonly version: string;
  /** Everything, if known: then nothing can have changed. */
  readonly exact: string | undefined;
}

export function circumstancesIn(plan: StoredPlan): (id: string) => Circumstances {
  const trials = new Map(plan.trials.map((trial) => [trial.id, trial]));
  const modes = modesOf(plan);
  const isKnown = typeof plan.revision === 'string' && plan.uncommitted !== undefined;
  return (id) => {
    const trial = trials.get(id);
    const how = [plan.answers ?? {}, trial?.variables ?? null];
    const place = hashOf([plan.variant, plan.attached, trial?.isolation, modes, how]);
    const what = [plan.system.configHash, trial?.hash ?? null, checksOf(trial)];
    const version = hashOf([place, plan.revision ?? null, what]);
    return { place, version, exact: isKnown ? hashOf([version, plan.uncommitted]) : undefined };
  };
}

/** A trial that passes with a script and fails with a real model is not a flake. */
function modesOf({ system }: StoredPlan): readonly unknown[] {
  return (system.resources ?? []).map((resource) => ('mode' in resource ? resource.mode : null));
}

/** A moved line does not make a different check. */
function checksOf(trial: PlannedTrial | undefined): readonly unknown[] {
  return (trial?.checks ?? []).map(({ line: _line, ...check }) => check);
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}
