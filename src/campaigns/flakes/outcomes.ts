/** What a stored verdict says about flakiness, and where the outcomes of a trial contradict each other. */
import type { Alternation } from '../../checks/trial-history.ts';
import type { Circumstances } from './circumstances.ts';
import type { StoredTrial } from './stored-runs.ts';

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

/** Quarantine excuses a failure; it is one all the same. */
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

/** Where it both held and failed, the newest first: with nothing changed, or at least on one revision and config. */
export function alternationsOf(results: readonly Result[]): readonly Alternation[] {
  const decided = results.filter(({ outcome }) => outcome !== 'undecided');
  const exact = Map.groupBy(decided, ({ exact: key }) => key ?? '');
  exact.delete('');
  const same = [...exact.values()].filter(contradicts);
  const told = new Set(same.flat().map(({ version }) => version));
  const loose = [...Map.groupBy(decided, ({ version }) => version)]
    .filter(([version, group]) => !told.has(version) && contradicts(group))
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
    at: newest.at,
  };
}
