/** Whatever a peer does is evidence: its own trial fails for the right cause, and no other trial is affected. */
import { expect, test } from 'vitest';
import { performTrials, trialsProject } from './harness/trials-project.ts';

const config = `isolation: shared
services:
  peer: { run: [node, services/misbehaves.mjs], listen: [{ env: PORT }, { env: LINE_PORT, name: line, scheme: tcp }] }`;

const good = 'steps: [{ http: GET peer/, expect: { status: 200, json: { ok: true } } }]';

/** What the peer does, and the cause that must be reported. */
const overHttp: Readonly<Record<string, RegExp>> = {
  hangs: /^step #1: expected 200, observed timeout: no answer from \S+ within 250 ms$/,
  closes: /observed closed: the connection was closed by \S+ before an answer came$/,
  'breaks-off': /observed reset: the connection was reset by \S+ \(ECONNRESET\) before an answer came$/,
  'no-http': /observed garbage: what \S+ answered is not HTTP: .*SSH-2\.0/,
  'no-json': /^step #1: expected a map, observed declared as JSON, but invalid/,
  'half-a-body': /in the middle of the answer: status 200, 9 bytes of its body$/,
  'too-late': /observed timeout: no answer from \S+ within 250 ms$/,
};

const overTcp: Readonly<Record<string, RegExp>> = {
  'says nothing': /^step said: .*timeout: 0 of 1 messages came within 250 ms$/,
  close: /closed: the connection was closed by the peer; 0 of 1 messages came$/,
  'break off': /reset: the connection was reset; 0 of 1 messages came$/,
  'talk nonsense':
    /garbage: newline-json: not-json: Unexpected token in JSON at position 0 .*; 0 of 1 messages came$/,
  'answer late': /timeout: 0 of 1 messages came within 250 ms$/,
};

function httpTrial(what: string): string {
  return `steps: [{ http: GET peer/${what}, timeout: 250ms, expect: { status: 200, json: { $type: object } } }]`;
}

function tcpTrial(what: string): string {
  return `steps:
  - { tcp: peer.line, codec: newline-json, as: line }
  - { on: line, send: { do: "${what}" }, receive: 1, timeout: 250ms, as: said }
checks: { answered: { exchange: said, expect: { received: [{ ok: true }] } } }`;
}

/** Numbered, so that a healthy trial follows each bad one. */
const bad = [
  ...Object.entries(overHttp).map(([what, cause]) => [`http-${what}`, httpTrial(what), cause] as const),
  ...Object.entries(overTcp).map(
    ([what, cause]) => [`tcp-${what.replaceAll(' ', '-')}`, tcpTrial(what), cause] as const,
  ),
].map(([id, text, cause], index) => ({ id: `${String(index + 10)}-${id}`, text, cause }));

const trials = Object.fromEntries(
  bad.flatMap(({ id, text }) => [
    [id, text],
    [`${id}-healthy`, good],
  ]),
);
trials['99-line-healthy'] = tcpTrial('answer');

test.each([
  ['shared', bad],
  ['fresh', bad.filter(({ id }) => /http-(?:hangs|half)|tcp-(?:says|break)/.test(id))],
] as const)('in %s environments, a bad peer fails its own trial and no other', async (isolation, chosen) => {
  const project = trialsProject(config, trials);
  const words = chosen.flatMap(({ id }) => [id, `${id}-healthy`]);
  const run = await performTrials(
    project,
    '--isolation',
    isolation,
    '--parallel',
    '1',
    ...words,
    '99-line-healthy',
  );
  expect(run.code, run.text).toBe(1);
  const failed = Object.keys(run.verdicts).filter((id) => run.verdicts[id] === 'failed');
  expect(failed).toEqual(chosen.map(({ id }) => id));
  expect(run.verdict.counts).toMatchObject({
    passed: chosen.length + 1,
    unknown: 0,
    executed: words.length + 1,
  });
  for (const { id, cause } of chosen) {
    expect(run.trial(id).cause).toEqual({ kind: 'step', text: expect.stringMatching(cause) });
    expect(run.text).toContain(`shakedown rerun ${run.verdict.run} ${id}`);
  }
  expect(run.verdict.reasons.every(({ exitCode }) => exitCode === 1)).toBe(true);
});

test('undecidable checks are unknown, answers that are too large are reported, mismatches fail, and nothing crashes', async () => {
  const project = trialsProject(config, {
    '1-runs-away': `steps: [{ http: GET peer/evil, as: page }]
checks: { letters: { exchange: page, expect: { json: { text: { $regex: "^(a+)+$" } } } } }`,
    '2-runs-away-at-once':
      'steps: [{ http: GET peer/evil, expect: { json: { text: { $regex: "^(a+)+$" } } } }]',
    '3-large': `steps: [{ http: GET peer/large, as: page, expect: { status: 200, bytes: { $gt: 1MB } } }]
checks:
  last: { exchange: page, expect: { json: { notes: { $contains: { id: 29999 } } } } }
  nothing-secret: { exchange: page, expect: { text: { $not: { $contains: password } } } }
  first: { exchange: page, expect: { text: { $contains: note number 0 } } }`,
    '4-chatters': `steps: [{ http: GET peer/chatters, timeout: 30s, expect: { status: 200 } }]
checks: { seen: { logs: peer, match: "^ERROR", expect: [{ text: ERROR after all that }] } }`,
    '5-misfit': `steps:
  - { http: GET peer/, as: page }
  - { http: GET peer/, as: more, expect: { status: { $gte: "\${page.json}" } } }`,
    '6-misfits': `steps: [{ http: GET peer/, as: page }]
checks:
  as-many: { logs: peer, count: "\${page.json}" }
  in-time: { exchange: page, expect: { text: { $regex: "\${page.json}" } }, within: 100ms }
  absent: { exchange: page, expect: { status: "\${page.json.status}" } }`,
    '7-healthy': good,
  });
  const run = await performTrials(project, '--parallel', '1');
  expect(run.code, run.text).toBe(1);
  expect(run.verdicts).toEqual({
    '1-runs-away': 'unknown',
    '2-runs-away-at-once': 'unknown',
    '3-large': 'unknown',
    '4-chatters': 'failed',
    '5-misfit': 'failed',
    '6-misfits': 'failed',
    '7-healthy': 'passed',
  });
  const limit = 'is unknown: the match stopped at its limit of 1048576 characters and 1000 ms for /^(a+)+$/';
  expect(run.trial('1-runs-away').cause).toEqual({ kind: 'suite', text: `\`letters\` ${limit}` });
  expect(run.trial('2-runs-away-at-once').cause).toEqual({ kind: 'suite', text: `\`step #1\` ${limit}` });
  const verdictsOf = (id: string) =>
    Object.fromEntries(run.trial(id).checks.map((check) => [check.id, check.verdict]));
  expect(verdictsOf('3-large')).toMatchObject({
    'step page': 'passed',
    last: 'unknown',
    'nothing-secret': 'unknown',
    first: 'unknown',
  });
  expect(run.trial('3-large').faults.map(({ text }) => text)).toEqual(
    ['last', 'nothing-secret', 'first'].map(
      (id) =>
        `\`${id}\` is unknown: the answer is longer than the 1 MB that are kept of it; ask for less, or check \`bytes\` and \`sha256\``,
    ),
  );
  expect(run.trial('4-chatters').cause).toEqual({
    kind: 'log',
    text: 'a new error line: peer: ERROR after all that',
  });
  expect(verdictsOf('4-chatters')).toMatchObject({ seen: 'passed', logs: 'failed' });
  expect(run.trial('5-misfit').cause?.text).toContain(
    'observed in the pattern, after its references were resolved: $gte has no order: { ok: true }',
  );
  expect(verdictsOf('6-misfits')).toMatchObject({
    'as-many': 'failed',
    'in-time': 'failed',
    absent: 'failed',
  });
});
