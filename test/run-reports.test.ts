/** A run writes the same result in three formats: for programs, and for the two kinds of CI systems. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { readProjectFile } from './harness/project-files.ts';
import { performTrials, trialsProject } from './harness/trials-project.ts';

const config = `isolation: shared
services:
  hall: { run: [node, services/meets-others.mjs], listen: { env: PORT }, env: { PLACE: "\${config.dir}" } }`;

const wrong = 'steps: [{ http: GET hall/, as: page, expect: { status: 404 } }]';

/** One of each verdict; run twice, so that there is an unstable one. */
const trials = {
  expected: `expectedFailure: { because: not built yet }\n${wrong}`,
  failed: `title: It is <not> there & "quoted"\ntags: [smoke]\ncovers: [REQ-1]\n${wrong}`,
  passed:
    'steps: [{ http: GET hall/, as: page }]\nchecks: { answers: { title: It answers, exchange: page, expect: { status: 200 } } }',
  skipped: `needs: [{ env: NOT_SET_ANYWHERE }]\n${wrong}`,
  unknown: 'steps: [{ http: GET hall/ }]',
  unstable: 'steps: [{ http: GET hall/turn?of=it, expect: { status: 200 } }]',
};

const verdicts = {
  expected: 'expected-failure',
  failed: 'failed',
  passed: 'passed',
  skipped: 'skipped',
  unknown: 'unknown',
  unstable: 'unstable',
};

test('verdict.json has its fields and no others, and junit.xml and ctrf.json agree with it', async () => {
  const project = trialsProject(config, trials);
  const { code, text, verdict, ...run } = await performTrials(project, '--repeat', '2', '--parallel', '1');
  expect(code, text).toBe(1);
  expect(run.verdicts).toEqual(verdicts);
  expect(verdict).toMatchObject({
    schemaVersion: 1,
    verdict: 'failed',
    exitCode: 1,
    revision: null,
    leaks: [],
  });
  expect(verdict.counts).toEqual({
    declared: 6,
    selected: 6,
    executed: 5,
    passed: 1,
    failed: 1,
    unknown: 1,
    skipped: 1,
    'expected-failure': 1,
    unstable: 1,
  });
  expect(verdict.reasons.map(({ exitCode, trial }) => [exitCode, trial])).toEqual([
    [1, 'failed'],
    [1, 'unstable'],
    [6, 'unknown'],
  ]);
  expectFields(verdict, run.trial('failed'), run.trial('passed'));

  const read = (name: string): string =>
    readFileSync(path.join(project.folder, '.shakedown/latest', name), 'utf8');
  expect(toldByJunit(read('junit.xml'))).toEqual({
    expected: 'skipped expected-failure',
    failed: 'failure step',
    passed: 'passed',
    skipped: 'skipped skipped',
    unknown: 'error unknown',
    unstable: 'failure unstable',
  });
  const { results } = JSON.parse(read('ctrf.json')) as Ctrf;
  expect(Object.fromEntries(results.tests.map(({ name, rawStatus }) => [name, rawStatus]))).toEqual(verdicts);
  expect(results.summary).toMatchObject({ tests: 6, passed: 1, failed: 2, skipped: 1, other: 2 });
  expect(results.extra).toMatchObject({ run: verdict.run, seed: verdict.seed, exitCode: 1 });
});

interface Ctrf {
  readonly results: {
    readonly tests: ReadonlyArray<{ readonly name: string; readonly rawStatus: string }>;
    readonly summary: Readonly<Record<string, number>>;
    readonly extra: object;
  };
}

function expectFields(verdict: object, failed: object, passed: { readonly checks: readonly object[] }): void {
  expect(Object.keys(verdict)).toEqual([
    ...['schemaVersion', 'tool', 'run', 'revision', 'configHash', 'seed', 'verdict', 'exitCode', 'reasons'],
    ...['counts', 'durationMs', 'trials', 'requirements', 'leaks'],
  ]);
  expect(Object.keys(failed).sort()).toEqual(
    [
      ...[
        'id',
        'title',
        'file',
        'line',
        'tags',
        'covers',
        'backend',
        'verdict',
        'cause',
        'attempts',
        'checks',
      ],
      ...['blame', 'durationMs', 'costUsd', 'paidUsd', 'unpriced', 'tokens', 'skipReason', 'repro'],
      ...['faults', 'folder'],
    ].sort(),
  );
  const [check = {}] = passed.checks;
  expect(Object.keys(check).sort()).toEqual(
    ['id', 'title', 'line', 'verdict', 'expected', 'observed', 'evidence'].sort(),
  );
  const page = readProjectFile('docs/reference/verdict.md');
  const omitted = [verdict, failed, check].flatMap((one) =>
    Object.keys(one).filter((field) => !page.includes(`\`${field}\``)),
  );
  expect(omitted).toEqual([]);
}

/** From trial to its element and type. */
function toldByJunit(xml: string): Readonly<Record<string, string>> {
  const parser = new XMLParser({
    ignoreAttributes: false,
    isArray: (name) => /^test(?:suite|case)$/.test(name),
  });
  const { testsuites } = parser.parse(xml) as {
    testsuites: {
      testsuite: ReadonlyArray<{ testcase: ReadonlyArray<Record<string, Record<string, string>>> }>;
    };
  };
  const cases = testsuites.testsuite.flatMap(({ testcase }) => testcase);
  return Object.fromEntries(
    cases.map((one) => {
      const element = ['failure', 'error', 'skipped'].find((name) => one[name] !== undefined);
      return [one['@_name'], element === undefined ? 'passed' : `${element} ${one[element]?.['@_type']}`];
    }),
  );
}
