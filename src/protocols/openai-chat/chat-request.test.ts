import { describe, expect, test } from 'vitest';
import { openAiChatDialect } from './chat-dialect.ts';

const read = (body: unknown) => openAiChatDialect.readRequest(body, {});
const rules = (faults: readonly { readonly rule: string }[]): string[] => faults.map(({ rule }) => rule);

test.each([
  ['POST', '/v1/chat/completions', true],
  ['POST', '/chat/completions', true],
  ['POST', '/openai/deployments/gpt/chat/completions', true],
  ['POST', '/api/v1/chat/completions/', true],
  ['GET', '/v1/chat/completions', false],
  ['POST', '/v1/completions', false],
  ['POST', '/v1/wechat/completions', false],
  ['POST', '/v1/chat/completions/x', false],
])('%s %s', (method, path, isOurs) => {
  expect(openAiChatDialect.route(method, path) !== undefined).toBe(isOurs);
});

test('a request with everything', () => {
  const request = read({
    model: 'gpt-4o',
    stream: true,
    stream_options: { include_usage: true },
    max_completion_tokens: 100,
    tools: [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }],
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is ' },
          { type: 'image_url', image_url: {} },
          { type: 'text', text: 'this?' },
        ],
      },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'Hm.',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"/"}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'a cat' },
    ],
  });
  expect(request).toEqual({
    model: 'gpt-4o',
    stream: true,
    wantsUsage: true,
    system: 'Be kind.\nBe brief.',
    messages: [
      { role: 'system', text: 'Be kind.', calls: [], results: [] },
      { role: 'system', text: 'Be brief.', calls: [], results: [] },
      { role: 'user', text: 'What is this?', calls: [], results: [] },
      {
        role: 'assistant',
        text: '',
        calls: [{ id: 'a', name: 'read', arguments: { path: '/' } }],
        results: [],
      },
      { role: 'tool', text: 'a cat', calls: [], results: [{ id: 'a', text: 'a cat' }] },
    ],
    tools: [{ name: 'read', schema: { type: 'object' } }],
    maxTokens: 100,
    faults: [],
    historyFaults: [],
  });
});

test('usage is part of every body, and of a stream that was asked for it', () => {
  const ask = (rest: object): boolean => read({ model: 'm', messages: [], ...rest }).wantsUsage;
  expect([
    ask({}),
    ask({ stream: true }),
    ask({ stream: true, stream_options: { include_usage: true } }),
  ]).toEqual([true, false, true]);
});

test.each<[string, unknown, string[]]>([
  ['no object', 'x', ['chat.request.body']],
  ['no model', { messages: [] }, ['chat.request.model']],
  ['messages that are not a list', { model: 'm', messages: {} }, ['chat.request.messages']],
  ['an unknown role', { model: 'm', messages: [{ role: 'king', content: 'x' }] }, ['chat.request.message']],
  [
    'a role that every object has',
    { model: 'm', messages: [{ role: 'constructor' }] },
    ['chat.request.message'],
  ],
  [
    'content of the wrong kind',
    { model: 'm', messages: [{ role: 'user', content: 7 }] },
    ['chat.request.content'],
  ],
  ['a stream that is a text', { model: 'm', messages: [], stream: 'true' }, ['chat.request.stream']],
  ['tools that are not a list', { model: 'm', messages: [], tools: {} }, ['chat.request.tools']],
  ['a limit below one', { model: 'm', messages: [], max_tokens: 0 }, ['chat.request.max-tokens']],
])('%s is a fault in every mode', (_, body, expected) => {
  expect(rules(read(body).faults)).toEqual(expected);
});

describe('what a provider refuses in a history', () => {
  const user = { role: 'user', content: 'x' };
  const made = (id: unknown, extra: object = {}): unknown => ({
    id,
    type: 'function',
    function: { name: 'read', arguments: '{}', ...extra },
  });
  const asks = (...calls: unknown[]): unknown => ({ role: 'assistant', tool_calls: calls });
  const tells = (id: unknown): unknown => ({ role: 'tool', tool_call_id: id, content: 'ok' });

  test.each<[string, unknown[], string[]]>([
    ['nothing wrong', [user, asks(made('a'), made('b')), tells('b'), tells('a'), user], []],
    [
      'reasoning that is echoed',
      [user, { role: 'assistant', content: 'x', reasoning_content: 'y' }, user],
      [],
    ],
    ['no messages', [], ['chat.history.empty']],
    ['a result without a call', [user, tells('a')], ['chat.history.result-without-call']],
    [
      'a result behind another message',
      [user, asks(made('a')), user, tells('a')],
      ['chat.history.call-without-result', 'chat.history.result-without-call'],
    ],
    [
      'a call without a result',
      [user, asks(made('a'), made('b')), tells('a'), user],
      ['chat.history.call-without-result'],
    ],
    ['a call at the end', [user, asks(made('a'))], ['chat.history.call-without-result']],
    ['a result twice', [user, asks(made('a')), tells('a'), tells('a')], ['chat.history.answered-twice']],
    [
      'a result without an id',
      [user, asks(made('a')), tells(undefined)],
      ['chat.history.no-call-id', 'chat.history.call-without-result'],
    ],
    [
      'a result without content',
      [user, asks(made('a')), { role: 'tool', tool_call_id: 'a' }],
      ['chat.history.no-content'],
    ],
    ['an empty list of calls', [user, asks()], ['chat.history.empty-calls']],
    ['two calls with one id', [user, asks(made('a'), made('a')), tells('a')], ['chat.history.same-id']],
    ['an empty id', [user, asks(made(''))], ['chat.history.call-id']],
    ['an id that is too long', [user, asks(made('x'.repeat(41)))], ['chat.history.call-id']],
    [
      'arguments that are an object',
      [user, asks(made('a', { arguments: {} })), tells('a')],
      ['chat.history.arguments'],
    ],
    [
      'a name with a dot',
      [user, asks(made('a', { name: 'fs.read' })), tells('a')],
      ['chat.history.tool-name'],
    ],
    ['an assistant that says nothing', [user, { role: 'assistant', content: null }], ['chat.history.silent']],
    ['content without parts', [{ role: 'user', content: [] }], ['chat.history.no-parts']],
    ['a user message without content', [{ role: 'user', content: null }], ['chat.history.no-content']],
    ['an answer that was spoken', [user, { role: 'assistant', audio: { id: 'audio_1' } }, user], []],
    [
      'a call without a type',
      [user, asks({ id: 'a', function: { name: 'read', arguments: '{}' } }), tells('a')],
      ['chat.history.call-type'],
    ],
    [
      'an image as Anthropic has it',
      [{ role: 'user', content: [{ type: 'image', source: {} }] }],
      ['chat.history.part'],
    ],
    ['a film as vLLM has it', [{ role: 'user', content: [{ type: 'video_url', video_url: {} }] }], []],
    [
      'an image of a tool',
      [
        user,
        asks(made('a')),
        { role: 'tool', tool_call_id: 'a', content: [{ type: 'image_url', image_url: {} }] },
      ],
      ['chat.history.part'],
    ],
  ])('%s', (_, messages, expected) => {
    const request = read({ model: 'm', messages });
    expect(rules(request.historyFaults)).toEqual(expected);
    expect(request.faults).toEqual([]);
  });

  test('a model that reasons does not know max_tokens', () => {
    const ask = (model: string): object => ({ model, messages: [user], max_tokens: 9 });
    expect(rules(read(ask('o3')).historyFaults)).toEqual(['chat.limits.max-tokens']);
    expect(rules(read(ask('gpt-5-mini')).historyFaults)).toEqual(['chat.limits.max-tokens']);
    expect(rules(read(ask('gpt-5-chat-latest')).historyFaults)).toEqual([]);
    expect(rules(read(ask('gpt-4o')).historyFaults)).toEqual([]);
  });

  test.each([
    [{ stream_options: { include_usage: true } }, ['chat.limits.stream-options']],
    [{ stream_options: { include_usage: true }, stream: true }, []],
    [{ tool_choice: 'none' }, ['chat.limits.tool-choice']],
    [{ tool_choice: 'auto' }, ['chat.limits.tool-choice']],
    [{ tool_choice: 'auto', tools: [{ type: 'function', function: { name: 'a' } }] }, []],
  ])('what belongs to something that is not there: %j', (more, expected) => {
    expect(rules(read({ model: 'm', messages: [user], ...more }).historyFaults)).toEqual(expected);
  });

  test.each(['', 'a b', 'fs.read', 'x'.repeat(65)])('a tool that is called %j', (name) => {
    const tools = [{ type: 'function', function: { name } }];
    expect(rules(read({ model: 'm', messages: [user], tools }).historyFaults)).toEqual([
      'chat.history.tool-name',
    ]);
  });
});
