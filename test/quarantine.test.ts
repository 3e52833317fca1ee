/** Quarantine: a flaky failure does not fail the run until a set day, is still reported, and excuses nothing else. */
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Project } from './harness/project.ts';
import { latestVerdict, performTrials, trialsProject, unfolded } from './harness/trials-project.ts';

const config = `isolation: shared
services:
  web: { run: [node, services/does-as-told.mjs], listen: { env: PORT } }
gates:
  release: { quarantine: forbid }`;

const two = (expected: number) => `steps: [{ http: GET web/, as: page }]
checks:
  created: { exchange: page, expect: { status: 201 } }
  root: { exchange: page, expect: { json: { path: ${expected === 1 ? '/' : '/x'} } } }`;

function quarantine(...entries: readonly string[]): Record<string, string> {
  const lines = entries.map((entry) => `  - { ${entry} }\n`).join('');
  return { 'shakedown/quarantine.yaml': `entries:\n${lines}` };
}

const rest = 'owner: ada, reason: "it races, TICKET-7", until: 2999-01-01';

test('a failure in quarantine fails no run, and is reported everywhere; nothing else is excused', async () => {
  const trials = {
    good: 'steps: [{ http: GET web/, expect: { status: 200 } }]',
    whole: two(1),
    'one-check': two(1),
    cases:
      'cases: { a: { to: 201 }, b: { to: 200 } }\nsteps: [{ http: GET web/, expect: { status: "${case.to}" } }]',
  };
  const entries = [
    `trial: whole, ${rest}`,
    `trial: one-check, check: created, ${rest}`,
    `trial: cases, ${rest}`,
  ];
  const project = trialsProject(config, trials, quarantine(...entries));
  const { code, text, verdict, verdicts, trial } = await performTrials(project);
  expect(code, text).toBe(0);
  expect(verdicts).toEqual({
    good: 'passed',
    whole: 'unstable',
    'one-check': 'unstable',
    'cases[a]': 'unstable',
    'cases[b]': 'passed',
  });
  expect(verdict).toMatchObject({
    verdict: 'passed',
    exitCode: 0,
    reasons: [],
    counts: { passed: 2, failed: 0, unstable: 3, quarantined: 3 },
  });
  expect(trial('whole')).toMatchObject({
    cause: { kind: 'check', text: 'created: expected 201, observed 200' },
    quarantined: { owner: 'ada', reason: 'it races, TICKET-7', until: '2999-01-01', verdict: 'failed' },
  });
  expect(verdict.quarantine?.find((entry) => entry.trial === 'cases')).toMatchObject({
    line: 4,
    isExpired: false,
    isStale: false,
    trials: [
      { id: 'cases[a]', verdict: 'unstable' },
      { id: 'cases[b]', verdict: 'passed' },
    ],
  });
  expect(text).toContain('~ whole failed in quarantine after');
  expect(text).toContain('in quarantine until 2999-01-01, owned by ada: it races, TICKET-7');
  expect(text).toContain('5 trials in');
  expect(text).toContain('2 passed, 3 failed in quarantine');
  expect(text).toContain('one-check, created failed until 2999-01-01, ada: it races, TICKET-7');
  expect(text).toContain('cases 1 of 2 failed, 1 of 2 passed');

  expect(reports(project)).toEqual({
    junit: expect.stringMatching(
      /name="whole"[^>]*>\s*<skipped message="failed in quarantine until 2999-01-01 \(ada: it races, TICKET-7\): created: expected 201, observed 200[^"]*" type="quarantined"/,
    ),
    ctrf: expect.objectContaining({ status: 'other', rawStatus: 'unstable', flaky: true }),
  });
  const again = await project.run(['judge', '--json']);
  expect(JSON.parse(again.stdout), 'judged again, the quarantine is the one of then').toEqual(verdict);
  const listed = await project.run(['run', '--list', 'whole']);
  expect(listed.stdout).toContain('in quarantine until 2999-01-01 (ada)');
});

test('another check, a death, an error line, a timeout and a broken environment are not known flakes', async () => {
  const trials = {
    'other-check': two(2),
    complains: 'steps: [{ http: "GET web/print?line=ERROR%20out%20of%20cheese", expect: { status: 201 } }]',
    waits: 'timeout: 300ms\nsteps: [{ http: GET web/wait, expect: { status: 200 } }]',
    named: 'timeout: 300ms\nsteps: [{ http: GET web/wait, expect: { status: 200 } }]',
    unproven: 'steps: [{ http: GET web/ }]\nchecks: { none: { logs: web, count: 0 } }',
    zdies: 'steps: [{ http: GET web/end, expect: { status: 200 } }]',
  };
  const entries = Object.keys(trials).map((trial) => `trial: ${trial}, ${rest}`);
  const project = trialsProject(
    config,
    trials,
    quarantine(
      ...entries.filter((entry) => !entry.includes('other-check')),
      `trial: other-check, check: created, ${rest}`,
      `trial: named, check: timeout, ${rest}`,
    ),
  );
  const { code, text, verdict, verdicts } = await performTrials(project, '--parallel', '1');
  expect(code, text).toBe(1);
  expect(verdicts).toEqual({
    'other-check': 'failed',
    complains: 'failed',
    waits: 'failed',
    named: 'unstable',
    unproven: 'unknown',
    zdies: 'failed',
  });
  expect(verdict.reasons.map(({ exitCode, trial: id }) => [exitCode, id])).toEqual([
    [1, 'complains'],
    [1, 'other-check'],
    [1, 'waits'],
    [1, 'zdies'],
    [6, 'unproven'],
  ]);
  const bailed = await performTrials(project, '--parallel', '1', '--bail', 'named', 'waits');
  expect(bailed.verdicts, 'a failure in quarantine does not end a run with --bail').toEqual({
    named: 'unstable',
    waits: 'failed',
  });
});

test('an expired entry and a gate that forbids quarantine fail the run with 6, and excuse nothing', async () => {
  const good = 'steps: [{ http: GET web/, expect: { status: 200 } }]';
  const bad = 'steps: [{ http: GET web/, expect: { status: 201 } }]';
  const project = trialsProject(
    config,
    { good, bad, other: good },
    quarantine(
      `trial: good, ${rest.replace('2999', '2020')}`,
      `trial: bad, ${rest}`,
      `trial: other, ${rest.replace('2999', '2021')}`,
    ),
  );
  const expired = await performTrials(project, 'good', 'bad');
  expect(expired.code, expired.text).toBe(6);
  expect(expired.verdicts).toEqual({ good: 'passed', bad: 'unstable' });
  expect(expired.verdict.reasons).toEqual([
    {
      exitCode: 6,
      text: 'the quarantine of good expired on 2020-01-01 (ada): correct the trial or the system, or give it a new day in shakedown/quarantine.yaml:2',
    },
  ]);
  expect(expired.text).toContain('good expired, passed');
  expect(expired.text, 'of a trial that was not selected it is told').toContain(
    'other expired, not selected',
  );
  expect(reports(project).junit).toContain('<error message="the quarantine of good expired on 2020-01-01');

  const forbidden = await performTrials(project, '--gate', 'release', 'bad');
  expect(forbidden.code, forbidden.text).toBe(1);
  expect(forbidden.verdicts).toEqual({ bad: 'failed' });
  expect(forbidden.text).toContain(
    'bad is in quarantine (ada, until 2999-01-01), and this gate forbids that: shakedown/quarantine.yaml:3',
  );
});

test('an entry that has held in its last twenty runs is reported for removal', async () => {
  const project = trialsProject(
    config,
    { good: 'steps: [{ http: GET web/, expect: { status: 200 } }]' },
    quarantine(`trial: good, ${rest}`),
  );
  const first = await performTrials(project);
  expect(first.code, first.text).toBe(0);
  expect(first.text).not.toContain('remove it');
  repeatStoredRun(project, 18);
  const { code, text, verdict } = await performTrials(project);
  expect(code).toBe(0);
  expect(verdict.quarantine).toMatchObject([{ trial: 'good', heldInARow: 19, isStale: true }]);
  expect(text).toContain('it has held in its last 20 runs: remove it from shakedown/quarantine.yaml:2');
});

test.each<[what: string, files: Record<string, string>, shown: readonly string[]]>([
  [
    'a trial that does not exist',
    quarantine(`trial: goood, ${rest}`),
    [
      'error[trial.unknown-trial]',
      'quarantine.yaml:2:14',
      '^^^^^',
      '`goood` is in quarantine, and there is no such trial',
      'did you mean `good`?',
    ],
  ],
  [
    'a check that does not exist, twice the same, and one that ends before it begins',
    quarantine(
      `trial: good, check: logz, ${rest}`,
      `trial: good, check: logs, ${rest}`,
      `trial: good, check: logs, since: 3000-01-01, ${rest}`,
    ),
    [
      'the trial has no check `logz`',
      'did you mean `logs`?',
      '`good` is in quarantine already',
      'it ends on 2999-01-01, before it began on 3000-01-01',
    ],
  ],
  [
    'no owner, no reason, no day',
    quarantine('trial: good'),
    [
      '`entries[0]` has no `owner`',
      '`entries[0]` has no `reason`',
      '`entries[0]` has no `until`',
      '`until`: a day such as 2026-08-01',
    ],
  ],
  [
    'a day that is none, and a key that is none',
    quarantine('trial: good, owner: ada, reason: x, until: 2026-02-30, sinse: 2026-01-01'),
    [
      '`entries[0].until` is "2026-02-30"',
      'a day that is in the calendar',
      '`sinse` is not a key of `entries[0]`',
      'did you mean `since`?',
    ],
  ],
  [
    'a trial that is expected to fail already',
    quarantine(`trial: known, ${rest}`),
    ['error[trial.contradiction]', '`known` has `expectedFailure`, and is in quarantine'],
  ],
  [
    'no YAML',
    { 'shakedown/quarantine.yaml': 'entries: [\n' },
    ['error[quarantine.syntax]', 'quarantine.yaml:1:'],
  ],
  [
    'a list where a map belongs',
    { 'shakedown/quarantine.yaml': '- trial: good\n' },
    ['error[config.wrong-type]', 'the quarantine: a map with the keys entries'],
  ],
])('bad quarantine is refused with 2 before anything starts: %s', async (_, files, shown) => {
  const project = trialsProject(
    config,
    {
      good: 'steps: [{ http: GET web/, expect: { status: 200 } }]',
      known: 'expectedFailure: { because: x }\nsteps: [{ http: GET web/, expect: { status: 201 } }]',
    },
    files,
  );
  const { code, output } = await project.run(['run']);
  expect(code, output).toBe(2);
  for (const text of shown) expect(unfolded(output)).toContain(text);
  expect(readdirSync(project.folder)).not.toContain('.shakedown');
});

/** Copies of the newest run, each a little older. */
function repeatStoredRun(project: Project, times: number): void {
  const runs = path.join(project.folder, '.shakedown/runs');
  const { run } = latestVerdict(project).verdict;
  for (let count = 1; count <= times; count += 1) {
    const copy = path.join(runs, `20200101-0000${String(count).padStart(2, '0')}-copy`);
    mkdirSync(copy);
    for (const file of ['plan.json', 'verdict.json'])
      cpSync(path.join(runs, run, file), path.join(copy, file));
  }
}

function reports(project: Project): { readonly junit: string; readonly ctrf: unknown } {
  const read = (name: string): string =>
    readFileSync(path.join(project.folder, '.shakedown/latest', name), 'utf8');
  const { results } = JSON.parse(read('ctrf.json')) as { results: { tests: { name: string }[] } };
  return { junit: read('junit.xml'), ctrf: results.tests.find(({ name }) => name === 'whole') };
}
