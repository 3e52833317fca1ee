import { expect, test } from 'vitest';
import type { TrialHistory } from '../../checks/trial-history.ts';
import type { Verdict } from '../../checks/verdict.ts';
import { flakeLedger } from './flake-ledger.ts';
import type { StoredRun } from './stored-runs.ts';

interface Shown {
  readonly verdict: Verdict;
  readonly revision?: string | null;
  readonly uncommitted?: string | null;
  readonly config?: string;
  readonly variant?: string;
  readonly mode?: string;
  readonly expect?: number;
  readonly variables?: string;
  readonly answers?: string;
  readonly hash?: string;
  readonly quarantined?: boolean;
}

/** Consecutive runs of one trial. */
function history(...shown: readonly Shown[]): TrialHistory {
  const runs = shown.map((one, index): StoredRun => {
    const { verdict, revision = 'a', uncommitted = null, config = 'c', variant = 'x', mode = 'script' } = one;
    const failed = verdict === 'failed' || verdict === 'unstable';
    const plan = {
      revision,
      ...(revision === null ? {} : { uncommitted }),
      variant: { store: variant },
      attached: false,
      ...(one.answers === undefined ? {} : { answers: { models: one.answers } }),
      trials: [
        {
          id: 't',
          isolation: 'fresh',
          checks: [{ id: 'c', line: index, expect: one.expect ?? 1 }],
          ...(one.variables === undefined ? {} : { variables: one.variables }),
          ...(one.hash === undefined ? {} : { hash: one.hash }),
        },
      ],
      system: { name: 's', configHash: config, resources: [{ name: 'm', kind: 'model', mode }] },
    };
    const trial = {
      id: 't',
      verdict,
      cause: failed ? { kind: 'check', text: 'c: expected 1, observed 2' } : null,
      checks: [{ id: 'c', verdict: failed ? 'failed' : 'passed' }],
      durationMs: 1,
      attempts: 1,
      ...(one.quarantined ? { quarantined: { verdict: 'failed' } } : {}),
    };
    const at = `2026-01-01T00:00:${String(index).padStart(2, '0')}Z`;
    return { run: `r${index}`, startedAt: at, plan, trials: [trial] } as unknown as StoredRun;
  });
  return flakeLedger({ runs, unread: [] }).trials[0] as TrialHistory;
}

const pass: Shown = { verdict: 'passed' };
const fail: Shown = { verdict: 'failed' };

test('held and failed on one revision and config, with nothing changed: a flake', () => {
  const seen = history(pass, fail, pass, pass);
  expect(seen).toMatchObject({ state: 'flake', runs: 4, passed: 3, failed: 1, since: null });
  expect(seen.because).toBe('it failed in 1 of 4 runs on revision a, with nothing changed between them');
  expect(seen.alternations).toEqual([
    {
      revision: 'a',
      configHash: 'c',
      isSame: true,
      runs: 4,
      failed: 1,
      unstable: 0,
      changes: 2,
      lastRun: 'r3',
    },
  ]);
  expect(seen.checks).toEqual([{ check: 'c', times: 1 }]);
  expect(seen.causes).toEqual([
    { kind: 'check', text: 'c: expected 1, observed 2', times: 1, lastRun: 'r1' },
  ]);
  expect(seen.lastSeen).toEqual({ run: 'r3', at: '2026-01-01T00:00:03Z', verdict: 'passed' });
});

test('unstable within one run: a flake, whatever the revision', () => {
  expect(history({ verdict: 'unstable', revision: null })).toMatchObject({ state: 'flake', unstable: 1 });
});

test('a failure in quarantine is a failure, not instability within a run', () => {
  const excused: Shown = { verdict: 'unstable', quarantined: true };
  expect(history(excused, excused)).toMatchObject({ state: 'failing', failed: 2, unstable: 0 });
  expect(history(pass, excused)).toMatchObject({ state: 'flake', failed: 1 });
});

test('fails since a revision, or since an edit: a regression, and not a flake', () => {
  const since = history(pass, pass, { ...fail, revision: 'b' }, { ...fail, revision: 'b' });
  expect(since).toMatchObject({
    state: 'regression',
    since: { run: 'r2', revision: 'b' },
    alternations: [],
    because: 'it fails since the run r2, on revision b',
  });
  expect(history(pass, { ...fail, uncommitted: 'edited' })).toMatchObject({
    state: 'regression',
    since: { run: 'r1' },
  });
  expect(history(pass, { ...fail, config: 'other' }).state).toBe('regression');
  expect(history({ ...pass, revision: null }, { ...fail, revision: null }).state).toBe('regression');
});

test('a fixed trial is steady, and one that never held is neither flake nor regression', () => {
  expect(history({ ...fail, uncommitted: 'edited' }, pass).state).toBe('steady');
  expect(history({ ...fail, revision: null }, { ...pass, revision: null }).state).toBe('steady');
  expect(history(fail, fail)).toMatchObject({ state: 'failing', since: null });
  expect(history(pass, { verdict: 'expected-failure' }).state).toBe('steady');
});

test('without git, two changes may be edits; three are a flake', () => {
  const [p, f] = [
    { ...pass, revision: null },
    { ...fail, revision: null },
  ];
  expect(history(p, f, p)).toMatchObject({
    state: 'suspect',
    because: 'it alternated 2 times on one config, revision unknown; the code may have changed meanwhile',
  });
  expect(history(p, f, p, f).state).toBe('flake');
});

test('failures of edited files are not flakes, however often they are broken and mended on one revision', () => {
  const edited = (uncommitted: string): Shown => ({ ...fail, uncommitted });
  expect(history(pass, edited('u'), pass, edited('v'), pass)).toMatchObject({
    state: 'steady',
    alternations: [],
  });
  expect(history(pass, edited('u'), { ...pass, uncommitted: 'u' }).state).toBe('flake');
});

test('results of other circumstances do not contradict: variant, model, checks', () => {
  expect(history(pass, { ...fail, variant: 'y' }, pass).state).toBe('steady');
  expect(history(pass, { ...fail, mode: 'live' }, pass).state).toBe('steady');
  expect(history(pass, { ...fail, expect: 2 }, pass).alternations).toEqual([]);
});

test('skipped and unknown results do not count', () => {
  const seen = history(pass, { verdict: 'skipped' }, { verdict: 'unknown' });
  expect(seen).toMatchObject({ state: 'steady', runs: 3, passed: 1, undecided: 2 });
});

test.each<[string, Partial<Shown>]>([
  ['another value of a variable that the config refers to', { variables: 'defect' }],
  ['other providers, by an option', { answers: 'replay' }],
])('%s is neither a flake nor a regression', (_, other) => {
  const odd = { ...fail, ...other };
  expect(history(pass, odd, pass, odd, pass).state).toBe('steady');
  expect(history(pass, odd)).toMatchObject({ state: 'steady', since: null });
  // Under the same circumstances it still is one.
  expect(history(pass, odd, { ...pass, ...other }).state).toBe('flake');
});

test('with other steps it is another trial', () => {
  const odd = { ...fail, hash: 'other', uncommitted: 'u' };
  expect(history(pass, odd, pass, odd)).toMatchObject({ state: 'regression', alternations: [] });
});
