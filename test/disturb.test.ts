/** Disturbances on an edge: the victim is hit, its reaction is judged, and a disturbance that hit no call proves nothing. */
import { expect, test } from 'vitest';
import { performTrials, trialsProject } from './harness/trials-project.ts';
import { nothing } from './harness/until.ts';

const config = `isolation: shared
resources: { model: { kind: model } }
services:
  agent:
    run: [node, services/asks-a-model.mjs]
    listen: { env: PORT }
    ready: { http: /health }
    env: { MODEL_URL: "\${model.url}", DEFECT: "\${env.DEFECT:-}" }`;

const streamed = `model: { agent: [{ says: "Voilà, all is well.", pieces: 4 }] }
steps:
  - { http: POST agent/ask, json: { text: hello, stream: true }, as: answer }`;

const cut = `cases:
  in-text: { at: { event: 3 }, by: fin }
  in-code-point: { at: { inside: "à" }, by: reset }
  before-the-end: { at: { event: finish }, by: fin }
  at-once: { at: { head: true }, by: reset }
${streamed}
disturb: [{ edge: agent -> model, crossing: 1, cut: "\${case}" }]
checks:
  told: { exchange: answer, expect: { status: 502 } }
  cut-off: { calls: agent -> model, expect: [{ turn: { complete: false } }] }
  blamed: { blame: { party: model, edge: agent -> model } }`;

test('an answer that is cut in transit is not an answer, wherever it is cut', async () => {
  const project = trialsProject(config, { cut });
  const run = await performTrials(project);
  expect(run.code, run.text).toBe(0);
  expect(run.verdict.counts.passed).toBe(4);
  const broken = await project.run(['run'], { env: { DEFECT: 'truncation-is-success' } });
  expect(broken.code, broken.output).toBe(1);
});

test('other answers, delays, other shapes and lost events', async () => {
  const project = trialsProject(config, {
    instead: `model: { agent: [] }
steps: [{ http: POST agent/ask, json: { text: hello }, as: answer }]
disturb: [{ edge: agent -> model, answer: { status: 429, headers: { retry-after: "3" }, json: { error: { message: slow down } } } }]
checks: { told: { exchange: answer, expect: { status: 429, json: { error: slow down } } } }`,
    late: `${streamed}
disturb: [{ edge: agent -> model, delay: { of: response, for: 300ms } }]
checks: { patient: { exchange: answer, expect: { status: 200, durationMs: { $gte: 290 } } } }`,
    shaped: `cases: { crlf: { shape: S05 }, comments: { shape: S08 }, in-one-piece: { shape: S03 } }
${streamed}
disturb: [{ edge: agent -> model, shape: "\${case.shape}" }]
checks: { same: { calls: agent -> model, expect: [{ turn: { complete: true, text: "Voilà, all is well." } }] }, answered: { exchange: answer, expect: { status: 200 } } }`,
    dropped: `${streamed}
disturb: [{ edge: agent -> model, drop: { event: 3 } }]
checks: { shorter: { calls: agent -> model, expect: [{ turn: { text: { $not: "Voilà, all is well." } } }] } }`,
  });
  const run = await performTrials(project);
  expect(run.code, run.text).toBe(0);
});

test('a shape that does not fit is a skip with its reason, and a plain one fits everywhere', async () => {
  const checks = 'checks: { answered: { exchange: answer, expect: { status: 200 } } }';
  const project = trialsProject(config, {
    plain: `${streamed}\ndisturb: [{ edge: agent -> model, shape: plain }]\n${checks}`,
    'calls-in-text': `${streamed}\ndisturb: [{ edge: agent -> model, shape: C08 }]\n${checks}`,
    'other-dialect': `model: { agent: [{ says: "Voilà.", shape: A16 }] }
steps: [{ http: POST agent/ask, json: { text: hello, stream: true }, as: answer }]\n${checks}`,
    'wrong-too': `${streamed}\ndisturb: [{ edge: agent -> model, shape: C08 }]
checks: { answered: { exchange: answer, expect: { status: 201 } } }`,
  });
  const run = await performTrials(project, 'plain', 'calls-in-text', 'other-dialect');
  expect(run.code, run.text).toBe(0);
  expect(run.trial('plain').verdict).toBe('passed');
  for (const id of ['calls-in-text', 'other-dialect']) {
    const { verdict, skipReason } = run.trial(id);
    expect([verdict, skipReason]).toEqual([
      'skipped',
      expect.stringMatching(/the shape (?:C08|A16) .*does not fit/),
    ]);
  }
  expect(run.text).toContain('does not fit');
  const forbidden = await project.run(['run', '--no-skips', 'plain', 'calls-in-text']);
  expect(forbidden.code, forbidden.output).toBe(6);
  const wrong = await project.run(['run', 'wrong-too']);
  expect(wrong.code, wrong.output).toBe(1);
});

test('a disturbance that never hit a call makes the trial unknown', async () => {
  const project = trialsProject(config, {
    unfelt: `${streamed}
disturb: [{ edge: agent -> model, crossing: 2, cut: { at: { event: 2 } } }]
checks: { answered: { exchange: answer, expect: { status: 200 } } }`,
  });
  const run = await performTrials(project);
  expect(run.code, run.text).toBe(6);
  expect(run.trial('unfelt')).toMatchObject({ verdict: 'unknown', faults: [{ kind: 'unfelt-disturbance' }] });
  expect(run.text).toContain('agent -> model');
});

test('the disturbances of an attempt end with it, also when it was given up', async () => {
  const project = trialsProject(config, {
    '1-given-up': `${streamed}
timeout: 1s
disturb: [{ edge: agent -> model, hold: { at: { head: true } } }]
checks: { answered: { exchange: answer, expect: { status: 200 } } }`,
    '2-after-it': `${streamed}
checks: { answered: { exchange: answer, expect: { status: 200 } } }`,
  });
  const up = await project.run(['up', '--detach']);
  expect(up.code, up.output).toBe(0);
  const first = await project.run(['run', '--attach', '1-given-up']);
  expect(first.code, first.output).toBe(1);
  const second = await project.run(['run', '--attach', '2-after-it']);
  expect(second.code, second.output).toBe(0);
  await project.run(['down']);
  expect(project.left()).toEqual(nothing);
});

test('a disturbance of several exchanges hits all of them, or proves nothing', async () => {
  const project = trialsProject(config, {
    seldom: `model: { agent: [] }
steps: [{ http: POST agent/ask, json: { text: hello }, as: answer }]
disturb: [{ edge: agent -> model, crossing: [1, 2, 3], answer: { status: 429, json: { error: { message: slow } } } }]
checks: { told: { exchange: answer, expect: { status: 429 } } }`,
  });
  const run = await performTrials(project);
  expect(run.code, run.text).toBe(6);
  expect(run.trial('seldom').faults).toMatchObject([{ kind: 'unfelt-disturbance' }]);
});
