/** Recordings of requests other than turns, and of reasoning that only the real provider can check. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ScriptLine } from '../../src/resources/model/script-line.ts';
import type { ModelSpec } from '../../src/system/system.ts';
import { asking, type OpenModel, openModel } from './open-model.ts';

const usage = { input: 1_000, output: 100 };

let cassettes = '';
beforeEach(() => {
  cassettes = mkdtempSync(path.join(tmpdir(), 'cassettes-'));
});
afterEach(() => rmSync(cassettes, { recursive: true, force: true }));

async function openProvider(line: ScriptLine): Promise<OpenModel> {
  const provider = await openModel();
  await provider.begin({ outside: [line] });
  return provider;
}

/** Records what the provider says. */
async function openFront(provider: OpenModel, spec: Partial<ModelSpec> = {}): Promise<OpenModel> {
  const upstream = { url: provider.url('outside'), key: 'REAL_KEY' };
  const upstreams = { openai: upstream, anthropic: upstream, gemini: upstream };
  return openModel({ mode: 'record', upstreams, cassettes, ...spec }, { hostEnv: { REAL_KEY: 'sk-real' } });
}

test('a recording has embeddings, counts and completions too, and distinguishes them from turns', async () => {
  const input = 'What is in my notes?';
  const count = { model: 'gpt-4o', input };
  const questions = [
    ['/v1/embeddings', { model: 'text-embedding-3-small', input }],
    ['/v1beta/models/gemini-embedding-001:embedContent', { content: { parts: [{ text: input }] } }],
    ['/v1/messages/count_tokens', { ...asking.anthropic().body, max_tokens: undefined }],
    ['/v1/responses/input_tokens', count],
    ['/v1/completions', { model: 'gpt-4o', prompt: input }],
  ] as const;
  const provider = await openProvider({ says: 'Milk.', usage });
  const front = await openFront(provider);
  await front.begin(undefined, { trial: 'agent/notes', budget: { tokens: 40_000 } });
  const recorded = [];
  for (const [target, body] of questions) recorded.push((await front.ask(target, body)).text);
  await front.settle();
  const called = [
    { asks: 'embedding', status: 200, usage: { input: 5, output: 0 } },
    { asks: 'embedding', status: 200, usage: { input: 5, output: 0 } },
    { asks: 'count', status: 200, usage: { input: 0, output: 0 }, costUsd: 0 },
    { asks: 'count', status: 200 },
    { status: 200, usage },
  ];
  expect(front.calls()).toMatchObject(called);
  const played = await openModel({ mode: 'cassette', cassettes });
  await played.begin(undefined, { trial: 'agent/notes' });
  for (const [at, [target, body]] of questions.entries())
    expect((await played.ask(target, body)).text).toBe(recorded[at]);
  expect(played.calls()).toMatchObject(called);
  const other = await openModel({ mode: 'cassette', cassettes });
  await other.begin(undefined, { trial: 'agent/notes' });
  for (const [target, body] of questions.slice(0, 3)) await other.ask(target, body);
  await other.ask('/v1/responses', count);
  expect(other.calls().at(-1)?.fault?.what).toMatch(/^what is asked for changed from count to turn/);
});

test('a recording has signatures of its own, which only have to be there', async () => {
  const { path: target, body } = asking.anthropic();
  const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'of the real one' };
  const history = [
    ...body.messages,
    { role: 'assistant', content: [thinking] },
    { role: 'user', content: 'Well?' },
  ];
  const front = await openFront(await openProvider({ says: 'Milk.' }), { strict: true });
  await front.begin(undefined, { trial: 'agent/notes' });
  expect((await front.ask(target, { ...body, messages: history })).status).toBe(200);
  await front.settle();
  const played = await openModel({ mode: 'cassette', cassettes, strict: true });
  await played.begin(undefined, { trial: 'agent/notes' });
  expect((await played.ask(target, { ...body, messages: history })).text).toContain('Milk.');
  const scripted = await openModel({ strict: true });
  await scripted.begin({ agent: [{ says: 'Milk.' }] });
  expect((await scripted.ask(target, { ...body, messages: history })).status).toBe(400);
});

const gemini = '/v1beta/models/gemini-2.5-flash';
const azure = '/openai/deployments';
const turn = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] };
const chat = { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }] };
test.each([
  [
    'the parameter stream changed from false to true',
    `${gemini}:generateContent`,
    `${gemini}:streamGenerateContent?alt=sse`,
    turn,
  ],
  [
    'the parameter stream changed from true to false',
    `${gemini}:streamGenerateContent?alt=sse`,
    `${gemini}:generateContent`,
    turn,
  ],
  [
    'the parameter alt changed from "sse" to nothing',
    `${gemini}:streamGenerateContent?alt=sse`,
    `${gemini}:streamGenerateContent`,
    turn,
  ],
  [
    'the parameter alt changed from nothing to "sse"',
    `${gemini}:streamGenerateContent`,
    `${gemini}:streamGenerateContent?alt=sse`,
    turn,
  ],
  [
    'what is asked for changed from turn to count',
    `${gemini}:generateContent`,
    `${gemini}:countTokens`,
    turn,
  ],
  [
    'the deployment changed from small to large',
    `${azure}/small/chat/completions`,
    `${azure}/large/chat/completions`,
    chat,
  ],
])('what only the address says: %s', async (what, before, after, body) => {
  const front = await openFront(await openProvider({ says: 'Milk.', times: 'any' }));
  await front.begin(undefined, { trial: 'agent/notes' });
  expect((await front.ask(before, body)).status).toBe(200);
  await front.settle();
  const played = await openModel({ mode: 'cassette', cassettes });
  await played.begin(undefined, { trial: 'agent/notes' });
  const { status } = await played.ask(after, body);
  const fault = played.calls().at(-1)?.fault;
  expect([status, fault]).toEqual([400, { kind: 'drift', what: expect.stringContaining(what) }]);
  expect(fault?.what.split(';')).toHaveLength(2);
  const same = await openModel({ mode: 'cassette', cassettes });
  await same.begin(undefined, { trial: 'agent/notes' });
  expect((await same.ask(before, body)).status).toBe(200);
});
