import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import type { CheckVerdict, RunVerdict, TrialVerdict, Verdict } from '../../checks/verdict.ts';
import { ctrfJson } from './ctrf-json.ts';
import { junitXml } from './junit-xml.ts';

function trial(id: string, verdict: Verdict, over: Partial<TrialVerdict> = {}): TrialVerdict {
  return {
    id,
    file: 'trials/butlers.trial.yaml',
    line: 3,
    tags: ['smoke'],
    covers: ['MSG-012'],
    backend: null,
    verdict,
    cause: null,
    attempts: 1,
    checks: [],
    blame: null,
    durationMs: 1_234.5,
    costUsd: 0,
    unpriced: [],
    tokens: { input: 0, output: 0 },
    skipReason: null,
    repro: `shakedown rerun latest ${id}`,
    faults: [],
    folder: `trials/${id}`,
    ...over,
  };
}

function run(trials: readonly TrialVerdict[], over: Partial<RunVerdict> = {}): RunVerdict {
  const counts = { passed: 0, failed: 0, unknown: 0, skipped: 0, 'expected-failure': 0, unstable: 0 };
  return {
    schemaVersion: 1,
    tool: 'shakedown 0.1.0',
    run: '20260301-021109-4f1c',
    revision: '9fceb02',
    configHash: 'c0ffee',
    seed: '7f3a',
    verdict: 'failed',
    exitCode: 1,
    reasons: [],
    counts: { ...counts, declared: trials.length, selected: trials.length, executed: trials.length },
    durationMs: 8_000,
    trials,
    requirements: [],
    leaks: [],
    ...over,
  };
}

const stored: CheckVerdict = {
  id: 'stored',
  line: 41,
  verdict: 'failed',
  expected: '7',
  observed: '6',
  explanation: 'expected  7\nobserved  6\nat        $[0].severity',
  evidence: [7],
};

const sample = run(
  [
    trial('butlers/headache', 'passed'),
    trial('butlers/<odd> & "quoted"', 'failed', {
      cause: { kind: 'check', text: 'stored: expected 7, observed 6' },
      checks: [stored],
    }),
    trial('butlers/quiet', 'unknown', {
      cause: { kind: 'environment', text: 'health did not restart' },
      file: 'trials/quiet.trial.yaml',
    }),
    trial('butlers/image', 'skipped', { skipReason: 'docker is not here', durationMs: 0 }),
    trial('butlers/clamp', 'expected-failure', {
      cause: { kind: 'check', text: 'clamp: expected 7, observed 6' },
    }),
    trial('butlers/live', 'unstable', { attempts: 5 }),
    trial('butlers/empty', 'passed', { faults: [{ kind: 'no-check', text: 'it checks nothing' }] }),
  ],
  {
    reasons: [
      { exitCode: 7, text: 'left behind: sleep 1000' },
      { exitCode: 1, trial: 'a', text: 'failed' },
    ],
  },
);

test('junit: one test case for each trial, the story as its text, what belongs to no trial as well', () => {
  expect(junitXml(sample)).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="shakedown" tests="8" failures="2" errors="3" time="8.000">
      <testsuite name="trials/butlers.trial.yaml" file="trials/butlers.trial.yaml" tests="6" failures="2" errors="1" skipped="2" time="6.173">
        <properties>
          <property name="run" value="20260301-021109-4f1c"/>
          <property name="seed" value="7f3a"/>
          <property name="revision" value="9fceb02"/>
        </properties>
        <testcase name="butlers/headache" classname="trials/butlers.trial.yaml" time="1.234"/>
        <testcase name="butlers/&lt;odd&gt; &amp; &quot;quoted&quot;" classname="trials/butlers.trial.yaml" time="1.234">
          <failure message="stored: expected 7, observed 6" type="check">✗ butlers/&lt;odd&gt; &amp; &quot;quoted&quot;  failed after 1.23 s: stored: expected 7, observed 6
      trials/butlers.trial.yaml:3

      What was expected, and what was seen
        ✗ stored (line 41)
            expected  7
            observed  6
            at        $[0].severity

      See it again
        shakedown rerun latest butlers/&lt;odd&gt; &amp; &quot;quoted&quot;
        everything that was seen: trials/butlers/&lt;odd&gt; &amp; &quot;quoted&quot;
    </failure>
        </testcase>
        <testcase name="butlers/image" classname="trials/butlers.trial.yaml" time="0.000">
          <skipped message="docker is not here" type="skipped"></skipped>
        </testcase>
        <testcase name="butlers/clamp" classname="trials/butlers.trial.yaml" time="1.234">
          <skipped message="failed as expected: clamp: expected 7, observed 6" type="expected-failure"></skipped>
        </testcase>
        <testcase name="butlers/live" classname="trials/butlers.trial.yaml" time="1.234">
          <failure message="it held only in some attempts" type="unstable">✗ butlers/live  held only in some attempts, in 5 attempts, 1.23 s
      trials/butlers.trial.yaml:3

      See it again
        shakedown rerun latest butlers/live
        everything that was seen: trials/butlers/live
    </failure>
        </testcase>
        <testcase name="butlers/empty" classname="trials/butlers.trial.yaml" time="1.234">
          <error message="it checks nothing" type="no-check">! butlers/empty  1.23 s
        ! it checks nothing</error>
        </testcase>
      </testsuite>
      <testsuite name="trials/quiet.trial.yaml" file="trials/quiet.trial.yaml" tests="1" failures="0" errors="1" skipped="0" time="1.234">
        <properties>
          <property name="run" value="20260301-021109-4f1c"/>
          <property name="seed" value="7f3a"/>
          <property name="revision" value="9fceb02"/>
        </properties>
        <testcase name="butlers/quiet" classname="trials/quiet.trial.yaml" time="1.234">
          <error message="health did not restart" type="unknown">? butlers/quiet  unknown after 1.23 s: health did not restart</error>
        </testcase>
      </testsuite>
      <testsuite name="shakedown" tests="1" failures="0" errors="1" skipped="0" time="0.000">
        <properties>
          <property name="run" value="20260301-021109-4f1c"/>
          <property name="seed" value="7f3a"/>
          <property name="revision" value="9fceb02"/>
        </properties>
        <testcase name="run 1: exit code 7" classname="shakedown" time="0.000">
          <error message="left behind: sleep 1000" type="run">left behind: sleep 1000</error>
        </testcase>
      </testsuite>
    </testsuites>
    "
  `);
});

test('junit: the story on the terminal is the text', () => {
  const stories = new Map([['butlers/live', ['what was done', '  <then> this', 'se\0cr\uffffet']]]);
  // A forbidden character is replaced, not removed: the two sides were redacted separately.
  expect(junitXml(sample, stories)).toContain(
    '>what was done\n  &lt;then&gt; this\nse\\u0000cr\ufffdet</failure>',
  );
});

test('junit: elements and attributes are those of the schema that Jenkins reads', () => {
  const allowed: Readonly<Record<string, readonly string[]>> = {
    testsuites: ['name', 'time', 'tests', 'failures', 'errors'],
    testsuite: ['name', 'tests', 'failures', 'errors', 'time', 'skipped', 'file'],
    testcase: ['name', 'time', 'classname'],
    failure: ['type', 'message'],
    error: ['type', 'message'],
    skipped: ['type', 'message'],
    properties: [],
    property: ['name', 'value'],
  };
  const tags = [...junitXml(sample).matchAll(/<([a-z]+)((?: [a-z]+="[^"]*")*)\/?>/g)];
  expect(tags.length).toBeGreaterThan(20);
  for (const [, tag = '', attributes = ''] of tags) {
    const names = [...attributes.matchAll(/ ([a-z]+)="/g)].map(([, name]) => name);
    expect(allowed[tag]).toEqual(expect.arrayContaining(names));
    if (/^testsuites?$/.test(tag)) expect(attributes).toMatch(/ time="\d+\.\d{3}"/);
  }
});

test('junit: well-formed and complete for any output of a system', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 60 });
  const verdicts = fc.constantFrom<Verdict>(
    'passed',
    'failed',
    'unknown',
    'skipped',
    'expected-failure',
    'unstable',
  );
  const trials = fc
    .record({ id: texts, file: texts, verdict: verdicts, said: texts })
    .map(({ id, file, verdict, said }) =>
      trial(id, verdict, {
        file,
        cause: { kind: 'check', text: said },
        skipReason: said,
        checks: [{ ...stored, expected: said, observed: `]]>${said}`, explanation: said }],
      }),
    );
  const parser = new XMLParser({
    ignoreAttributes: false,
    isArray: (name) => name === 'testcase' || name === 'testsuite',
  });
  fc.assert(
    fc.property(fc.array(trials, { maxLength: 5 }), texts, (list, seed) => {
      const xml = junitXml(run(list, { seed, reasons: [{ exitCode: 70, text: seed }] }));
      expect(XMLValidator.validate(xml)).toBe(true);
      expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/u);
      const { testsuites } = parser.parse(xml) as { testsuites: { testsuite: { testcase: unknown[] }[] } };
      expect(testsuites.testsuite.flatMap(({ testcase }) => testcase)).toHaveLength(list.length + 1);
    }),
  );
});

test('junit: a run of which everything failed stays within what readers accept', () => {
  const story = ['x'.repeat(50_000)];
  const trials = Array.from({ length: 1_000 }, (_, index) => trial(`t${index}`, 'failed'));
  const xml = junitXml(run(trials), new Map(trials.map(({ id }) => [id, story])));
  expect(xml.length).toBeLessThan(20_000_000);
  expect(xml.match(/<failure /g)).toHaveLength(1_000);
});

const times = { startedAt: 1_772_331_069_000, stoppedAt: 1_772_331_077_000 };

test('ctrf: the whole report', () => {
  const { results, ...root } = JSON.parse(ctrfJson(sample, times));
  expect(root).toEqual({
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    timestamp: '2026-03-01T02:11:17.000Z',
    generatedBy: 'shakedown 0.1.0',
  });
  expect(results.tool).toEqual({ name: 'shakedown', version: '0.1.0' });
  expect(results.summary).toEqual({
    tests: 7,
    passed: 1,
    failed: 2,
    skipped: 1,
    pending: 0,
    other: 3,
    flaky: 1,
    suites: 2,
    start: times.startedAt,
    stop: times.stoppedAt,
    duration: 8_000,
  });
  expect(results.environment).toEqual({ commit: '9fceb02', healthy: false });
  expect(results.extra.reasons).toHaveLength(2);
});

test('ctrf: each trial with its status, its message, and its location', () => {
  const { tests } = JSON.parse(ctrfJson(sample, times, new Map([['butlers/quiet', ['the story']]]))).results;
  const shown = tests.map(({ status, rawStatus, message, flaky, retries }: Record<string, unknown>) =>
    [status, rawStatus, message, flaky, retries].join(' | '),
  );
  expect(shown).toMatchInlineSnapshot(`
    [
      "passed | passed |  | false | 0",
      "failed | failed | stored: expected 7, observed 6 | false | 0",
      "other | unknown | health did not restart | false | 0",
      "skipped | skipped | docker is not here | false | 0",
      "other | expected-failure | failed as expected: clamp: expected 7, observed 6 | false | 0",
      "failed | unstable | it held only in some attempts | true | 4",
      "other | passed | it checks nothing | false | 0",
    ]
  `);
  expect(tests[1]).toMatchObject({
    name: 'butlers/<odd> & "quoted"',
    duration: 1_235,
    filePath: 'trials/butlers.trial.yaml',
    line: 3,
    tags: ['smoke'],
    steps: [{ name: 'stored', status: 'failed' }],
    trace: expect.stringContaining('expected  7'),
    extra: { covers: ['MSG-012'], repro: 'shakedown rerun latest butlers/<odd> & "quoted"' },
  });
  expect(tests[2].trace).toBe('the story');
  expect(tests[0]).not.toHaveProperty('trace');
});

test('ctrf: invalid times are still numbers', () => {
  const odd = run([trial('a', 'passed', { durationMs: Number.NaN })], { durationMs: -1 });
  const { results } = JSON.parse(ctrfJson(odd, { startedAt: Number.NaN, stoppedAt: Number.NaN }));
  expect([results.summary.start, results.summary.duration, results.tests[0].duration]).toEqual([0, 0, 0]);
});

test('the party to blame is shown beside the cause, if one can be named', () => {
  const because = 'broke the relay chat: turn.usage was lost';
  const failed = (blame: TrialVerdict['blame']): RunVerdict =>
    run([
      trial('a', 'failed', { cause: { kind: 'check', text: 'usage: expected 13' }, blame, costUsd: 0.01 }),
    ]);
  const named = failed({ party: 'gateway', edge: 'agent -> gateway', rule: 3, because, evidence: [4] });
  expect(junitXml(named)).toContain(`message="usage: expected 13; gateway is to blame: ${because}"`);
  const [test] = JSON.parse(ctrfJson(named, { startedAt: 0, stoppedAt: 1 })).results.tests;
  expect(test).toMatchObject({
    message: `usage: expected 13; gateway is to blame: ${because}`,
    extra: { blame: { party: 'gateway', rule: 3 }, costUsd: 0.01, tokens: { input: 0, output: 0 } },
  });
  const nobody = failed({ party: null, rule: 5, because: 'it is not known', evidence: [] });
  expect(junitXml(nobody)).toContain('message="usage: expected 13"');
});
