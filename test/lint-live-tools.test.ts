/** `lint --live`: tools and their arguments, in steps and model scripts, are compared with what is really offered. */
import { expect, test } from 'vitest';
import { lintJson } from './harness/lint-project.ts';
import { makeProject } from './harness/project.ts';
import { nothing } from './harness/until.ts';

const config = `name: tools
trials: "trials/**"
settle: 50ms
resources:
  model: { kind: model, because: a real one costs money }
services:
  adds: { run: [node, services/lists-its-tools.mjs], listen: { env: PORT }, ready: { tcp: true } }
  agent:
    run: [node, services/asks-a-model.mjs]
    listen: { env: PORT }
    env: { MODEL_URL: "\${model.openaiUrl}", TOOLS_URL: "\${adds.url}" }
    ready: { http: /health }
`;

const steps = `id: steps
steps:
  - { mcp: adds, tool: add, args: { a: 1, b: 2 }, expect: { isError: false } }
  - { mcp: adds, tool: ad, args: { a: 1, b: 2 }, expect: { isError: false } }
  - { mcp: adds, tool: add, args: { a: one, b: 2 }, expect: { isError: false } }
  - { mcp: adds, tool: add, args: { a: "\${trial.uid}", b: 2 }, expect: { isError: false } }
  - { mcp: adds, tool: add, args: { a: "\${trial.uid}", c: "\${trial.uid}", b: 2 }, expect: { isError: false } }
  - { mcp: adds, tool: subtract, args: {}, expect: { isError: true } }
`;

const scripted = (id: string, calls: string, more = '') => `id: ${id}
${more}
model:
  agent:
    - calls: ${calls}
    - says: Done.
steps:
  - { http: POST agent/ask, json: { text: What is the sum? }, as: answer }
checks:
  answered: { exchange: answer, expect: { status: { $any: [200, 502] } } }
`;

const files = {
  'shakedown.yaml': config,
  'trials/steps.trial.yaml': steps,
  'trials/fine.trial.yaml': scripted('fine', '{ add: { a: 2, b: 3 } }'),
  'trials/near.trial.yaml': scripted('near', '{ addd: { a: 2, b: 3 } }'),
  'trials/args.trial.yaml': scripted('args', '{ add: { a: "2", b: 3 } }'),
  'trials/own.trial.yaml': scripted('own', '{ multiply: { a: 2, b: 3 } }'),
  'trials/meant.trial.yaml': scripted(
    'meant',
    '{ add: { a: [], b: 3 } }',
    'lint: { allow: [tool-arguments], because: a model that gets it wrong is what is tried }',
  ),
};

test('from the tool servers, and from what a stored run has shown', async () => {
  const project = makeProject(files);
  const before = await lintJson(project, ['--live']);
  expect(before.code).toBe(6);
  const fromServers = [
    'tool-arguments trials/args.trial.yaml:5',
    'unknown-tool trials/near.trial.yaml:5',
    'unknown-tool trials/steps.trial.yaml:4',
    'tool-arguments trials/steps.trial.yaml:5',
    'tool-arguments trials/steps.trial.yaml:7',
  ];
  expect(before.shown).toEqual(fromServers);
  expect(before.findings[1]).toMatchObject({ trial: 'near', next: 'did you mean `add`?' });
  expect(before.findings[3]?.text).toContain('args.a is of the type string, expected number');
  expect(before.findings[4]?.text).toContain('has "c", which is not allowed');
  expect(before.notKnown).toContainEqual(
    expect.objectContaining({
      what: 'tools in scripts of models',
      count: 1,
      names: ['agent -> model: multiply'],
    }),
  );

  expect((await project.run(['run', 'fine'])).code).toBe(0);
  const after = await lintJson(project, ['--live']);
  // What is offered to the model has no limits on its numbers, and what it does not hold is known now.
  expect(after.shown).toEqual([
    'tool-arguments trials/args.trial.yaml:5',
    'unknown-tool trials/near.trial.yaml:5',
    'unknown-tool trials/own.trial.yaml:5',
    ...fromServers.slice(2),
  ]);
  expect(after.findings[2]?.text).toMatch(/^agent, as of run \S+, offers no tool `multiply`$/);
  expect(after.notKnown.some(({ what }) => what === 'tools in scripts of models')).toBe(false);
  expect(project.left()).toEqual(nothing);
});

test('an allowance that the stored run did not need, and tools that it could not show', async () => {
  const offering = config.replace('{ MODEL_URL', `{ MORE_TOOLS: '[{"type":"mcp"}]', MODEL_URL`);
  const project = makeProject({
    'shakedown.yaml': `${offering}logs:\n  allow:\n    - { service: agent, match: rate limit, because: the provider is busy }\n`,
    'trials/fine.trial.yaml': files['trials/fine.trial.yaml'],
    'trials/own.trial.yaml': files['trials/own.trial.yaml'],
  });
  const open = { what: 'allowances for error lines', count: 1 };
  expect((await lintJson(project, ['--live'])).notKnown).toContainEqual(expect.objectContaining(open));
  expect((await project.run(['run'])).code).toBe(0);
  const { code, shown, notKnown } = await lintJson(project, ['--live']);
  const tools = { what: 'tools in scripts of models', count: 1, names: ['agent -> model: multiply'] };
  expect(notKnown).toContainEqual(expect.objectContaining(tools));
  expect({ code, shown }).toEqual({ code: 0, shown: ['unused-log-allowance shakedown.yaml:15'] });
});
