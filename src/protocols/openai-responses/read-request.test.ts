import { describe, expect, test } from 'vitest';
import { seal } from '../turn/seal.ts';
import { responsesDialect } from './responses-dialect.ts';

const read = (body: unknown) => responsesDialect.readRequest(body, {});
const history = (input: readonly unknown[], more: object = {}): readonly string[] =>
  read({ model: 'm', input, ...more }).historyFaults.map(({ rule }) => rule);

const user = { role: 'user', content: 'Hi' };
const call = { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'read', arguments: '{"a":1}' };
const output = { type: 'function_call_output', call_id: 'c1', output: 'done' };
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: seal('x') };

test('a request is read as a conversation', () => {
  const request = read({
    model: 'gpt-5',
    stream: true,
    instructions: 'Be brief.',
    max_output_tokens: 100,
    tools: [{ type: 'function', name: 'read', parameters: { type: 'object' } }, { type: 'web_search' }],
    input: [
      { role: 'developer', content: [{ type: 'input_text', text: 'Be kind.' }] },
      user,
      reasoning,
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Let me see.' }] },
      call,
      output,
    ],
  });
  expect(request).toEqual({
    model: 'gpt-5',
    stream: true,
    wantsUsage: true,
    wantsSeals: false,
    system: 'Be brief.\nBe kind.',
    messages: [
      { role: 'system', text: 'Be kind.', calls: [], results: [] },
      { role: 'user', text: 'Hi', calls: [], results: [] },
      {
        role: 'assistant',
        text: 'Let me see.',
        calls: [{ id: 'c1', name: 'read', arguments: { a: 1 } }],
        results: [],
      },
      { role: 'tool', text: 'done', calls: [], results: [{ id: 'c1', text: 'done' }] },
    ],
    tools: [{ name: 'read', schema: { type: 'object' } }],
    maxTokens: 100,
    faults: [],
    historyFaults: [],
  });
});

test('tools of a namespace have its name before theirs, wherever they are offered', () => {
  const add = { type: 'function', name: 'add' };
  const calc = { type: 'namespace', name: 'calc', tools: [add, { type: 'custom', name: 'run' }] };
  const made = { ...call, name: 'add', namespace: 'calc' };
  const { tools, messages, mayOfferMore } = read({
    model: 'm',
    tools: [calc, { type: 'web_search_preview' }],
    input: [
      { type: 'additional_tools', role: 'developer', tools: [add] },
      user,
      made,
      { ...call, namespace: '' },
      output,
    ],
  });
  expect(tools).toEqual([
    { name: 'calc.add', schema: null, namespace: 'calc' },
    { name: 'calc.run', schema: null, isCustom: true, namespace: 'calc' },
    { name: 'add', schema: null },
  ]);
  expect(messages[1]?.calls.map(({ name }) => name)).toEqual(['calc.add', call.name]);
  expect(mayOfferMore).toBeUndefined();
});

test.each([{ tools: [{ type: 'tool_search' }] }, { prompt: { id: 'pmpt_1' } }])(
  'more may be offered than %j names',
  (more) => expect(read({ model: 'm', input: 'Hi', ...more }).mayOfferMore).toBe(true),
);

test('a text alone is what the user says', () => {
  expect(read({ model: 'm', input: 'Hi' })).toMatchObject({
    stream: false,
    messages: [{ role: 'user', text: 'Hi' }],
    faults: [],
  });
});

test.each<[string, unknown]>([
  ['request-body', 'Hi'],
  ['request-body', null],
  ['no-model', { input: 'Hi' }],
  ['no-input', { model: 'm' }],
  ['bad-input', { model: 'm', input: 7 }],
  ['bad-input', { model: 'm', input: ['Hi'] }],
  ['bad-tools', { model: 'm', input: 'Hi', tools: {} }],
  ['bad-stream', { model: 'm', input: 'Hi', stream: 'yes' }],
  ['bad-max-tokens', { model: 'm', input: 'Hi', max_output_tokens: 0 }],
])('%s: %j', (rule, body) => {
  expect(read(body).faults.map((fault) => fault.rule)).toEqual([`responses.${rule}`]);
});

test('what is stored at the provider needs neither model nor input here', () => {
  const output = { type: 'function_call_output', call_id: 'call_1', output: '3' };
  const stored = [{ role: 'user', content: 'Hi' }, { type: 'item_reference', id: 'fc_1' }, output];
  expect(read({ model: 'm', input: stored }).historyFaults).toEqual([]);
  const named = [{ id: 'fc_1' }, { id: 'fc_1', type: null }, output];
  expect(read({ model: 'm', input: named }).historyFaults).toEqual([]);
  expect(read({ prompt: { id: 'pmpt_1' } }).faults).toEqual([]);
  expect(read({ model: 'm', previous_response_id: 'resp_1' }).faults).toEqual([]);
});

describe('the history, as the provider enforces it', () => {
  test.each<[string, readonly unknown[]]>([
    ['output-without-call', [user, output]],
    ['call-without-output', [user, call]],
    ['reasoning-without-follower', [user, reasoning]],
    ['reasoning-without-follower', [reasoning, user]],
    ['duplicate-item', [call, { ...call, call_id: 'c2' }, output, { ...output, call_id: 'c2' }]],
    ['reasoning-without-summary', [{ type: 'reasoning', id: 'rs_1' }, call, output]],
    [
      'reasoning-with-text',
      [{ ...reasoning, content: [{ type: 'reasoning_text', text: 'Hm' }] }, call, output],
    ],
    ['invalid-signature', [{ ...reasoning, encrypted_content: 'x' }, call, output]],
    ['arguments-not-text', [{ ...call, arguments: {} }, output]],
    ['wrong-content-type', [{ role: 'assistant', content: [{ type: 'input_text', text: 'Hi' }] }]],
    ['wrong-content-type', [{ role: 'user', content: [{ type: 'output_text', text: 'Hi' }] }]],
    ['wrong-content-type', [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }]],
    ['role', [user, { role: 'tool', tool_call_id: 'c1', content: 'done' }]],
    ['output-type', [call, { ...output, output: null }]],
    ['output-type', [call, { ...output, output: { a: 1 } }]],
  ])('%s', (rule, input) => {
    expect(history(input)).toEqual([`responses.${rule}`]);
  });

  test.each([
    ['moved-parameter', { max_tokens: 9 }],
    ['moved-parameter', { response_format: { type: 'json_object' } }],
    ['tool-without-name', { tools: [{ type: 'function', function: { name: 'read' } }] }],
  ])('%s: %j, as of chat completions', (rule, more) => {
    const { historyFaults } = read({ model: 'm', input: 'Hi', ...more });
    expect(historyFaults.map((fault) => fault.rule)).toEqual([`responses.${rule}`]);
  });

  test('what is in order is accepted', () => {
    expect(history([user, reasoning, call, output, { role: 'assistant', content: 'Done.' }])).toEqual([]);
    expect(history([output], { previous_response_id: 'resp_1' })).toEqual([]);
    const { encrypted_content: _, ...kept } = reasoning;
    expect(history([kept, call, output])).toEqual([]);
    expect(history([kept, call, output], { store: false })).toEqual(['responses.reasoning-not-kept']);
  });
});
