/** What crossed edges becomes a script, or a whole trial: a recording of one trial is the beginning of the next. */
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Project } from './harness/project.ts';
import { latestVerdict, performTrials, trialsProject, unfolded } from './harness/trials-project.ts';

const agent = `  agent:
    run: [node, services/asks-a-model.mjs]
    listen: { env: PORT }
    ready: { http: /health }
    env: { MODEL_URL: "\${model.url}", TOOLS_URL: "\${tools.url}" }`;

const config = `isolation: shared
resources:
  model: { kind: model, because: a real one costs money }
  messenger:
    kind: http
    because: it belongs to somebody else
    callbacks: { shop: "\${shop.url}/call" }
  traces: { kind: telemetry }
services:
${agent}
  tools: { run: [node, services/adds-numbers.mjs], listen: { env: PORT }, ready: { tcp: true } }
  adding:
    run: [node, services/starts-a-tool-server.mjs]
    listen: { env: PORT }
    ready: { http: /health }
    env: { PATH: "\${config.dir}/tools:\${env.PATH}" }
    shims: { adder: { program: mcp-adds, speaks: mcp } }
  shop:
    run: [node, services/orders-by-message.mjs]
    listen: { env: PORT }
    ready: { http: /health }
    env: { MESSENGER_URL: "\${messenger.url}", TRACES_URL: "\${traces.url}" }`;

const toolServer = `#!/usr/bin/env node
import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const { a, b } = params?.arguments ?? {};
  const result = method === 'initialize'
    ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'adder', version: '1' } }
    : { content: [{ type: 'text', text: String(a + b) }] };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});
`;

const asks = `steps: [{ http: POST agent/ask, json: { text: "2 and 3?", stream: true }, as: answer }]
checks:
  heard: { exchange: answer, expect: { json: { text: "It is 5, voilà. $\${HOME}" } } }`;

const trials = {
  talk: `model:
  agent:
    - { says: Let me see., calls: { add: { a: 2, b: 3 } } }
    - { says: "It is 5, voilà. $\${HOME}" }
${asks}`,
  adds: `steps: [{ http: POST adding/, json: { a: 2, b: 3 }, as: sum, expect: { status: 200 } }]`,
  order: `peers:
  messenger:
    - on: POST /send
      where: { json: { order: "\${trial.uid}" } }
      answer: { status: 200, json: { accepted: true } }
      callback: { to: shop, path: /back, json: { order: "\${request.json.order}", token: "\${request.json.token}" }, times: 2 }
steps:
  - { http: POST shop/order, json: { id: "\${trial.uid}" }, as: placed, expect: { status: 202 } }
checks:
  called-back: { calls: messenger -> shop, count: 2, within: 5s }`,
};

const add = (project: Project, id: string, text: string): void =>
  writeFileSync(path.join(project.folder, `trials/${id}.trial.yaml`), text);

const printed = async (project: Project, ...words: readonly string[]): Promise<string> => {
  const { code, stdout, output } = await project.run(['record', ...words, '--from', 'latest']);
  expect(code, output).toBe(0);
  expect(stdout).toMatch(/^# .*\n# recorded \d{4}-\S+Z by shakedown \d+\.\d+\.\d+, run \S+/);
  return stdout;
};

/** The part between its first line and the checks. */
const script = (text: string): string =>
  /^(?:model|peers|steps):[\s\S]*?(?=\n\nchecks:)/m.exec(text)?.[0] ?? '';

test('the lines of every kind of edge, and whole trials, can be performed again', async () => {
  const files = { 'tools/mcp-adds': toolServer, 'tools/package.json': '{ "type": "module" }' };
  const project = trialsProject(config, trials, files);
  chmodSync(path.join(project.folder, 'tools/mcp-adds'), 0o755);
  const PATH = `${path.join(project.folder, 'tools')}:${process.env.PATH}`;
  const first = await project.run(['run', '--repeat', '2', '--parallel', '1']);
  expect(first.code, first.output).toBe(0);
  const firstRun = latestVerdict(project).verdict.run;

  const model = await printed(project, 'talk', '--edge', 'agent->model');
  expect(model).toContain('# 2 calls on agent -> model in talk');
  expect(model).toContain('agent-model-calls');
  const tools = await printed(project, 'talk', '--edge', 'agent -> tools');
  expect(tools).toContain('method: tools/call, params: { name: add, arguments: { a: 2, b: 3 } }');
  expect(tools).toContain('id: "${request.json.id}"');
  const stdio = await printed(project, 'adds', '--edge', 'adding -> adder');
  expect(stdio).toContain('# adding starts adder itself');
  expect(script(stdio)).toContain('mcp: { stdio: [mcp-adds] }');
  const outside = await printed(project, 'adds', '--edge', 'outside -> adding');
  expect(script(outside)).toContain('http: POST adding/');
  const messenger = await printed(project, 'order', '--edge', 'shop -> messenger');
  expect(messenger).toContain('order: "${trial.uid}"');
  expect(messenger).not.toContain('a-token');

  add(project, 'again', `id: again\n${script(model)}\n${asks}\n`);
  add(project, 'stdio', `id: stdio\n${script(stdio)}\n`);
  for (const id of Object.keys(trials)) add(project, `recorded-${id}`, await printed(project, id, '--trial'));
  const lint = await project.run(['lint']);
  expect(lint.code, lint.output).toBe(0);
  const run = await project.run(['run', 'again', 'stdio', 'recorded'], { env: { PATH } });
  expect(run.code, run.output).toBe(0);
  expect(run.output).toContain('5 passed');

  for (const [words, what] of [
    [['talk', '--edge', 'agent -> tolls'], 'did you mean `agent -> tools`?'],
    [['--edge', 'agent -> tools'], 'the run has 5 trials'],
    [['recorded/tlak', '--trial'], 'did you mean `recorded/talk`?'],
  ] as const) {
    const wrong = await project.run(['record', ...words, '--from', words.length > 2 ? firstRun : 'latest']);
    expect(wrong.code, wrong.output).toBe(2);
    expect(unfolded(wrong.output)).toContain(what);
  }

  const played = trialsProject(
    `resources:\n  model: { kind: model }\n  tools: { kind: http, because: it is played }\nservices:\n${agent}`,
    { played: `${script(model)}\n${script(tools)}\n${asks}` },
  );
  const replaced = await performTrials(played);
  expect(replaced.code, replaced.text).toBe(0);
});

test('a trial that asked nothing cannot be made into another one', async () => {
  const service = '{ run: [node, services/answers.mjs], listen: { env: PORT }, ready: { tcp: true } }';
  const project = trialsProject(`services: { web: ${service} }`, { idle: 'steps: [{ quiet: true }]' });
  await project.run(['run']);
  const wrong = await project.run(['record', '--trial']);
  expect(wrong.code, wrong.output).toBe(2);
  expect(unfolded(wrong.output)).toContain('no HTTP request came from outside in idle');
});
