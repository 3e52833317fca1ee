/** What crossed an edge becomes a script: a recording of one trial is the beginning of the next. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { performTrials, trialsProject, unfolded } from './harness/trials-project.ts';

const config = `isolation: shared
resources: { model: { kind: model } }
services:
  agent:
    run: [node, services/asks-a-model.mjs]
    listen: { env: PORT }
    ready: { http: /health }
    env: { MODEL_URL: "\${model.url}", TOOLS_URL: "\${tools.url}" }
  tools: { run: [node, services/adds-numbers.mjs], listen: { env: PORT }, ready: { tcp: true } }`;

const steps = `steps: [{ http: POST agent/ask, json: { text: "2 and 3?", stream: true }, as: answer }]
checks:
  heard: { exchange: answer, expect: { json: { text: "It is 5, voilà. $\${HOME}" } } }`;

test('the model’s lines come out as they went in, and can be performed', async () => {
  const project = trialsProject(config, {
    first: `model:
  agent:
    - { says: Let me see., calls: { add: { a: 2, b: 3 } } }
    - { says: "It is 5, voilà. $\${HOME}" }
${steps}`,
  });
  expect((await performTrials(project)).code).toBe(0);
  const { code, stdout, output } = await project.run(['record', 'first', '--edge', 'agent->model']);
  expect(code, output).toBe(0);
  expect(stdout).toContain('# 2 calls on agent -> model in first');
  const [, script = '', checks = ''] = /^(model:[\s\S]*?)\n\n(checks:[\s\S]*)$/m.exec(stdout) ?? [];
  expect(script).toContain('"name":"add"');
  expect(checks).toContain('agent-model-asked');
  const again = `id: again\n${script}\n${steps}\n`;
  writeFileSync(path.join(project.folder, 'trials/again.trial.yaml'), again);
  const run = await performTrials(project, 'again');
  expect(run.code, run.text).toBe(0);
});

test('other edges become lines of a third party, and what is not there is told', async () => {
  const project = trialsProject(config, {
    first: `model: { agent: [{ calls: { add: { a: 2, b: 3 } } }, { says: done }] }\n${steps.replace('It is 5, voilà. $${HOME}', 'done')}`,
  });
  expect((await performTrials(project)).code).toBe(0);
  const tools = await project.run(['record', '--edge', 'agent -> tools']);
  expect(tools.stdout).toContain(
    'peers:\n  tools:\n    - {"on":"POST /mcp","where":{"json":{"jsonrpc":"2.0"',
  );
  const wrong = await project.run(['record', '--edge', 'agent -> tolls']);
  expect(wrong.code).toBe(2);
  expect(unfolded(wrong.output)).toContain('did you mean `agent -> tools`?');
});
