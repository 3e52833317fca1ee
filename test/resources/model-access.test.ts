/** Access to a model provider: keys, models, addresses, bodies, histories; and clients that misbehave. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { type DialectName, dialectNames } from '../../src/protocols/turn/turn.ts';
import { asking, openModel } from './open-model.ts';

/** Google's errors differ from those of the rest. */
const refusals = { none: 401, wrong: 401 };
const refusalsOf = (dialect: DialectName): typeof refusals =>
  dialect === 'gemini' ? { none: 403, wrong: 400 } : refusals;

const always = { standing: { '*': [{ says: 'hello' }] } };

const wrongKeys: Readonly<Record<DialectName, Record<string, string>>> = {
  'openai-chat': { authorization: 'Bearer sk-wrong' },
  'openai-responses': { authorization: 'Bearer sk-wrong' },
  anthropic: { 'x-api-key': 'sk-wrong', 'anthropic-version': '2023-06-01' },
  gemini: { 'x-goog-api-key': 'sk-wrong' },
};

describe.each(dialectNames)('%s', (dialect) => {
  const { path, body } = asking[dialect]();

  test('a request without a key is refused', async () => {
    const model = await openModel(always);
    const answer = await model.ask(path, body, { headers: {} });
    expect(answer.status).toBe(refusalsOf(dialect).none);
    expect(answer.json).toMatchObject({ error: expect.anything() });
    expect(model.calls()).toMatchObject([{ status: refusalsOf(dialect).none, fault: { kind: 'bad-key' } }]);
  });

  test('any key is accepted, unless they are listed', async () => {
    const any = await openModel(always);
    expect((await any.ask(path, body, { headers: wrongKeys[dialect] })).status).toBe(200);
    const listed = await openModel({ ...always, keys: ['sk-right'] });
    expect((await listed.ask(path, body, { headers: wrongKeys[dialect] })).status).toBe(
      refusalsOf(dialect).wrong,
    );
    const right = Object.fromEntries(
      Object.entries(wrongKeys[dialect]).map(([name, value]) => [name, value.replace('wrong', 'right')]),
    );
    expect((await listed.ask(path, body, { headers: right })).status).toBe(200);
    expect((await listed.ask(path, body)).status, 'the key of the environment').toBe(200);
  });

  test.each([false, true])('a browser asks first, and may read the answer, streamed: %s', async (stream) => {
    const model = await openModel(always);
    const { path, body } = asking[dialect](stream);
    const origin = 'http://localhost:3000';
    const asks = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-a' };
    const preflight = await fetch(`${model.url()}${path}`, { method: 'OPTIONS', headers: asks });
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'x-a',
    });
    const answer = await model.ask(path, body, { headers: { ...wrongKeys[dialect], origin } });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    const refused = await model.ask(path, body, { headers: { origin } });
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    expect(model.calls().map(({ status }) => status)).toEqual([200, refusalsOf(dialect).none]);
  });

  test('a compressed body is not JSON, and the refusal says why', async () => {
    const model = await openModel(always);
    const headers = { ...wrongKeys[dialect], 'content-encoding': 'gzip' };
    expect((await model.ask(path, 'packed', { headers })).status).toBe(400);
    expect(model.calls()[0]?.fault?.what).toContain('its content-encoding is gzip');
  });

  test('a model that does not exist', async () => {
    const model = await openModel({ ...always, models: ['only-this'] });
    const answer = await model.ask(path, body);
    expect(answer.status).toBe(404);
    expect(answer.json).toMatchObject({ error: expect.anything() });
    expect(model.calls()).toMatchObject([{ fault: { kind: 'unknown-model' }, dialect }]);
  });

  test.each([
    ['no JSON', '{"model":'],
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[1]'],
    ['no messages', '{"model":"m","messages":7,"input":{},"contents":"x"}'],
    ['nested without end', '['.repeat(100_000) + ']'.repeat(100_000)],
  ])('a body that is %s', async (_, broken) => {
    const model = await openModel(always);
    const answer = await model.ask(path, broken);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error: expect.anything() });
    expect(model.calls()).toMatchObject([{ status: 400, fault: { kind: 'bad-request' } }]);
    expect((await model.ask(path, body)).status, 'and it goes on').toBe(200);
  });
});

test('an unknown address, with the error of the provider that is asked', async () => {
  const model = await openModel(always);
  const openai = await model.ask('/v1/nowhere', {}, { headers: { authorization: 'Bearer x' } });
  const anthropic = await model.ask('/v1/complete', {}, { headers: { 'anthropic-version': '2023-06-01' } });
  const gemini = await model.ask('/v1beta/models/x:nowhere', {}, { headers: { 'x-goog-api-key': 'x' } });
  expect([openai.status, anthropic.status, gemini.status]).toEqual([404, 404, 404]);
  const message = expect.stringMatching(/^POST \/v1\/nowhere is not played: only turns/);
  expect(openai.json).toEqual({ error: { message, type: 'invalid_request_error', param: null, code: null } });
  expect(anthropic.json).toMatchObject({
    type: 'error',
    error: { type: 'not_found_error' },
    request_id: anthropic.headers.get('request-id'),
  });
  expect(gemini.text).toContain('<title>Error 404 (Not Found)!!1</title>');
  expect(model.calls()).toMatchObject(Array(3).fill({ dialect: null, fault: { kind: 'unscripted' } }));
});

const keyed = { headers: { authorization: 'Bearer x' } };
test.each([
  ['unscripted', 'GET', '/v1/skills', { headers: {} }],
  ['unscripted', 'POST', '/upload/v1beta/files', { headers: {} }],
  ['unscripted', 'POST', '/api/v1/credits', { headers: {} }],
  ['unscripted', 'POST', '/moderations', keyed],
  ['unscripted', 'POST', '/openai/deployments/x/images', { headers: { 'api-key': 'x' } }],
  ['unscripted', 'POST', '/api/chat', { headers: {} }],
  ['unscripted', 'POST', '/api/embed', keyed],
  ['unknown-path', 'GET', '/', keyed],
  ['unknown-path', 'GET', '/v1/', keyed],
  ['unknown-path', 'GET', '/favicon.ico', { headers: {} }],
  ['unknown-path', 'GET', '/health', { headers: {} }],
  ['unknown-path', 'POST', '/api/event_logging/v2/batch', keyed],
])('%s: %s %s', async (kind, method, path, options) => {
  const model = await openModel(always);
  const { status } = await model.ask(path, method === 'GET' ? '' : {}, { method, ...options });
  expect(status).toBe(404);
  expect(model.calls()).toMatchObject([{ status: 404, fault: { kind } }]);
});

describe('the list of models', () => {
  const get = { method: 'GET' } as const;

  test('as each provider gives it', async () => {
    const model = await openModel({ models: ['one', 'two'] });
    const headers = {
      authorization: `Bearer ${model.key}`,
      'x-api-key': model.key,
      'x-goog-api-key': model.key,
    };
    expect((await model.ask('/v1/models', '', get)).json).toMatchObject({
      object: 'list',
      data: [{ id: 'one' }, { id: 'two' }],
    });
    expect(
      (
        await model.ask('/v1/models', '', {
          ...get,
          headers: { ...headers, 'anthropic-version': '2023-06-01' },
        })
      ).json,
    ).toMatchObject({ data: [{ type: 'model', id: 'one' }, { id: 'two' }], has_more: false });
    expect((await model.ask('/v1beta/models', '', get)).json).toMatchObject({
      models: [{ name: 'models/one' }, { name: 'models/two' }],
    });
    expect((await model.ask('/v1/models/two', '', get)).json).toMatchObject({ id: 'two' });
    expect((await model.ask('/v1/models/three', '', get)).status).toBe(404);
    const below = [
      '/openai/v1/models',
      '/openai/models',
      '/api/v1/models',
      '/v1beta/openai/models',
      '/models',
    ];
    for (const path of below)
      expect((await model.ask(path, '', get)).json, path).toMatchObject({
        object: 'list',
        data: [{ id: 'one' }, {}],
      });
    expect((await model.ask('/inference/v1/models/meta-llama/two', '', get)).status).toBe(404);
    expect(model.calls()).toEqual([]);
  });

  test('names as fine-tuned and local models have them', async () => {
    const models = ['ft:gpt-4o-mini:acme::abc123', 'qwen2.5:7b', 'meta-llama/Llama-3.3-70B'];
    const model = await openModel({ models });
    for (const id of models)
      for (const name of [id, encodeURIComponent(id)])
        expect((await model.ask(`/v1/models/${name}`, '', get)).json, name).toMatchObject({ id });
    expect((await model.ask('/v1/models/%E0', '', get)).status).toBe(404);
    expect(model.calls()).toEqual([]);
    expect((await model.ask('/v1beta/models/qwen2.5:generateContent', '', get)).status).toBe(404);
    expect(model.calls()).toMatchObject([{ fault: { kind: 'unscripted' } }]);
  });

  test('every name exists where `models` is absent, as it does for a turn', async () => {
    const model = await openModel();
    const headers = { authorization: `Bearer ${model.key}`, 'x-api-key': model.key };
    const ofAnthropic = { ...get, headers: { ...headers, 'anthropic-version': '2023-06-01' } };
    for (const id of ['gpt-4.1-2025-04-14', 'ft:gpt-4o-mini:acme::abc123', 'meta-llama/two', 'claude-x'])
      expect((await model.ask(`/v1/models/${id}`, '', get)).json, id).toMatchObject({ id, object: 'model' });
    expect((await model.ask('/v1/models/claude-sonnet-4-5-20250929', '', ofAnthropic)).json).toMatchObject({
      type: 'model',
      id: 'claude-sonnet-4-5-20250929',
      lifecycle: 'active',
    });
    expect((await model.ask('/v1beta/models/gemini-flash-latest', '', get)).json).toEqual({
      name: 'models/gemini-flash-latest',
      version: '001',
      displayName: 'gemini-flash-latest',
      inputTokenLimit: 1_048_576,
      outputTokenLimit: 65_536,
      supportedGenerationMethods: ['generateContent', 'countTokens'],
    });
    expect((await model.ask('/v1beta/models/text-embedding-099', '', get)).json).toMatchObject({
      inputTokenLimit: 2_048,
      outputTokenLimit: 1,
      supportedGenerationMethods: ['embedContent', 'countTokens'],
    });
    expect(model.calls()).toEqual([]);
    expect((await model.ask('/v1beta/models/x/operations/1', '', get)).status).toBe(404);
    expect(model.calls()).toMatchObject([{ fault: { kind: 'unscripted' } }]);
  });

  test('one that exists is found in the form of every provider, as it is for a turn', async () => {
    const model = await openModel({ models: ['claude-x'] });
    expect((await model.ask('/v1/models/claude-x', '', get)).status).toBe(200);
    expect((await model.ask('/v1beta/models/claude-x', '', get)).status).toBe(200);
    expect((await model.ask('/v1beta/models/gemini-2.5-flash', '', get)).status).toBe(404);
  });

  test('not without a key, and it counts as no call', async () => {
    const model = await openModel();
    expect((await model.ask('/v1/models', '', { ...get, headers: {} })).status).toBe(401);
    expect((await model.ask('/v1/models', '', get)).text).toContain('gpt-4o');
    expect(model.calls()).toEqual([]);
  });
});

describe('strict', () => {
  const { path, body } = asking['openai-chat']();
  const messages = [...body.messages, { role: 'tool', tool_call_id: 'call_9', content: 'x' }];

  test('a history that a provider would reject is rejected, and the rule is named', async () => {
    const model = await openModel({ ...always, strict: true });
    const answer = await model.ask(path, { ...body, messages });
    expect(answer.status).toBe(400);
    expect(answer.text).toMatch(/call_9.*\((chat|openai)[.\w-]+\)/);
    expect(model.calls()).toMatchObject([{ fault: { kind: 'bad-history' } }]);
    expect((await model.ask(path, body)).status).toBe(200);
  });

  test('without it everything passes', async () => {
    const model = await openModel(always);
    expect((await model.ask(path, { ...body, messages })).status).toBe(200);
  });
});

describe('clients that misbehave', () => {
  const { path, body } = asking['openai-chat']();

  test('a tool whose schema is nested without end', async () => {
    const model = await openModel(always);
    const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    const tools = `[{"type":"function","function":{"name":"f","parameters":${deep}}}]`;
    const sent = `{"model":"m","messages":[{"role":"user","content":"x"}],"tools":${tools}}`;
    expect((await model.ask(path, sent)).status).toBe(400);
    expect(model.calls()).toMatchObject([{ fault: { kind: 'bad-request' } }]);
  });

  test('a body of 33 MB is refused, one of 31 MB is read', async () => {
    const model = await openModel(always);
    const filled = (bytes: number): string =>
      JSON.stringify({ ...body, messages: [{ role: 'user', content: 'x'.repeat(bytes) }] });
    const answer = await model.ask(path, filled(31 * 1024 * 1024));
    expect(answer.status).toBe(200);
    expect(model.calls()[0]?.usage?.input).toBeGreaterThan(8_000_000);
    const refused = await rawAnswer(model.url(), [
      `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer x\r\ncontent-length: ${33 * 1024 * 1024}\r\n\r\n`,
      'x'.repeat(64 * 1024),
    ]);
    expect(refused).toMatch(/^HTTP\/1\.1 413 /);
    expect(model.calls()).toMatchObject([{ status: 200 }, { status: 413, fault: { kind: 'bad-request' } }]);
  }, 20_000);

  test.each([
    ['no HTTP', ['\x16\x03\x01\x02\x00\x01\x00']],
    ['half a request', [`POST ${path} HTTP/1.1\r\ncontent-length: 100\r\n\r\n{"mod`]],
    [
      'a body that contradicts itself',
      [`POST ${path} HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx`],
    ],
  ])('%s', async (_, sent) => {
    const model = await openModel(always);
    expect(await rawAnswer(model.url(), sent)).toMatch(/^(?:$|HTTP\/1\.1 400 )/);
    expect((await model.ask(path, body)).status).toBe(200);
  });

  test('several requests at once on one connection are answered in their order', async () => {
    const model = await openModel();
    await model.begin({ agent: [{ says: 'first', afterMs: 30 }, { says: 'second' }] });
    const request = printed(path, body, model.key);
    const answer = await rawAnswer(model.url(), [
      request + request.replace('\r\n', '\r\nconnection: close\r\n'),
    ]);
    expect(answer.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    expect(answer.indexOf('first')).toBeLessThan(answer.indexOf('second'));
  });
});

function printed(path: string, body: unknown, key: string): string {
  const json = JSON.stringify(body);
  return `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-length: ${Buffer.byteLength(json)}\r\n\r\n${json}`;
}

async function rawAnswer(url: string, sent: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  for (const piece of sent) socket.write(piece);
  socket.end();
  return text(socket);
}
