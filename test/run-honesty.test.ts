/** A run that proves less than it claims does not pass: each case has a reason, and the right exit code. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { performTrials, trialsProject } from './harness/trials-project.ts';
import { nothing } from './harness/until.ts';

/** `web` calls `api` on request. */
const pair = `isolation: shared
services:
  web: { run: [node, services/does-as-told.mjs], listen: { env: PORT }, env: { NEIGHBOUR: "\${api.url}" }, after: [api] }
  api: { run: [node, services/does-as-told.mjs], listen: { env: PORT } }
gates:
  strict: { tags: [needy], skips: forbid }
  nearly: { tags: [needy], skips: { atMost: 0 } }
  lax: { tags: [needy], skips: { atMost: 1 } }`;

const good = 'steps: [{ http: GET web/, expect: { status: 200 } }]';

test('a trial that proves nothing is unknown, with its reason, and the run ends with 6', async () => {
  const visit = 'steps: [{ http: GET web/ }]';
  const project = trialsProject(pair, {
    good,
    calls: 'steps: [{ http: GET web/call }]\nchecks: { called: { calls: web -> api, count: 1 } }',
    proven: `${visit}\nchecks: { silent: { calls: web -> api, expect: [], provenBy: calls } }`,
    'no-check': visit,
    'nothing-sent':
      'steps: [{ quiet: true, as: q }]\nchecks: { quiet: { exchange: q, expect: { quiet: true } } }',
    'no-step': 'checks: { runs: { process: web, expect: { running: true } } }',
    unproven: `${visit}
checks:
  none: { calls: web -> api, expect: [] }
  no-line: { logs: web, never: [{ text: PANIC }] }
  all-of-none: { calls: web -> api, expect: { $each: { status: 200 } } }`,
    'wrong-twin': `${visit}\nchecks: { silent: { calls: web -> api, count: 0, provenBy: good } }`,
    'other-twin': `${visit}\nchecks: { silent: { logs: web, count: 0, provenBy: calls } }`,
    'unknown-twin': `${visit}\nchecks: { silent: { logs: web, count: 0, provenBy: no-check } }`,
    'skipped-twin': `${visit}\nchecks: { silent: { logs: web, count: 0, provenBy: skipped } }`,
    skipped: `needs: [{ env: NOT_SET_ANYWHERE }]\n${good}`,
    'no-such-form': `${visit}\nchecks: { stored: { files: web, as: "\${trial.id}", count: 1, within: 2m } }`,
  });
  const { code, verdict, verdicts, trial, text } = await performTrials(project);
  expect(code, text).toBe(6);
  expect(verdict).toMatchObject({ exitCode: 6, verdict: 'unknown', counts: { declared: 13, executed: 12 } });
  expect(Object.keys(verdicts).filter((id) => verdicts[id] !== 'unknown')).toEqual([
    'calls',
    'good',
    'proven',
    'skipped',
  ]);
  const reasons = Object.groupBy(verdict.reasons, ({ trial: id = '' }) => id);
  const shown = Object.fromEntries(
    Object.entries(reasons).map(([id, all]) => [
      id,
      all?.map((reason) => reason.text.replace(`${id}: `, '')),
    ]),
  );
  const unseen = (check: string, source: string) =>
    `\`${check}\` asserts that something did not happen, but nothing proves that it would have been seen: add \`provenBy: <trial>\` with a trial in which \`${source}\` shows something`;
  const nothingSent = 'nothing was sent to the system: no step of it reached a service';
  expect(shown).toEqual({
    'no-check': ['it checks nothing: add `checks`, or `expect` to a step'],
    'nothing-sent': [nothingSent],
    'no-step': [nothingSent],
    unproven: [
      unseen('none', 'calls web -> api'),
      unseen('no-line', 'logs web'),
      unseen('all-of-none', 'calls web -> api'),
    ],
    'wrong-twin': ['`silent` is proven by good, which observed nothing'],
    'other-twin': ['`silent` is proven by calls, which saw `calls web -> api`, but nothing in `logs web`'],
    'unknown-twin': ['`silent` is proven by no-check, which is unknown itself'],
    'skipped-twin': ['`silent` is proven by skipped, which was skipped'],
    'no-such-form': [
      '`stored` is unknown: `as` is "no-such-form" once it is filled in; allowed: text, json, yaml, markdown, xml, image or hash',
    ],
  });
  expect(trial('unproven').faults.map(({ kind }) => kind)).toEqual(Array(3).fill('absence-without-twin'));
  expect(trial('wrong-twin')).toMatchObject({
    cause: { kind: 'suite' },
    checks: expect.arrayContaining([expect.objectContaining({ id: 'silent', verdict: 'unknown' })]),
  });
  // A check that can never match because of a mistake in the trial is not waited for: the trial would time out.
  expect(trial('no-such-form').cause?.kind).toBe('suite');
  expect(text).toContain('Exit code 6, the suite does not prove what it says');
  expect(text).toContain('no-check: it checks nothing: add `checks`, or `expect` to a step');
});

test('a failing trial is failed, not skipped or unknown, and does not affect others', async () => {
  const print = 'GET web/print?line=ERROR%20out%20of%20cheese';
  const allow = (service: string) =>
    `steps: [{ http: "${print}", expect: { status: 200 } }]
logs: { allow: [{ service: ${service}, match: out of cheese, because: it is a cheese shop }] }`;
  const project = trialsProject(pair, {
    '01-too-long': 'timeout: 400ms\nsteps: [{ http: GET web/wait, expect: { status: 200 } }]',
    '02-good': good,
    '03-step-too-long': 'steps: [{ http: GET web/wait, timeout: 100ms, expect: { status: 200 } }]',
    '04-good': good,
    '05-complains': `steps: [{ http: "${print}", expect: { status: 200 } }]`,
    '06-good': good,
    '07-may-complain': allow('web'),
    '08-another-may': allow('api'),
    '09-ends': 'steps: [{ http: GET api/end, expect: { error: { kind: { $any: [closed, reset] } } } }]',
    '10-good': 'steps: [{ http: GET web/call, expect: { status: 200 } }]',
    '11-known': `expectedFailure: { because: ticket 7, checks: [created] }
steps: [{ http: GET web/, as: page }]
checks: { created: { exchange: page, expect: { status: 201 } } }`,
    '12-known-otherwise': `expectedFailure: { because: ticket 7, checks: [created] }
steps: [{ http: GET web/, as: page }]
checks: { created: { exchange: page, expect: { status: 201 } }, json: { exchange: page, expect: { json: { path: /x } } } }`,
    '13-known-no-more': `expectedFailure: { because: ticket 7 }\n${good}`,
  });
  const { code, verdict, verdicts, trial, text } = await performTrials(project, '--parallel', '1');
  expect(code, text).toBe(1);
  expect(verdicts).toEqual({
    '01-too-long': 'failed',
    '02-good': 'passed',
    '03-step-too-long': 'failed',
    '04-good': 'passed',
    '05-complains': 'failed',
    '06-good': 'passed',
    '07-may-complain': 'passed',
    '08-another-may': 'failed',
    '09-ends': 'failed',
    '10-good': 'passed',
    '11-known': 'expected-failure',
    '12-known-otherwise': 'failed',
    '13-known-no-more': 'failed',
  });
  expect(verdict.trials.flatMap(({ cause }) => (cause ? [cause] : []))).toEqual([
    { kind: 'timeout', text: 'the attempt had not ended after 400 ms' },
    { kind: 'step', text: expect.stringMatching(/observed timeout: no answer from .* within 100 ms$/) },
    { kind: 'log', text: 'a new error line: web: ERROR out of cheese' },
    { kind: 'log', text: 'a new error line: web: ERROR out of cheese' },
    { kind: 'death', text: 'service api ended by itself, with 9' },
    { kind: 'check', text: 'created: expected 201, observed 200' },
    {
      kind: 'check',
      text: expect.stringMatching(/^json: .*it is not among the failures that are expected$/),
    },
    {
      kind: 'expected-failure-passed',
      text: 'it was expected to fail (ticket 7) but passes now: remove `expectedFailure`',
    },
  ]);
  expect(trial('05-complains').checks.find(({ id }) => id === 'logs')?.explanation).toContain(
    'add it to `logs: { allow: [{ service, match, because }] }`',
  );
  expect(text).toContain('~ 11-known failed as expected after');
  expect(text).toContain('13 trials in');
  expect(text).toContain('5 passed, 7 failed, 1 failed as expected');
  const { code: asExpected } = await performTrials(project, '11-known');
  expect(asExpected).toBe(0);
});

test('a twin that was not selected is included automatically', async () => {
  const project = trialsProject(pair, {
    good,
    calls: 'steps: [{ http: GET web/call }]\nchecks: { called: { calls: web -> api, count: 1 } }',
    proven:
      'steps: [{ http: GET web/ }]\nchecks: { silent: { calls: web -> api, expect: [], provenBy: calls } }',
  });
  const { stdout } = await project.run(['run', 'proven', '--list']);
  expect(stdout).toMatch(/calls\n.*included as a twin/);
  expect(existsSync(path.join(project.folder, '.shakedown'))).toBe(false);
  const { code, verdicts } = await performTrials(project, 'proven');
  expect([code, verdicts]).toEqual([0, { calls: 'passed', proven: 'passed' }]);
});

test('a skip is reported with its reason, and where skips are forbidden the run ends with 6', async () => {
  const project = trialsProject(pair, {
    here: `tags: [needy]\n${good}`,
    needy: `tags: [needy]\nneeds: [{ env: NOT_SET_ANYWHERE }, docker]\n${good}`,
  });
  const because = 'needs the environment variable NOT_SET_ANYWHERE';
  const allowed = await performTrials(project);
  expect([allowed.code, allowed.verdicts]).toEqual([0, { here: 'passed', needy: 'skipped' }]);
  expect(allowed.trial('needy')).toMatchObject({ skipReason: because, attempts: 0, durationMs: 0 });
  expect(allowed.text).toContain(`Skipped ${because}: needy`);
  const forbidden = `needy was skipped (${because}), and no skip is allowed here`;
  for (const args of [['--no-skips'], ['--gate', 'strict'], ['--gate', 'nearly']]) {
    const { code, verdict, text } = await performTrials(project, ...args);
    expect([code, verdict.reasons]).toEqual([6, [{ exitCode: 6, trial: 'needy', text: forbidden }]]);
    expect(text).toContain(forbidden);
  }
  expect((await performTrials(project, '--gate', 'lax')).code).toBe(0);
  const alone = await performTrials(project, 'needy');
  expect([alone.code, alone.verdict.reasons[0]?.text]).toEqual([
    6,
    `every trial was skipped; the first: needy: ${because}`,
  ]);
});

test('selecting nothing shows nothing', async () => {
  const project = trialsProject(pair, { good });
  const none = await project.run(['run', '--tag', 'smoke', '--json']);
  expect(none.code).toBe(6);
  expect(JSON.parse(none.stdout)).toMatchObject({
    errors: [{ code: 'suite.nothing-selected', what: 'none of 1 trials is selected by the tags smoke' }],
  });
  const unset = await project.run(['run', '']);
  expect([unset.code, unset.stderr]).toEqual([2, expect.stringContaining('an argument is empty')]);
  const empty = trialsProject(pair, {});
  const result = await empty.run(['run']);
  expect(result.code).toBe(6);
  expect(result.stderr).toContain('the system has no trial');
  for (const { folder, left } of [project, empty]) {
    expect(existsSync(path.join(folder, '.shakedown'))).toBe(false);
    expect(left()).toEqual(nothing);
  }
});

test('a trial that was declared and never run is reported with the reason', async () => {
  const broken = trialsProject(
    'services: { web: { run: [node, services/exits-at-once.mjs], listen: { env: PORT } } }',
    { one: good, two: good },
  );
  const notBooted = await performTrials(broken);
  expect(notBooted.code).toBe(3);
  expect(notBooted.verdicts).toEqual({ one: 'unknown', two: 'unknown' });
  expect(notBooted.verdict.reasons).toEqual([
    { exitCode: 3, text: expect.stringContaining('service web') },
    { exitCode: 6, text: '2 trials were never performed because no environment was available: one, two' },
  ]);
  expect(notBooted.trial('one')).toMatchObject({
    cause: { kind: 'environment', text: 'it was never performed' },
    faults: [{ kind: 'never-executed' }],
    attempts: 0,
    folder: null,
  });
  expect(notBooted.text).toContain('FATAL cannot read /etc/licence: no such file');

  const project = trialsProject(pair, {
    '1-good': good,
    '2-bad': 'steps: [{ http: GET web/, expect: { status: 201 } }]',
    '3-never': good,
  });
  const bailed = await performTrials(project, '--bail', '--parallel', '1');
  expect([bailed.code, bailed.verdicts]).toEqual([
    1,
    { '1-good': 'passed', '2-bad': 'failed', '3-never': 'unknown' },
  ]);
  expect(bailed.verdict.reasons.map(({ exitCode, text }) => [exitCode, text])).toEqual([
    [1, '2-bad failed: step #1: expected 201, observed 200'],
    [6, expect.stringMatching(/^one trial was never performed after the first failure.*: 3-never$/)],
  ]);
});

test('a failed twin is reported once, with all trials that depend on it', async () => {
  const rests = `${good}\nchecks: { silent: { logs: web, match: PANIC, count: 0, provenBy: twin } }`;
  const project = trialsProject(pair, {
    twin: 'steps: [{ http: GET web/, expect: { status: 404 } }]',
    one: rests,
    other: rests,
  });
  const { verdict, verdicts, text } = await performTrials(project);
  expect(verdicts).toEqual({ twin: 'failed', one: 'unknown', other: 'unknown' });
  const reasons = verdict.reasons.filter(({ exitCode }) => exitCode === 6).map((reason) => reason.text);
  expect(reasons, text).toEqual([
    '2 trials are unknown, because twin, which proves what they say is absent, failed: one, other',
  ]);
});

test('checks on a log that a service truncates, removes or replaces are unknown', async () => {
  const visit = (how: string) => `steps: [{ http: GET web/${how}, expect: { status: 200 } }]`;
  const project = trialsProject(
    'isolation: shared\nsecrets: [API_KEY]\nservices: { web: { run: [node, web.mjs], listen: { env: PORT }, ready: { http: / } } }',
    { a: visit('emptied'), aa: visit('long'), b: visit('quiet'), c: visit('piped'), d: visit('quiet') },
    {
      'web.mjs': `import { execSync } from 'node:child_process';
import http from 'node:http';
const ways = { '/emptied': 'echo done > /dev/stdout', '/long': 'truncate -s 2T $(readlink /proc/$$/fd/1)', '/piped': 'L=$(readlink /proc/$$/fd/1); rm "$L"; mkfifo "$L"' };
http.createServer((request, response) => {
  if (ways[request.url]) console.log('ERROR nobody reads this');
  if (ways[request.url]) execSync(ways[request.url], { stdio: 'inherit' });
  response.end();
}).listen(process.env.PORT, '127.0.0.1');`,
    },
  );
  const { code, text, verdicts, trial } = await performTrials(project, '--parallel', '1');
  expect(code, text).toBe(6);
  expect(project.left()).toEqual(nothing);
  // A lost log stays lost as long as the service runs.
  expect(verdicts).toEqual({ a: 'unknown', aa: 'unknown', b: 'passed', c: 'unknown', d: 'unknown' });
  expect(trial('aa').cause?.text).toMatch(/the log of web was lost: \S+ has a hole of at least \d+ bytes/);
  expect(trial('a').cause?.text).toContain('the log of web was lost: it was emptied or rewritten');
  expect(trial('c').cause?.text).toContain(
    'the log of web was lost: it is gone, or is no longer a plain file',
  );
});
