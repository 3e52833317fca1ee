/** Requests to a model other than turns: embeddings and counts, which need no line and may have one. */
import { describe, expect, test } from 'vitest';
import { asking, openModel } from './open-model.ts';

const embeddings = { path: '/v1/embeddings', body: { model: 'text-embedding-3-small', input: 'milk' } };
const count = {
  path: '/v1/messages/count_tokens',
  body: { model: 'claude-sonnet-5', messages: [{ role: 'user', content: 'milk' }] },
};

test('without a line they are answered, before an attempt and in one, and use up no line', async () => {
  const model = await openModel();
  expect((await model.ask(embeddings.path, embeddings.body)).status).toBe(200);
  const { path, body } = asking['openai-chat']();
  await model.begin({
    agent: [{ when: { text: 'milk' }, says: 'Yes.' }, { says: 'Next.' }],
  });
  expect((await model.ask(embeddings.path, embeddings.body)).status).toBe(200);
  expect((await model.ask(count.path, count.body)).json).toEqual({ input_tokens: 1 });
  const messages = [{ role: 'user', content: 'milk' }];
  expect((await model.ask(path, { ...body, messages })).text).toContain('Yes.');
  expect((await model.ask(path, body)).text).toContain('Next.');
  await model.settle();
  expect(model.unused()).toEqual([]);
  expect(model.calls().slice(1)).toMatchObject([
    { asks: 'embedding', call: 1, dialect: 'openai-chat', usage: { input: 1, output: 0 }, costUsd: 0.02e-6 },
    { asks: 'count', call: 2, dialect: 'anthropic', usage: { input: 0, output: 0 }, costUsd: 0 },
    { call: 3, line: 1 },
    { call: 4, line: 2 },
  ]);
});

test('a line that matches a request answers it once, and is reported as missing when there is no such request', async () => {
  const model = await openModel();
  await model.begin({
    agent: [
      { when: { asks: 'embedding' }, error: { status: 503 } },
      { when: { asks: 'count' }, usage: { input: 9, output: 0 }, expect: { model: 'other' } },
      { when: { asks: 'embedding', text: 'nobody says this' }, embeds: [[1]] },
    ],
  });
  expect((await model.ask(embeddings.path, embeddings.body)).status).toBe(503);
  expect((await model.ask(embeddings.path, embeddings.body)).status).toBe(200);
  expect((await model.ask(count.path, count.body)).json).toEqual({ input_tokens: 9 });
  await model.settle();
  expect(model.calls()).toMatchObject([
    { status: 503, line: 1 },
    { status: 200 },
    { line: 2, fault: { kind: 'unexpected-request' } },
  ]);
  expect(model.unused()).toMatchObject([{ line: 3, what: 'embeds 1 vectors' }]);
});

describe('what no provider embeds', () => {
  test.each([
    [{ model: 'm' }],
    [{ model: 'm', input: [] }],
    [{ model: 'm', input: ['a', ''] }],
    [{ model: 'm', input: { text: 'a' } }],
    [{ model: 'm', input: Array(2_049).fill('a') }],
    [{ input: 'a' }],
    [{ model: 'm', input: 'a', dimensions: 0 }],
    [{ model: 'm', input: 'a', dimensions: 1e9 }],
  ])('%j', async (body) => {
    const model = await openModel();
    expect((await model.ask(embeddings.path, body)).status).toBe(400);
    expect(model.calls()).toMatchObject([{ asks: 'embedding', fault: { kind: 'bad-request' } }]);
  });
});

test('a completion of several prompts gives the choices of each', async () => {
  const model = await openModel();
  await model.begin({ agent: [{ says: 'Hello.', expect: { text: 'a\nb' } }] });
  const answer = await model.ask('/v1/completions', { model: 'm', prompt: ['a', 'b'], n: 2 });
  const choices = [0, 1, 2, 3].map((index) => ({ index, text: 'Hello.' }));
  expect(JSON.parse(answer.text)).toMatchObject({ choices });
  for (const prompt of [[], [1, 2], ['a', 7], Array.from({ length: 129 }, () => 'a')])
    expect(await model.ask('/v1/completions', { model: 'm', prompt })).toMatchObject({ status: 400 });
});

test('a completion as it was before chats has no shapes', async () => {
  const model = await openModel();
  await model.begin({ agent: [{ says: 'Hello.', shape: 'C07' }] });
  const answer = await model.ask('/v1/completions', { model: 'm', prompt: 'Hi', stream: true });
  expect(answer.text).toContain('"object":"text_completion"');
  expect(model.calls()).toMatchObject([{ fault: { kind: 'unfit-shape' } }]);
});
