import { describe, expect, test } from 'vitest';
import { dialects } from '../../../protocols/dialects/dialect-table.ts';
import type { ModelCall } from '../model-call.ts';
import { type RecordedCall, type RequestParts, requestParts } from './cassette.ts';
import { findCall, knownIds } from './cassette-player.ts';
import { explainDrift } from './explain-drift.ts';

const tool = (name: string, type = 'string'): object => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: { path: { type } } } },
});

const base = {
  model: 'gpt-4o',
  messages: [
    { role: 'system', content: 'You are a helpful agent.' },
    { role: 'user', content: 'What is in my notes?' },
  ],
  tools: [tool('read_file'), tool('list_files')],
  temperature: 0,
};

function parts(change: object): RequestParts {
  const json = { ...base, ...change };
  return requestParts({ json, request: dialects['openai-chat'].readRequest(json, {}) });
}

const drift = (change: object): readonly string[] => explainDrift(parts({}), parts(change));

describe('what changed since the recording', () => {
  test('nothing', () => {
    expect(drift({})).toEqual([]);
  });

  test('the model', () => {
    expect(drift({ model: 'gpt-5' })).toEqual(['the model changed from gpt-4o to gpt-5']);
  });

  test('the system prompt, and not the messages', () => {
    const messages = [{ role: 'system', content: 'You are a terse agent.' }, base.messages[1]];
    expect(drift({ messages })).toEqual([
      'the system prompt changed: recorded "You are a helpful agent.", now "You are a terse agent."',
    ]);
  });

  test('tools: one that changed is named with the place, others by their name', () => {
    expect(drift({ tools: [tool('read_file', 'number'), tool('list_files')] })).toEqual([
      expect.stringMatching(/^the tool read_file changed: recorded "string", now "number", at .*path\.type$/),
    ]);
    expect(drift({ tools: [tool('list_files'), tool('write_file')] })).toEqual([
      'the tool read_file is no longer offered',
      'the tool write_file is new',
    ]);
    expect(drift({ tools: [tool('list_files'), tool('read_file')] })).toEqual([]);
  });

  test('a single tool where Gemini expects a list', () => {
    const offers = (type: string): RequestParts => {
      const json = {
        contents: { parts: { text: 'a' } },
        tools: { functionDeclarations: { name: 'look', type } },
      };
      return requestParts({ json, request: dialects.gemini.readRequest(json, { model: 'gemini-2.5-pro' }) });
    };
    expect(explainDrift(offers('OBJECT'), offers('OBJECT'))).toEqual([]);
    expect(explainDrift(offers('OBJECT'), offers('STRING'))).toEqual([
      expect.stringContaining('the tool look changed: recorded "OBJECT", now "STRING"'),
    ]);
  });

  test('messages: the first that changed, or their number', () => {
    expect(drift({ messages: [base.messages[0], { role: 'user', content: 'And now?' }] })).toEqual([
      expect.stringMatching(/^message 1 of 1 \(user\) changed: .*"What is in my notes\?".*"And now\?"/),
    ]);
    expect(drift({ messages: [...base.messages, { role: 'user', content: 'More' }] })).toEqual([
      'there are 2 messages, and 1 were recorded',
    ]);
  });

  test('parameters', () => {
    expect(drift({ temperature: 1, top_p: 0.5 })).toEqual([
      'the parameter temperature changed from 0 to 1',
      'the parameter top_p changed from nothing to 0.5',
    ]);
  });

  const [said, asked] = base.messages;
  test.each([
    [
      'another role',
      [{ ...said, role: 'developer' }, asked],
      'the role of the system prompt changed from system to developer',
    ],
    [
      'another place',
      [asked, said],
      'the system prompt moved: recorded before message 1, now before message 2',
    ],
  ])('the system prompt in %s', (_what, messages, what) => {
    expect(drift({ messages })).toEqual([what]);
    const { messages: _, ...prompt } = parts({}).prompt;
    expect(explainDrift({ ...parts({}), prompt }, parts({ messages })), 'an older recording').toEqual([]);
  });

  test('the system prompt in a message of its own', () => {
    const ask = (body: object): RequestParts => {
      const json = { model: 'gpt-5', ...body };
      return requestParts({ json, request: dialects['openai-responses'].readRequest(json, {}) });
    };
    const before = ask({ instructions: said?.content, input: [asked] });
    expect(explainDrift(before, ask({ input: [{ ...said, role: 'developer' }, asked] }))).toEqual([
      'the system prompt moved: recorded outside of the messages, now before message 1',
    ]);
  });

  test('marks for the cache of the provider count as the same, a name in a schema does not', () => {
    const ask = (mark: object, schema: object = {}): RequestParts => {
      const input = { path: '/notes', cache_control: 'no' };
      const json = {
        model: 'claude-sonnet-4-5',
        max_tokens: 9,
        system: [{ type: 'text', text: 'Be brief.', ...mark }],
        tools: [{ name: 'look', input_schema: { type: 'object', properties: { ...schema } }, ...mark }],
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'Look.', ...mark }] },
          { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'look', input, ...mark }] },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'a', ...mark }] },
            ],
          },
        ],
        ...mark,
      };
      return requestParts({ json, request: dialects.anthropic.readRequest(json, {}) });
    };
    const marked = { cache_control: { type: 'ephemeral' } };
    expect(explainDrift(ask(marked), ask({}))).toEqual([]);
    expect(explainDrift(ask({}), ask(marked))).toEqual([]);
    expect(explainDrift(ask({}), ask({}, marked))).toHaveLength(1);
    expect(drift({ tools: base.tools.map((one) => ({ ...one, ...marked })) })).toEqual([]);
    expect(drift({ prompt_cache_key: 'a', prompt_cache_retention: '24h' })).toEqual([]);
  });

  test('ids, dates and ports differ in every run, and are not drift', () => {
    const say = (id: string, day: string, port: number): object => ({
      messages: [
        { role: 'system', content: `Today is ${day}T10:00:00Z. Session ${id}.` },
        {
          role: 'user',
          content: `trial-${id.replaceAll('-', '').slice(0, 12)} at http://127.0.0.1:${port}/x`,
        },
      ],
    });
    const before = parts(say('0b7d3a52-8c1e-4f0a-9b51-6f2f1d9c7a10', '2026-01-02', 41_001));
    const after = parts(say('9f1c2d3e-4b5a-6978-8a9b-0c1d2e3f4a5b', '2026-03-04', 52_713));
    expect(explainDrift(before, after)).toEqual([]);
    expect(before.prompt.hash).toBe(after.prompt.hash);
  });

  test('a request that is nested extremely deep is still compared', () => {
    let deep: unknown = 'end';
    for (let level = 0; level < 120; level += 1) deep = [deep];
    expect(drift({ metadata: deep })).toEqual([expect.stringMatching('the parameter metadata changed')]);
    expect(explainDrift(parts({ messages: [deep] }), parts({ messages: [[deep]] }))).toHaveLength(1);
  });
});

test('ids that no longer map one to one are drift, and a tool beside declared functions is compared', () => {
  const uuid = (digit: string): string => `${digit.repeat(8)}-aaaa-4bbb-8ccc-${digit.repeat(12)}`;
  const [a, b, c, d] = ['1', '2', '3', '4'].map(uuid);
  const say = (content: string): RequestParts => parts({ messages: [{ role: 'user', content }] });
  const recorded = { caller: 'agent', dialect: 'openai-chat', request: say(`${a} and ${b}: refund ${a}`) };
  const dialect = dialects['openai-chat'];
  const wire = { path: '/v1/chat/completions' };
  const call = { caller: 'agent', dialect, wire, request: dialect.readRequest(base, {}) } as ModelCall;
  const found = (content: string) =>
    findCall(call, say(content), [recorded as unknown as RecordedCall], knownIds({ calls: [] }));
  expect(found(`${c} and ${d}: refund ${c}`)).toMatchObject({ drift: [], isCertain: true });
  expect(found(`${c} and ${d}: refund ${d}`).drift).toEqual([expect.stringContaining('an id changed')]);
  const offers = (more: object): RequestParts => {
    const json = { contents: [], tools: [{ functionDeclarations: [{ name: 'look' }], ...more }] };
    return requestParts({ json, request: dialects.gemini.readRequest(json, { model: 'gemini-2.5-pro' }) });
  };
  expect(explainDrift(offers({}), offers({ googleSearch: {} }))).toEqual(['the tool tool 2 is new']);
});
