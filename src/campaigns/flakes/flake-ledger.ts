/** The flake ledger, a fold over stored runs: flakes vary with nothing changed, regressions fail since a version. */
import type { FlakeLedger, HistoryState, TrialHistory } from '../../checks/trial-history.ts';
import { alternationsOf, circumstancesIn, type Outcome, outcomeOf, type Result } from './outcomes.ts';
import type { readStoredRuns, StoredTrial } from './stored-runs.ts';

export function flakeLedger({ runs, unread }: ReturnType<typeof readStoredRuns>): FlakeLedger {
  const results = new Map<string, Result[]>();
  for (const { run, startedAt, plan, trials } of runs) {
    const circumstancesOf = circumstancesIn(plan);
    for (const trial of trials) {
      const of = results.get(trial.id) ?? [];
      results.set(trial.id, of);
      of.push({
        run,
        at: startedAt,
        revision: plan.revision ?? null,
        configHash: plan.system.configHash,
        ...circumstancesOf(trial.id),
        trial,
        outcome: outcomeOf(trial),
      });
    }
  }
  const trials = [...results].map(([id, of]) => historyOf(id, of));
  return { runs: runs.length, unread, trials: trials.sort(byUrgency) };
}

const urgency: readonly HistoryState[] = ['flake', 'suspect', 'regression', 'failing', 'steady'];

function byUrgency(a: TrialHistory, b: TrialHistory): number {
  const grade = ({ state, failed, unstable }: TrialHistory): number =>
    urgency.indexOf(state) * 1e6 - Math.min(failed + unstable, 1e5);
  return grade(a) - grade(b) || (a.id < b.id ? -1 : 1);
}

function historyOf(id: string, results: readonly Result[]): TrialHistory {
  const count = (wanted: Outcome): number => results.filter(({ outcome }) => outcome === wanted).length;
  const newest = results.at(-1) as Result;
  const alternations = alternationsOf(results);
  const since = sinceWhen(results);
  const { state, because } = stateOf(results, alternations, since);
  return {
    id,
    state,
    because,
    runs: results.length,
    passed: count('held'),
    failed: count('failed'),
    unstable: count('unstable'),
    undecided: count('undecided'),
    lastSeen: { run: newest.run, at: newest.at, verdict: newest.trial.verdict },
    alternations,
    since: state === 'regression' && since ? { run: since.run, revision: since.revision } : null,
    checks: failedChecks(results),
    causes: causesOf(results),
  };
}

/** Alternating three times is not a coincidence, whatever may have been edited meanwhile. */
const changesOfAFlake = 3;

function stateOf(
  results: readonly Result[],
  alternations: TrialHistory['alternations'],
  since: Result | undefined,
): Pick<TrialHistory, 'state' | 'because'> {
  const unstable = results.findLast(({ outcome }) => outcome === 'unstable');
  if (unstable) return { state: 'flake', because: `it held and failed within the run ${unstable.run}` };
  const same = alternations.find(({ isSame }) => isSame);
  if (same)
    return {
      state: 'flake',
      because: `it failed in ${same.failed} of ${same.runs} runs on ${short(same.revision)}, with nothing changed between them`,
    };
  const often = alternations.find(({ changes }) => changes >= changesOfAFlake);
  if (often)
    return {
      state: 'flake',
      because: `it alternated ${often.changes} times in ${often.runs} runs on ${short(often.revision)}`,
    };
  const twice = alternations.find(({ changes }) => changes >= 2);
  if (twice)
    return {
      state: 'suspect',
      because: `it alternated ${twice.changes} times on ${short(twice.revision)}; the code may have changed meanwhile`,
    };
  if (since)
    return { state: 'regression', because: `it fails since the run ${since.run}, ${whereOf(since)}` };
  const decided = results.filter(({ outcome }) => outcome !== 'undecided');
  if (decided.length > 0 && decided.every(({ outcome }) => outcome === 'failed'))
    return { state: 'failing', because: 'it has not held in any stored run' };
  return { state: 'steady', because: null };
}

/** The first failure after its last pass, in the latest circumstances; undefined if it passes, or never did. */
function sinceWhen(results: readonly Result[]): Result | undefined {
  const { place } = results.at(-1) as Result;
  const decided = results.filter((one) => one.place === place && one.outcome !== 'undecided');
  const held = decided.findLastIndex(({ outcome }) => outcome === 'held');
  return held < 0 ? undefined : decided[held + 1];
}

function failedChecks(results: readonly Result[]): TrialHistory['checks'] {
  const failed = results
    .filter(({ outcome }) => outcome === 'failed' || outcome === 'unstable')
    .flatMap(({ trial }) => trial.checks.filter(({ verdict }) => verdict === 'failed'));
  const groups = [...Map.groupBy(failed, ({ id }) => id)];
  return groups.map(([check, { length }]) => ({ check, times: length })).sort((a, b) => b.times - a.times);
}

const mostCauses = 5;

function causesOf(results: readonly Result[]): TrialHistory['causes'] {
  const causes = new Map<string, TrialHistory['causes'][number]>();
  for (const { trial, outcome, run } of results) {
    const cause = causeOf(trial);
    if (!cause || (outcome !== 'failed' && outcome !== 'unstable')) continue;
    const { kind, text } = cause;
    const times = (causes.get(`${kind} ${text}`)?.times ?? 0) + 1;
    causes.set(`${kind} ${text}`, { kind, text, times, lastRun: run });
  }
  return [...causes.values()].sort((a, b) => b.times - a.times).slice(0, mostCauses);
}

function causeOf({ cause }: StoredTrial): StoredTrial['cause'] {
  return typeof cause?.text === 'string' ? cause : null;
}

function whereOf({ revision }: Result): string {
  return revision === null ? 'revision unknown' : `on ${short(revision)}`;
}

function short(revision: string | null): string {
  return revision === null ? 'one config, revision unknown' : `revision ${revision.slice(0, 10)}`;
}
