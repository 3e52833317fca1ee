import { describe, expect, test } from 'vitest';
import { seal } from '../turn/seal.ts';
import { readAnthropicRequest as read } from './read-anthropic-request.ts';

const user = (content: unknown): object => ({ role: 'user', content });
const assistant = (content: unknown): object => ({ role: 'assistant', content });
const call = (id: string, input: unknown = {}): object => ({ type: 'tool_use', id, name: 'look', input });
const result = (tool_use_id: string, content: unknown = 'seen'): object => ({
  type: 'tool_result',
  tool_use_id,
  content,
});
const image = (media_type: string): object => ({
  type: 'image',
  source: { type: 'base64', media_type, data: 'aa' },
});
const text = (said: string): object => ({ type: 'text', text: said });

function request(messages: unknown, more: object = {}): object {
  return { model: 'claude', max_tokens: 100, messages, ...more };
}

function rules(messages: readonly unknown[]): readonly string[] {
  const { faults, historyFaults } = read(request(messages));
  expect(faults).toEqual([]);
  return historyFaults.map(({ rule }) => rule);
}

test('a request as clients send it', () => {
  const input_schema = { type: 'object', properties: { path: { type: 'string' } } };
  const read_ = read(
    request(
      [
        user('Read it.'),
        assistant([
          { type: 'thinking', thinking: 'so', signature: seal('so') },
          text('I look.'),
          call('t1', { path: 'a' }),
          call('t2'),
        ]),
        user([
          result('t1', [text('one'), text('two')]),
          { ...result('t2', 'no'), is_error: true },
          text('Go on.'),
        ]),
      ],
      {
        system: [text('Be brief.'), text('Be kind.')],
        tools: [
          { name: 'look', input_schema },
          { type: 'web_search_20250305', name: 'web_search' },
        ],
        stream: true,
      },
    ),
  );
  expect(read_).toEqual({
    model: 'claude',
    stream: true,
    wantsUsage: true,
    wantsSeals: true,
    system: 'Be brief.\nBe kind.',
    messages: [
      { role: 'user', text: 'Read it.', calls: [], results: [] },
      {
        role: 'assistant',
        text: 'I look.',
        calls: [
          { id: 't1', name: 'look', arguments: { path: 'a' } },
          { id: 't2', name: 'look', arguments: {} },
        ],
        results: [],
      },
      {
        role: 'tool',
        text: '',
        calls: [],
        results: [
          { id: 't1', text: 'one\ntwo' },
          { id: 't2', text: 'no', isError: true },
        ],
      },
      { role: 'user', text: 'Go on.', calls: [], results: [] },
    ],
    tools: [
      { name: 'look', schema: input_schema },
      { name: 'web_search', schema: undefined },
    ],
    maxTokens: 100,
    faults: [],
    historyFaults: [],
  });
});

test('tools that the messages add and withdraw', () => {
  const tool = (name: string): object => ({ name, input_schema: { type: 'object' } });
  const change = (type: string, tool: object): object => ({ type, tool });
  const added = (name: string): object =>
    change('tool_addition', { type: 'tool_definition', definition: tool(name) });
  const named = (type: string, name: string): object => change(type, { type: 'tool_reference', name });
  const system = (...content: readonly object[]): object => ({ role: 'system', content });
  const { tools, mayOfferMore, faults } = read(
    request(
      [
        user([{ type: 'compaction', content: 'so far', tool_changes: [added('b')] }]),
        system(added('c'), named('tool_removal', 'a'), named('tool_removal', 'b')),
        system(named('tool_addition', 'b'), added('c')),
      ],
      { tools: [tool('a')] },
    ),
  );
  expect(faults).toEqual([]);
  expect(tools.map(({ name }) => name)).toEqual(['b', 'c']);
  expect(mayOfferMore).toBeUndefined();
});

test.each([
  ['a toolset', { tools: [{ type: 'mcp_toolset', mcp_server_name: 'm' }] }],
  ['a server', { mcp_servers: [{ type: 'url', url: 'https://mcp.example.com', name: 'm' }] }],
  ['a thread', { thread: { type: 'continue', previous_message_id: 'msg_1' } }],
])('%s may offer more than is named', (_, more) => {
  expect(read(request([user('a')], more))).toMatchObject({ tools: [], mayOfferMore: true, faults: [] });
});

describe('a request that no provider would take', () => {
  test.each([
    [
      null,
      ['anthropic.request-form', 'anthropic.no-messages', 'anthropic.no-model', 'anthropic.no-max-tokens'],
    ],
    [{ model: 'claude', messages: [user('a')] }, ['anthropic.no-max-tokens']],
    [request([user('a')], { max_tokens: -1 }), ['anthropic.no-max-tokens']],
    [request([user('a')], { model: '' }), ['anthropic.no-model']],
    [request([]), ['anthropic.no-messages']],
    [request([{ role: 'developer', content: 'a' }, user('b')]), ['anthropic.role']],
    [request([user(7)]), ['anthropic.content-form']],
    [request([user([{ text: 'a' }])]), ['anthropic.block-form']],
    [request(['a']), ['anthropic.message-form']],
    [request([user('a')], { stream: 'yes' }), ['anthropic.field-type']],
    [request([user('a')], { system: 7 }), ['anthropic.system-form']],
    [request([user('a')], { temperature: 1.5 }), ['anthropic.temperature']],
    [request([user('a')], { temperature: null }), ['anthropic.temperature']],
    [request([user('a')], { tools: {} }), ['anthropic.tools-form']],
    [
      request([user('a')], { tools: [{ name: 'a b', input_schema: { type: 'object' } }] }),
      ['anthropic.tool-name'],
    ],
    [request([user('a')], { tools: [{ name: 'a' }] }), ['anthropic.tool-schema']],
    [
      request([user('a')], { tools: [{ name: 'a', input_schema: { type: 'string' } }] }),
      ['anthropic.tool-schema'],
    ],
    [
      request([user('a')], {
        tools: [
          { name: 'a', type: 'custom', input_schema: { type: 'object' } },
          { name: 'a', type: 'bash_20250124' },
        ],
      }),
      ['anthropic.tool-again'],
    ],
  ])('%j', (body, expected) => {
    expect(read(body).faults.map(({ rule }) => rule)).toEqual(expected);
  });
});

describe('history', () => {
  test('messages of one side in a row count as one', () => {
    expect(
      rules([
        user('a'),
        user('b'),
        assistant([call('t1')]),
        assistant([call('t2')]),
        user([result('t2')]),
        user([result('t1')]),
      ]),
    ).toEqual([]);
    expect(rules([user('a'), assistant('b'), user('c'), assistant('d')])).toEqual([]);
    expect(rules([user('a'), assistant('')])).toEqual([]);
    const signed = { type: 'thinking', thinking: 'as it came', signature: seal('as it came') };
    const hidden = { type: 'redacted_thinking', data: seal('x') };
    expect(rules([user('a'), assistant([signed, hidden, text('b')]), user('c')])).toEqual([]);
  });

  test.each([
    ['the assistant first', [assistant('a'), user('b')], ['anthropic.first-role']],
    ['a result without its call', [user([result('t1')])], ['anthropic.result-without-call']],
    [
      'a result too late',
      [user('a'), assistant([call('t1')]), user('b'), assistant('c'), user([result('t1')])],
      ['anthropic.call-without-result', 'anthropic.result-without-call'],
    ],
    [
      'a call without its result',
      [user('a'), assistant([call('t1'), call('t2')]), user([result('t1')])],
      ['anthropic.call-without-result'],
    ],
    ['a call at the end', [user('a'), assistant([call('t1')])], ['anthropic.call-without-result']],
    [
      'two results for one call',
      [user('a'), assistant([call('t1')]), user([result('t1'), result('t1')])],
      ['anthropic.result-again'],
    ],
    [
      'text before the result',
      [user('a'), assistant([call('t1')]), user([text('b'), result('t1')])],
      ['anthropic.results-first'],
    ],
    [
      'an id twice',
      [user('a'), assistant([call('t1'), call('t1')]), user([result('t1')])],
      ['anthropic.call-id-again'],
    ],
    ['an id with a dot', [user('a'), assistant([call('t.1')]), user([result('t.1')])], ['anthropic.call-id']],
    [
      'an input as text',
      [user('a'), assistant([call('t1', '{}')]), user([result('t1')])],
      ['anthropic.call-input'],
    ],
    ['an empty text', [user([text('')])], ['anthropic.empty-text']],
    ['blanks', [user(' \n')], ['anthropic.empty-text']],
    ['no content', [user(''), assistant('b'), user('c')], ['anthropic.empty-message']],
    [
      'thinking without signature',
      [user('a'), assistant([{ type: 'thinking', thinking: 'b' }, text('c')]), user('d')],
      ['anthropic.no-signature'],
    ],
    [
      'thinking with the signature of another thought',
      [
        user('a'),
        assistant([{ type: 'thinking', thinking: 'b', signature: seal('c') }, text('c')]),
        user('d'),
      ],
      ['anthropic.invalid-signature'],
    ],
    [
      'redacted thinking without a valid seal',
      [user('a'), assistant([{ type: 'redacted_thinking', data: 'abc' }, text('c')]), user('d')],
      ['anthropic.invalid-signature'],
    ],
    [
      'redacted thinking without data',
      [user('a'), assistant([{ type: 'redacted_thinking' }, text('c')]), user('d')],
      ['anthropic.no-redacted-data'],
    ],
    ['a call of the user', [user([call('t1')])], ['anthropic.block-role']],
    ['a picture', [user([image('image/png')])], []],
    ['a picture of another kind', [user([image('image/bmp')])], ['anthropic.image-type']],
    [
      'a picture of another kind, of a tool',
      [user('a'), assistant([call('t1')]), user([result('t1', [image('image/bmp')])])],
      ['anthropic.image-type'],
    ],
    ['a last message with a blank at its end', [user('a'), assistant('b ')], ['anthropic.trailing-space']],
  ])('%s', (_, messages, expected) => {
    expect(rules(messages)).toEqual(expected);
  });
});

test('system messages between turns, and a cache that is filled without an answer', () => {
  const system = { role: 'system', content: 'Be brief.' };
  const messages = [user('a'), assistant([call('t1')]), system, user([result('t1')]), system];
  const { faults, historyFaults, ...said } = read(request(messages, { max_tokens: 0, system: 'Be kind.' }));
  expect([...faults, ...historyFaults]).toEqual([]);
  expect(said).toMatchObject({ system: 'Be kind.\nBe brief.\nBe brief.', maxTokens: 0 });
  expect(said.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'system', 'tool', 'system']);
});

describe('limits', () => {
  const enabled = (budget_tokens: unknown): object => ({ thinking: { type: 'enabled', budget_tokens } });
  const tools = [{ name: 'look', input_schema: { type: 'object' } }];
  const marked = { ...text('a'), cache_control: { type: 'ephemeral' } };
  test.each([
    [{ ...enabled(1_024), max_tokens: 1_025 }, []],
    [{ ...enabled(2_000), max_tokens: 1_000, tools }, []],
    [{ ...enabled(1_024), max_tokens: 1_024 }, ['anthropic.thinking-budget']],
    [{ ...enabled(1_023), max_tokens: 2_000 }, ['anthropic.thinking-budget']],
    [{ ...enabled(undefined), max_tokens: 2_000 }, ['anthropic.thinking-budget']],
    [{ thinking: { type: 'adaptive' } }, []],
    [{ ...enabled(1_024), max_tokens: 2_000, temperature: 1 }, []],
    [{ ...enabled(1_024), max_tokens: 2_000, temperature: 0.2 }, ['anthropic.thinking-temperature']],
    [
      { ...enabled(1_024), max_tokens: 2_000, messages: [user('a'), assistant('b')] },
      ['anthropic.thinking-first'],
    ],
    [{ ...enabled(1_024), max_tokens: 2_000, messages: [user('a'), assistant([text('a paused turn')])] }, []],
    [{ messages: [user('a'), assistant('b')] }, []],
    [{ system: [text('')] }, ['anthropic.empty-text']],
    [
      { ...enabled(1_024), max_tokens: 2_000, tools, tool_choice: { type: 'any' } },
      ['anthropic.forced-tool'],
    ],
    [{ tools, tool_choice: { type: 'tool', name: 'look' } }, []],
    [{ tools, tool_choice: { type: 'tool', name: 'lock' } }, ['anthropic.unknown-tool']],
    [{ frequency_penalty: 1 }, ['anthropic.extra-input']],
    [{ messages: [{ ...user('a'), name: 'x' }] }, ['anthropic.extra-input']],
    [{ system: [marked, marked, marked, marked] }, []],
    [{ system: [marked, marked, marked], messages: [user([marked, marked])] }, ['anthropic.cache-marks']],
    [
      {
        messages: [
          user([{ ...text('a'), cache_control: null }]),
          assistant([call('t1', { cache_control: marked })]),
          user([result('t1')]),
        ],
      },
      [],
    ],
  ])('%j', (more, expected) => {
    const { faults, historyFaults } = read(request([user('a')], more));
    expect(faults).toEqual([]);
    expect(historyFaults.map(({ rule }) => rule)).toEqual(expected);
  });
});
