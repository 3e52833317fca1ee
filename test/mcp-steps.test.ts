/** Steps `mcp` against servers of the official SDK, through the real binary. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { performTrials, trialsProject } from './harness/trials-project.ts';

const node = JSON.stringify(process.execPath);
const quoted = (url: URL): string => JSON.stringify(fileURLToPath(url));
const toolbox = quoted(new URL('mcp/stdio-toolbox.ts', import.meta.url));
const service = quoted(new URL('mcp/toolbox-service.ts', import.meta.url));
const program = `{ stdio: [${node}, ${toolbox}] }`;
const config = `isolation: shared
services:
  toolbox: { run: [${node}, ${service}], listen: { env: PORT } }`;

test('an answer that is not what was expected fails at once: nothing later would change it', async () => {
  const project = trialsProject(config, {
    // A request that waits here ends with the whole test.
    step: `steps:
  - { mcp: ${program}, tool: say, args: { text: hello }, timeout: 10m, expect: { result: goodbye } }`,
    'with-unasked': `steps:
  - { mcp: ${program}, tool: change, timeout: 10m, expect: { result: other, notifications: { $length: 5 } } }`,
    check: `steps:
  - { mcp: ${program}, tool: say, args: { text: hello }, as: said }
checks:
  never-said: { exchange: said, within: 10m, expect: { result: goodbye } }`,
    'late-word': `steps:
  - { mcp: ${program}, tool: change, timeout: 10m, expect: { result: changed, notifications: { $length: 1 } } }`,
  });
  const run = await performTrials(project);
  expect(run.verdicts, run.text).toEqual({
    step: 'failed',
    'with-unasked': 'failed',
    check: 'failed',
    'late-word': 'passed',
  });
});

test('headers, variables and a client that answers are written in a trial, and in a flow', async () => {
  const project = trialsProject(
    config,
    {
      headers: `steps:
  - { mcp: toolbox, headers: { x-tenant: blue, x-count: 3 }, tool: headers, expect: { result: { x-tenant: blue, x-count: "3" } } }`,
      env: `steps:
  - { mcp: { stdio: [${node}, ${toolbox}], env: { TRIAL: "\${trial.uid}" } }, tool: env, expect: { result: { TRIAL: "\${trial.uid}" } } }`,
      client: `steps:
  - mcp: toolbox
    tool: consult
    args: { about: [x, y] }
    client: { sampling: ["for \${trial.uid}"], roots: [file:///work], elicitation: cancel }
    expect:
      result: [{ content: { text: "for \${trial.uid}" } }, -32603]
      requests: [{ method: sampling/createMessage, result: { model: scripted } }, { error: { code: -32603 } }]
      anomalies: []`,
      unknown: `steps:
  - { mcp: toolbox, tool: confirm, expect: { isError: true, requests: [{ error: { code: -32601 } }] } }`,
    },
    {
      'trials/person.flow.ts': `import { flow } from 'shakedown';
flow('it asks a person', { id: 'person' }, async ({ mcp, expect }) => {
  const server = mcp('toolbox', { headers: { 'x-tenant': 'blue' }, client: { elicitation: { action: 'accept', content: { name: 'ada' } } } });
  const { result, requests } = await server.call('confirm');
  expect(result, { content: { name: 'ada' } });
  expect(requests, [{ method: 'elicitation/create' }]);
});
`,
    },
  );
  const run = await performTrials(project);
  expect(run.code, run.text).toBe(0);
});

test('an invalid client is refused before anything starts', async () => {
  const project = trialsProject(config, {
    wrong: `steps:
  - { mcp: toolbox, client: { elicitation: maybe, smapling: a } }`,
  });
  const { code, output } = await project.run(['lint']);
  expect(code).not.toBe(0);
  expect(output).toMatch('accept, decline or cancel');
  expect(output).toMatch('sampling');
});

const gateway = `import { createServer } from 'node:http';
const passed = ['content-type', 'accept', 'mcp-session-id', 'mcp-protocol-version'];
createServer(async (request, response) => {
  if (request.method === 'GET') return response.writeHead(405).end();
  const chunks = await Array.fromAsync(request);
  const answer = await fetch(request.headers['x-upstream'] + request.url, {
    method: request.method,
    headers: Object.fromEntries(passed.flatMap((name) => (request.headers[name] ? [[name, request.headers[name]]] : []))),
    body: chunks.length > 0 ? Buffer.concat(chunks) : undefined,
  });
  const session = answer.headers.get('mcp-session-id');
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain', ...(session ? { 'mcp-session-id': session } : {}) });
  response.end(await answer.text());
}).listen(Number(process.env.PORT), '127.0.0.1');
`;
const behindGateway = `${config}
  gateway: { run: [${node}, gateway.mjs], listen: { env: PORT }, env: { MAY_CALL: "\${toolbox.url}" } }`;

test('a gateway that reads its upstream from a header gets the address of its own edge', async () => {
  const project = trialsProject(
    behindGateway,
    {
      header: `steps:
  - mcp: gateway
    headers: { x-upstream: "\${gateway->toolbox.url}" }
    tool: say
    args: { text: through }
    expect: { result: through }
checks:
  own: { calls: gateway -> toolbox, where: { method: tools/call }, expect: [{ params: { arguments: { text: through } } }] }`,
    },
    {
      'gateway.mjs': gateway,
      'trials/own.flow.ts': `import { flow } from 'shakedown';
flow('the same in a flow', { id: 'own' }, async ({ mcp, url, calls, check }) => {
  await mcp('gateway', { headers: { 'x-upstream': url('gateway->toolbox') } }).call('say', { text: 'from a flow' });
  check('own', calls('gateway -> toolbox', { method: 'tools/call' }), [{ params: { arguments: { text: 'from a flow' } } }]);
});
`,
    },
  );
  const run = await performTrials(project);
  expect(run.code, run.text).toBe(0);
});

test('the address of an unknown edge is refused before anything starts', async () => {
  const project = trialsProject(
    behindGateway,
    {
      edge: 'steps:\n  - { http: GET gateway/, headers: { a: "${gatway -> toolbox.url}" } }',
      part: 'steps:\n  - { http: GET gateway/, headers: { a: "${gateway->toolbox.name}" } }',
    },
    { 'gateway.mjs': gateway },
  );
  const { code, output } = await project.run(['lint']);
  expect(code).not.toBe(0);
  expect(output).toMatch('there is no edge `gatway -> toolbox`');
  expect(output).toMatch('did you mean `gateway -> toolbox`?');
  expect(output).toMatch('an edge has no `name`');
});

test('a server that accepts only its own host name is reached when its listener says so', async () => {
  const picky = (hostHeader: string): string => `isolation: shared
services:
  toolbox: { run: [${node}, ${service}], listen: { env: PORT${hostHeader} }, env: { PICKY: yes } }`;
  const say = 'steps:\n  - { mcp: toolbox, tool: say, args: { text: hello }, expect: { result: hello } }';
  const [refused, admitted] = await Promise.all([
    performTrials(trialsProject(picky(''), { say })),
    performTrials(trialsProject(picky(', hostHeader: own'), { say })),
  ]);
  expect(refused.code).toBe(1);
  expect(refused.text).toMatch('Invalid Host');
  expect(admitted.code, admitted.text).toBe(0);
});
