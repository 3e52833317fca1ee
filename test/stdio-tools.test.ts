/** A tool server that a service starts itself and talks to over stdio: its calls are observed as on any other edge. */
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from './harness/project-files.ts';
import { runCommand } from './harness/run-command.ts';
import { performTrials, trialsProject } from './harness/trials-project.ts';

const toolServer = `#!/usr/bin/env node
import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, params: { arguments: { a, b } } } = JSON.parse(line);
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: String(a + b) }] } }));
});
`;

const config = `isolation: shared
services:
  agent:
    run: [node, services/starts-a-tool-server.mjs]
    listen: { env: PORT }
    ready: { http: /health }
    env: { PATH: "\${config.dir}/tools:\${env.PATH}" }
    shims: { adder: { program: mcp-adds, speaks: mcp } }`;

test('its calls are seen with arguments and results, in order, and numbered', async () => {
  const project = trialsProject(
    config,
    {
      adds: `steps:
  - { http: POST agent/, json: { a: 2, b: 3 }, as: first }
  - { http: POST agent/, json: { a: 20, b: 30 }, as: second }
checks:
  heard: { exchange: second, expect: { json: { content: [{ text: "50" }] } } }
  seen:
    calls: agent -> adder
    where: { method: tools/call }
    expect:
      - { crossing: 1, protocol: json-rpc, params: { name: add, arguments: { a: 2, b: 3 } }, result: { content: [{ text: "5" }] } }
      - { crossing: 2, params: { arguments: { a: 20 } }, result: { content: [{ text: "50" }] } }
  inside: { order: [{ exchange: first, phase: begin }, { calls: agent -> adder }, { exchange: second }] }`,
    },
    { 'tools/mcp-adds': toolServer, 'tools/package.json': '{ "type": "module" }' },
  );
  chmodSync(path.join(project.folder, 'tools/mcp-adds'), 0o755);
  const run = await performTrials(project);
  expect(run.code, run.text).toBe(0);
});

const adds = { 'tools/mcp-adds': toolServer, 'tools/package.json': '{ "type": "module" }' };

test('its answers are sent in other shapes, counted over all of its requests', async () => {
  const ask = (as: string): string => `  - { http: POST agent/, json: { a: 2, b: 3 }, as: ${as} }`;
  const project = trialsProject(
    config,
    {
      fails: `disturb: [{ edge: agent -> adder, crossing: 2, where: { rpc: tools/call }, shape: M26 }]
steps:
${['first', 'second', 'third'].map(ask).join('\n')}
checks:
  first: { exchange: first, expect: { json: { content: [{ text: "5" }] } } }
  second: { exchange: second, expect: { json: { isError: true } } }
  third: { exchange: third, expect: { json: { content: [{ text: "5" }] } } }
  said: { calls: agent -> adder, expect: { $length: 3, $each: { result: { content: [{ text: "5" }] } } } }`,
      odd: `disturb: [{ edge: agent -> adder, shape: M38 }]
steps:
${ask('first')}
checks:
  same: { exchange: first, expect: { json: { content: [{ text: "5" }] } } }`,
      undisturbed: `steps:
${ask('first')}
checks:
  same: { exchange: first, expect: { json: { content: [{ text: "5" }] } } }`,
    },
    adds,
  );
  chmodSync(path.join(project.folder, 'tools/mcp-adds'), 0o755);
  const run = await performTrials(project);
  expect(run.code, run.text).toBe(0);
});

/** The tool to call is the body of the request; the answer has its outcome. A late one is not waited for. */
const agent = `
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
const start = () => {
  const server = spawn('mcp-does', { stdio: ['pipe', 'pipe', 'inherit'] });
  return { server, lines: createInterface({ input: server.stdout }) };
};
const ask = ({ server }, id, name) =>
  server.stdin.write(JSON.stringify({ jsonrpc: '2.0', id, method: id === 2 ? 'ping' : 'tools/call', params: { name } }) + '\\n');
const steady = start();
createServer(async (request, response) => {
  const name = (await request.toArray()).join('');
  const one = name === 'late' || name === '' ? steady : start();
  if (name !== '') ask(one, 1, name);
  if (one === steady) ask(one, 2, 'small');
  one.lines.once('line', (line) => {
    if (line === 'begun') one.server.kill('SIGKILL');
    else response.end('heard ' + line.length);
    if (one !== steady) one.server.stdin.end();
  });
  one.server.once('close', (code, signal) => response.end('server ended ' + (signal ?? code)));
}).listen(process.env.PORT, '127.0.0.1');
`;

const does = `#!/usr/bin/env node
import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, params: { name } } = JSON.parse(line);
  const say = (text) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } }));
  if (name === 'crash') process.exit(3);
  if (name === 'kill') process.kill(process.pid, 'SIGKILL');
  if (name === 'leave') console.log('begun');
  if (name === 'late') setTimeout(say, 700, 'done');
  if (name === 'small') say('done');
  if (name === 'big') say('x'.repeat(300000));
});
`;

test('a call counts from its request on, with or without an answer, and the consumer sees how its server ended', async () => {
  const ask = (tool: string, heard: string, check: string): string => `steps:
  - { http: POST agent/, text: ${tool}, as: asked, expect: { text: { $regex: "^${heard}" } } }
checks:
  calls: { calls: agent -> does, where: { method: tools/call }, ${check} }`;
  const project = trialsProject(
    config
      .replace('starts-a-tool-server', 'does')
      .replace('adder: { program: mcp-adds', 'does: { program: mcp-does'),
    {
      small: ask('small', 'heard', 'count: 1'),
      late: ask('late', 'heard', 'expect: [{ result: { content: [{ text: done }] } }]'),
      'never-late': ask('late', 'heard', 'count: 0, provenBy: small'),
      big: ask('big', 'heard 3000', 'expect: [{ incomplete: too-large }]'),
      crash: ask(
        'crash',
        'server ended 3',
        'expect: [{ incomplete: cut, faults: [{ by: provider, rule: mcp.ended }] }]',
      ),
      kill: ask('kill', 'server ended SIGKILL', 'expect: [{ incomplete: cut }]'),
      leave: ask('leave', 'server ended SIGKILL', 'expect: [{ incomplete: cut, faults: { $absent: true } }]'),
    },
    { 'services/does.mjs': agent, 'tools/mcp-does': does, 'tools/package.json': '{ "type": "module" }' },
  );
  chmodSync(path.join(project.folder, 'tools/mcp-does'), 0o755);
  const { verdicts, text } = await performTrials(project);
  expect(verdicts, text).toEqual({
    ...Object.fromEntries(['small', 'late', 'big', 'crash', 'kill', 'leave'].map((id) => [id, 'passed'])),
    'never-late': 'failed',
  });
});

test('what is not supported there is refused before anything starts', async () => {
  const disturbed = (disturb: string): string =>
    `disturb: [{ ${disturb} }]\nsteps:\n  - { http: GET agent/health }`;
  const project = trialsProject(
    config,
    {
      cut: disturbed('edge: agent -> adder, cut: { at: { head: true } }'),
      path: disturbed('edge: agent -> adder, where: { path: /mcp }, shape: M36'),
      http: disturbed('edge: agent -> adder, shape: M03'),
      stdio: disturbed('edge: outside -> agent, shape: M36'),
    },
    adds,
  );
  chmodSync(path.join(project.folder, 'tools/mcp-adds'), 0o755);
  const { code, output } = await project.run(['lint']);
  const text = output.replaceAll(/\s+/g, ' ');
  expect(code).not.toBe(0);
  expect(text).toMatch('`agent -> adder` is a tool server on stdio, where only `shape` can be done');
  expect(text).toMatch('there is no path of HTTP');
  expect(text).toMatch('the shape M03 (GET → 405) is not of stdio, and this edge is');
  expect(text).toMatch('is of tool servers on stdio, and this edge is not');
});

test('the last output of a server reaches a consumer that reads late', async () => {
  const main = path.join(projectFolder, 'src/environment/keeper/stdio-tap-main.ts');
  const says = "process.stdout.write('x'.repeat(95000))";
  const tap = [process.execPath, main, '/nowhere', 'a', 'b', process.execPath, '-e', says];
  // 64 KB fit into the pipe; the rest has to wait until it is read.
  const late = '"$@" </dev/null | (sleep 0.5; wc -c)';
  const { output } = await runCommand(['sh', '-c', late, 'sh', ...tap], { cwd: projectFolder });
  expect(Number(output)).toBe(95_000);
});
