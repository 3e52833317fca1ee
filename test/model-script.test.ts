/** A model that is scripted on the wire: the system receives what the script says, and every call must have its line. */
import { expect, test } from 'vitest';
import { performTrials, trialsProject, unfolded } from './harness/trials-project.ts';

const config = `isolation: shared
resources: { model: { kind: model, prices: { model-a: { input: 10, output: 100 } } } }
services:
  agent:
    run: [node, services/asks-a-model.mjs]
    listen: { env: PORT }
    ready: { http: /health }
    env: { MODEL_URL: "\${model.url}", MODEL_KEY: "\${model.key}", TOOLS_URL: "\${tools.url}" }
  tools: { run: [node, services/adds-numbers.mjs], listen: { env: PORT }, ready: { tcp: true } }`;

const asking = (text: string, more = ''): string => `steps:
  - http: POST agent/ask
    json: { text: "${text}"${more} }
    as: answer`;

const heard = (text: string): string => `checks:
  heard: { exchange: answer, expect: { status: 200, json: { text: "${text}" } } }`;

test('a script is received as it is written, whole and in a stream, with tools and with its cost', async () => {
  const adds = `model:
  agent:
    - says: Let me see.
      calls: { add: { a: 2, b: 3 } }
      usage: { input: 100, output: 20 }
    - says: It is 5, voilà.
      usage: { input: 150, output: 10 }
`;
  const checks = `${heard('It is 5, voilà.')}
  both-sides: { agree: { said: model -> agent, received: add, changed: heard } }
  told: { calls: agent -> model, where: { crossing: 1 }, expect: [{ turn: { complete: true, calls: [{ name: add, arguments: { a: 2, b: 3 } }], usage: { input: 100 } } }] }
  passed-back: { calls: agent -> model, where: { crossing: 2 }, expect: [{ request: { json: { messages: { $contains: [{ role: tool }] } } } }] }`;
  const project = trialsProject(config, {
    whole: `${adds}${asking('2 and 3?')}\n${checks}`,
    streamed: `${adds}${asking('2 and 3?', ', stream: true')}\n${checks}`,
  });
  const run = await performTrials(project);
  expect(run.code, run.text).toBe(0);
  for (const id of ['whole', 'streamed'])
    expect(run.trial(id)).toMatchObject({
      costUsd: 0.0055,
      tokens: { input: 250, output: 30 },
      unpriced: [],
    });
  expect(run.text).toContain('cost 0.0110 USD as if live, 500 + 60 tokens');
});

test('a call without a line, a line without a call, and a request that was not expected fail the trial by name', async () => {
  const project = trialsProject(config, {
    'one-too-few': `model: { agent: [{ calls: { add: { a: 1, b: 1 } } }] }\n${asking('1 and 1?')}\nchecks:\n  refused: { exchange: answer, expect: { status: 502 } }`,
    'one-too-many': `model: { agent: [{ says: One. }, { says: Two. }] }\n${asking('hello')}\n${heard('One.')}`,
    'other-request': `model: { agent: [{ says: One., expect: { text: goodbye } }] }\n${asking('hello')}\n${heard('One.')}`,
    'no-script': `${asking('hello')}\nchecks:\n  refused: { exchange: answer, expect: { status: 502 } }`,
    'two-that-fit': `model: { agent: [{ says: A., when: { text: { $regex: hel } } }, { says: B., when: { text: { $regex: llo } } }] }\n${asking('hello')}\nchecks:\n  refused: { exchange: answer, expect: { status: 502 } }`,
    'unknown-tool': `model: { agent: [{ calls: { subtract: { a: 1 } } }, { says: Done. }] }\n${asking('hello')}\n${heard('Done.')}`,
  });
  const run = await performTrials(project);
  expect(run.code, run.text).toBe(1);
  expect(new Set(Object.values(run.verdicts)), run.text).toEqual(new Set(['failed']));
  const causes = Object.fromEntries(run.verdict.trials.map(({ id, cause }) => [id, cause?.text]));
  expect(causes['one-too-few']).toMatch(/agent.*model.*2nd|2nd.*model|no line/i);
  expect(causes['one-too-many']).toMatch(/Two\./);
  expect(causes['other-request']).toMatch(/goodbye/);
  expect(causes['no-script']).toMatch(/no line|no script/i);
  expect(causes['two-that-fit']).toMatch(/several|two|2 lines|both/i);
  expect(causes['unknown-tool']).toMatch(/subtract/);
});

test('refusals of a provider: 401, 429 with retry-after, 500, a page of HTML', async () => {
  const project = trialsProject(config, {
    refusals: `cases:
  limited: { error: { status: 429, retryAfter: 7 }, then: 429 }
  broken: { error: { status: 500 }, then: 502 }
  page: { error: { status: 503, text: "<html>nobody home</html>" }, then: 502 }
model: { agent: [{ error: "\${case.error}" }] }
${asking('hello')}
checks:
  told: { exchange: answer, expect: { status: "\${case.then}" } }
  seen: { calls: agent -> model, expect: [{ response: { status: "\${case.error.status}" }, turn: { complete: false, error: { type: { $type: string } } } }] }`,
  });
  const run = await performTrials(project);
  expect(run.code, run.text).toBe(0);
  expect(run.verdict.counts.passed).toBe(3);
});

test('an error in a script is reported with its place, before anything is started', async () => {
  const project = trialsProject(config, {
    wrong: `model:
  agnet: [{ says: hello }]
  agent:
    - sayz: hello
    - says: hello
      shape: X99
    - says: hello
      when: { text: { $regx: a } }
    - usage: { input: 1, output: 1 }
    - embeds: [[1]]
    - when: { asks: embedding }
      says: hello
disturb: [{ edge: agent -> modl, cut: { at: { event: 2 } } }, { edge: agent -> model }]
${asking('hello')}
${heard('hello')}`,
  });
  const { code, output } = await project.run(['run']);
  const text = unfolded(output);
  expect(code).toBe(2);
  for (const shown of [
    'no service is called `agnet`',
    'did you mean `says`?',
    'there is no shape `X99`',
    '$regx',
    'the line does not say what is answered',
    '`embeds` cannot answer a turn',
    '`says` cannot answer a request for embedding',
    'there is no edge `agent -> modl`',
    'it sets no fault',
  ])
    expect(text).toContain(shown);
});
