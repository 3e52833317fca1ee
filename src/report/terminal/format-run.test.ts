import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { RunVerdict, TrialVerdict, Verdict } from '../../checks/verdict.ts';
import { formatRun } from './format-run.ts';

function trial(id: string, verdict: Verdict, over: Partial<TrialVerdict> = {}): TrialVerdict {
  return {
    id,
    file: `trials/${id}.trial.yaml`,
    line: 1,
    tags: [],
    covers: [],
    backend: null,
    verdict,
    cause: null,
    attempts: 1,
    checks: [],
    blame: null,
    durationMs: 100,
    costUsd: 0,
    unpriced: [],
    tokens: { input: 0, output: 0 },
    skipReason: null,
    repro: `shakedown rerun latest ${/[[\]]/.test(id) ? `'${id}'` : id}`,
    faults: [],
    folder: `trials/${id}`,
    ...over,
  };
}

function run(trials: readonly TrialVerdict[], over: Partial<RunVerdict> = {}): RunVerdict {
  const count = (wanted: Verdict): number => trials.filter(({ verdict }) => verdict === wanted).length;
  return {
    schemaVersion: 1,
    tool: 'shakedown 0.1.0',
    run: '20260301-021109-4f1c',
    revision: null,
    configHash: 'c0ffee',
    seed: '7f3a',
    verdict: 'passed',
    exitCode: 0,
    reasons: [],
    counts: {
      passed: count('passed'),
      failed: count('failed'),
      unknown: count('unknown'),
      skipped: count('skipped'),
      'expected-failure': count('expected-failure'),
      unstable: count('unstable'),
      declared: trials.length,
      selected: trials.length,
      executed: trials.length - count('skipped'),
    },
    durationMs: 72_400,
    trials,
    requirements: [],
    leaks: [],
    ...over,
  };
}

const format = (verdict: RunVerdict): string =>
  formatRun(verdict, { runFolder: '.shakedown/runs/20260301-021109-4f1c' }).join('\n');

test('a run that held', () => {
  expect(format(run([trial('a', 'passed'), trial('b', 'passed')]))).toMatchInlineSnapshot(`
    "2 trials in 1 m 12 s: 2 passed

    evidence          .shakedown/runs/20260301-021109-4f1c
    same seed         shakedown run --seed 7f3a"
  `);
});

test('every reason against it, most severe first, and every skip', () => {
  const verdict = run(
    [
      trial('butlers/headache', 'passed'),
      trial('daemon/junk[not-hex]', 'failed'),
      trial('butlers/quiet', 'unknown'),
      trial('butlers/clamp', 'expected-failure'),
      trial('butlers/image', 'skipped', { skipReason: 'docker is not here' }),
      trial('butlers/compose', 'skipped', { skipReason: 'docker is not here' }),
      trial('butlers/live', 'skipped', { skipReason: 'ANTHROPIC_API_KEY is not set' }),
    ],
    {
      verdict: 'failed',
      exitCode: 1,
      reasons: [
        { exitCode: 1, trial: 'daemon/junk[not-hex]', text: 'service daemon ended by itself, by SIGSEGV' },
        {
          exitCode: 6,
          trial: 'butlers/quiet',
          text: '`nothing-executed` asserts that something did not happen, but nothing proves that it would have been seen: add `provenBy: <trial>`',
        },
        { exitCode: 7, text: 'a process was left behind: sleep 1000' },
      ],
      leaks: ['process 4711: sleep 1000'],
    },
  );
  const declared = { ...verdict, counts: { ...verdict.counts, declared: 12 } };
  const shown = format(declared);
  const page = readFileSync(new URL('../../../docs/guides/read-a-failure.md', import.meta.url), 'utf8');
  expect(page).toContain(`\`\`\`text\n${shown}\n\`\`\``);
  expect(shown).toMatchInlineSnapshot(`
    "7 trials in 1 m 12 s: 1 passed, 1 failed, 1 unknown, 1 failed as expected, 3 skipped
    12 declared, 7 selected, 4 executed

    Skipped
      docker is not here:
        butlers/image
        butlers/compose
      ANTHROPIC_API_KEY is not set:
        butlers/live

    Exit code 1, the system failed. Every reason against 0, most severe first:
      1, the system failed
        daemon/junk[not-hex]  service daemon ended by itself, by SIGSEGV
      6, the suite does not prove what it says
        butlers/quiet  \`nothing-executed\` asserts that something did not happen, but nothing proves that
        it would have been seen: add \`provenBy: <trial>\`
      7, something was left behind
        a process was left behind: sleep 1000

    Left behind
      process 4711: sleep 1000

    evidence          .shakedown/runs/20260301-021109-4f1c
    same seed         shakedown run --seed 7f3a
    the most severe   shakedown rerun latest 'daemon/junk[not-hex]'
    what failed only  shakedown run --last-failed"
  `);
});

test('nothing was selected', () => {
  const text = 'no trial has the tag `smoek`; there are: smoke, routing';
  const verdict = run([], { verdict: 'unknown', exitCode: 6, reasons: [{ exitCode: 6, text }] });
  expect(format(verdict)).toMatchInlineSnapshot(`
    "0 trials in 1 m 12 s: nothing was judged

    Exit code 6, the suite does not prove what it says
        no trial has the tag \`smoek\`; there are: smoke, routing

    evidence          .shakedown/runs/20260301-021109-4f1c
    same seed         shakedown run --seed 7f3a"
  `);
});

test('an exit code without a reason is still shown', () => {
  expect(format(run([], { exitCode: 130 }))).toContain('Exit code 130, it was interrupted');
});

test('a name is shown once, and the command is for the most severe failure', () => {
  const reasons = [
    { exitCode: 1, trial: 'late', text: 'late failed' },
    { exitCode: 6, trial: 'early', text: 'it is not known' },
  ] as const;
  const text = format(run([trial('early', 'unknown'), trial('late', 'failed')], { exitCode: 1, reasons }));
  expect(text).toContain('\n    late failed\n');
  expect(text).toContain('shakedown rerun latest late\n');
});

test('excess reasons are counted', () => {
  const reasons = Array.from(
    { length: 55 },
    (_, index) => ({ exitCode: 1, text: 'x', trial: `t${index}` }) as const,
  );
  expect(format(run([], { exitCode: 1, reasons }))).toMatch(
    / t39 {2}x\n {4}… and 15 more, all in verdict.json\n/,
  );
});

test('what it cost, what has no price, and where the budget ended', () => {
  const cost = (costUsd: number, input: number, output: number, unpriced: readonly string[] = []) => ({
    costUsd,
    unpriced,
    tokens: { input, output },
  });
  const verdict = run(
    [
      trial('butlers/headache', 'passed', cost(0.0021, 1_240, 130)),
      trial('butlers/routing', 'passed', cost(0.0102, 9_001, 700, ['tiny-1', 'own-model'])),
      trial('butlers/free', 'passed'),
      trial('butlers/last', 'unknown', {
        ...cost(0.000_05, 20, 3),
        cause: { kind: 'budget', text: '0.0122 of 0.0100 USD are spent' },
      }),
    ],
    { exitCode: 5, reasons: [{ exitCode: 5, text: 'the budget of the run is spent' }] },
  );
  const lines = format(verdict).split('\n');
  const from = lines.findIndex((line) => line.startsWith('cost '));
  expect(lines.slice(from, from + 8).join('\n')).toMatchInlineSnapshot(`
    "cost 0.0123 USD, 10,261 + 833 tokens, 2 models without price: own-model, tiny-1
        0.0102 USD  butlers/routing  9,001 + 700 tokens, not all of it priced
        0.0021 USD  butlers/headache  1,240 + 130 tokens
      0.000050 USD  butlers/last  20 + 3 tokens
      a budget allowed no more: 0.0122 of 0.0100 USD are spent (butlers/last); raise \`budget\`, or select
      fewer trials

    evidence          .shakedown/runs/20260301-021109-4f1c"
  `);
});

test('calls without usage are not models without a price', () => {
  const shown = (...unmetered: readonly number[]): string =>
    format(run(unmetered.map((count) => trial('a', 'passed', { unmetered: count })))).replaceAll(/\s+/g, ' ');
  const ask = '(a stream of chat completions reports it with `stream_options: { include_usage: true }`)';
  expect(shown(1)).toContain(
    `cost 0.0000 USD, 0 + 0 tokens, the usage of 1 call was not reported ${ask} 0.0000 USD a 0 + 0 tokens, not all of it priced`,
  );
  expect(shown(1, 2)).toContain(`the usage of 3 calls was not reported ${ask}`);
});

test('played calls are shown as if live', () => {
  const shown = (...paid: readonly number[]): string | undefined =>
    /^cost .*$/m.exec(
      format(run(paid.map((paidUsd) => trial('a', 'passed', { costUsd: 0.5, paidUsd })))),
    )?.[0];
  expect(shown(0, 0)).toBe('cost 1.0000 USD as if live, 0 + 0 tokens');
  expect(shown(0, 0.5)).toBe('cost 1.0000 USD as if live, 0.5000 USD of it paid, 0 + 0 tokens');
  expect(shown(0.5, 0.5)).toBe('cost 1.0000 USD, 0 + 0 tokens');
});

test('a run without a model says nothing about money', () => {
  expect(format(run([trial('a', 'passed')]))).not.toContain('cost');
});

test('of many trials the most expensive are shown', () => {
  const trials = Array.from({ length: 14 }, (_, index) =>
    trial(`t${index}`, 'passed', { costUsd: index + 1 }),
  );
  const text = format(run(trials));
  expect(text).toMatch(/cost 105\.0000 USD, .*\n {2}14\.0000 USD {2}t13 /);
  expect(text).toMatch(/ {2}t4 .*\n {2}… and 4 more/);
});

test('a reason names the checks of a trial, whose story is above; with --verbose it says everything', () => {
  const told = (id: string) =>
    ({ id, line: 1, verdict: 'failed', expected: '1', observed: '2', evidence: [] }) as const;
  const cause = { kind: 'check', text: 'stored: expected 1, observed 2' } as const;
  const failed = trial('a', 'failed', { cause, checks: ['stored', 'logged', 'c', 'd', 'e', 'f'].map(told) });
  const reason = { exitCode: 1, trial: 'a', text: 'a failed: stored: expected 1, observed 2' } as const;
  const verdict = run([failed], { exitCode: 1, reasons: [reason, reason] });
  expect(format(verdict)).toContain('the system failed\n    a failed: stored, logged, c, d and 2 more\n\n');
  expect(formatRun(verdict, { verbose: true }).join('\n')).toContain(
    `    ${reason.text}\n    ${reason.text}\n`,
  );
});
