/** A line of a script may call a tool with arguments of any text: sent as it is in every dialect that can, refused in the others. */
import { expect, test } from 'vitest';
import { performTrials, trialsProject, unfolded } from './harness/trials-project.ts';

const config = `isolation: shared
resources: { model: { kind: model } }
services:
  relay: { run: [node, relay.mjs], listen: { env: PORT }, env: { MODEL_URL: "\${model.url}", MODEL_KEY: "\${model.key}" } }`;

/** Passes on what it is asked, and says what came back. */
const relay = `import { createServer } from 'node:http';
const { MODEL_URL, MODEL_KEY, PORT } = process.env;
createServer(async (request, response) => {
  const body = (await request.toArray()).join('');
  const keys = { authorization: \`Bearer \${MODEL_KEY}\`, 'x-api-key': MODEL_KEY, 'x-goog-api-key': MODEL_KEY };
  const headers = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', ...keys };
  const answer = await fetch(MODEL_URL + request.url, { method: 'POST', headers, body });
  response.writeHead(answer.status, { 'content-type': 'text/plain' }).end(await answer.text());
}).listen(PORT, '127.0.0.1');
`;

const asks = (stream: boolean): string => {
  const user = [{ role: 'user', content: 'x' }];
  const schema = { type: 'object', properties: {} };
  const chat = {
    model: 'm',
    messages: user,
    stream,
    tools: [{ type: 'function', function: { name: 'add', parameters: schema } }],
  };
  const responses = {
    model: 'm',
    input: 'x',
    stream,
    tools: [{ type: 'function', name: 'add', parameters: schema }],
  };
  const anthropic = {
    model: 'm',
    max_tokens: 9,
    messages: user,
    stream,
    tools: [{ name: 'add', input_schema: schema }],
  };
  const gemini = {
    contents: [{ role: 'user', parts: [{ text: 'x' }] }],
    tools: [{ functionDeclarations: [{ name: 'add' }] }],
  };
  const way = stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
  const id = stream ? 'streamed' : 'whole';
  const cases = {
    chat: { at: '/v1/chat/completions', json: chat },
    responses: { at: '/v1/responses', json: responses },
    anthropic: { at: '/v1/messages', json: anthropic },
    gemini: { at: `/v1beta/models/m:${way}`, json: gemini },
  };
  return Object.entries(cases)
    .map(([name, one]) => `  ${name}-${id}: ${JSON.stringify(one)}\n`)
    .join('');
};

const both = asks(false) + asks(true);
const cases = (...names: readonly string[]): string =>
  `cases:\n${both
    .split('\n')
    .filter((line) => names.some((name) => line.startsWith(`  ${name}`)))
    .join('\n')}`;
const step = `steps: [{ http: "POST relay\${case.at}", json: "\${case.json}", as: got, expect: { status: { $gt: 0 } } }]`;
const line = (raw: string): string =>
  `model: { relay: [{ says: Now., calls: [{ name: add, raw: ${JSON.stringify(raw)} }], pieces: 3 }] }`;
const called = (pattern: string): string =>
  `checks: { sent: { calls: relay -> model, expect: [{ turn: { calls: [{ name: add, ${pattern} }] } }] } }`;

test('the text is sent as it is, whole and in pieces, by every dialect that has a place for it', async () => {
  const cut = '{"a": 1, "b": "grüß';
  const project = trialsProject(
    config,
    {
      cut: `${cases('chat', 'responses', 'anthropic-streamed')}\n${line(cut)}\n${step}\n${called(`argumentsText: ${JSON.stringify(cut)}`)}`,
      list: `${cases('chat', 'responses', 'anthropic', 'gemini')}\n${line('[1,2]')}\n${step}\n${called('argumentsText: "[1,2]"')}`,
      twice: `${cases('chat', 'responses', 'anthropic', 'gemini')}\n${line('{"a":1,"a":2}')}\n${step}\n${called('arguments: { a: 2 }')}`,
    },
    { 'relay.mjs': relay },
  );
  const run = await performTrials(project);
  expect(run.code, run.text).toBe(0);
  expect(Object.keys(run.verdicts)).toHaveLength(5 + 8 + 8);
});

test('what a dialect cannot send is refused with the reason, and fails the trial', async () => {
  const refused = `checks: { refused: { exchange: got, expect: { status: 400 } } }`;
  const project = trialsProject(
    config,
    { cut: `${cases('anthropic-whole', 'gemini')}\n${line('{"a": ')}\n${step}\n${refused}` },
    { 'relay.mjs': relay },
  );
  const run = await performTrials(project, '--verbose');
  expect(run.code, run.text).toBe(1);
  expect(new Set(Object.values(run.verdicts))).toEqual(new Set(['failed']));
  expect(run.text).toMatch(/arguments of add as "\{\\"a\\": ", but in a call of Gemini they are a value/);
  expect(run.text).toMatch(/an answer of Anthropic that is not streamed they are a value and only JSON/);
});

test('a call with both, and one in a shape, is an error before anything is started', async () => {
  const project = trialsProject(
    config,
    {
      both: `model: { relay: [{ calls: [{ name: add, args: { a: 1 }, raw: x }] }] }\n${cases('chat')}\n${step}`,
      shaped: `model: { relay: [{ shape: C07, calls: [{ name: add, raw: x }] }] }\n${cases('chat')}\n${step}`,
    },
    { 'relay.mjs': relay },
  );
  const { code, output } = await project.run(['run']);
  expect(code).toBe(2);
  expect(unfolded(output)).toMatch(
    /the call has both `args` and `raw` allowed one of args, raw next remove one/,
  );
  expect(unfolded(output)).toMatch(/a line with `raw` arguments has a `shape`/);
});
