/** What a model saw, in four dialects. */
import { expect, test } from 'vitest';
import { messagesOf, toolsOf } from './messages.ts';

const system = { role: 'system', parts: [{ kind: 'text', text: 'Be brief.' }] };
const user = { role: 'user', parts: [{ kind: 'text', text: 'Weather?' }] };
const given = { city: 'Rome' };
const called = { kind: 'call', name: 'weather', id: 'c1', given };
const result = { kind: 'result', id: 'c1', value: { sky: 'clear' } };

test('chat completions', () => {
  const tool_calls = [
    { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } },
  ];
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
    { role: 'assistant', content: null, tool_calls },
    { role: 'tool', tool_call_id: 'c1', content: '{"sky":"clear"}' },
  ];
  expect(messagesOf({ messages })).toEqual([
    ...[system, user, { role: 'assistant', parts: [called] }, { role: 'tool', parts: [result] }],
  ]);
  expect(toolsOf({ tools: [{ type: 'function', function: { name: 'weather' } }] })).toEqual(['weather']);
});

test('responses', () => {
  const input = [
    { role: 'user', content: [{ type: 'input_text', text: 'Weather?' }] },
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'I look.' }] },
    { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{"city":"Rome"}' },
    { type: 'function_call_output', call_id: 'c1', output: '{"sky":"clear"}' },
  ];
  expect(messagesOf({ instructions: 'Be brief.', input })).toEqual([
    ...[system, user, { role: 'assistant', parts: [{ kind: 'thinking', text: 'I look.' }] }],
    ...[
      { role: 'assistant', parts: [called] },
      { role: 'tool', parts: [result] },
    ],
  ]);
  expect(messagesOf({ input: 'Weather?' })).toEqual([user]);
  expect(toolsOf({ tools: [{ type: 'function', name: 'weather' }] })).toEqual(['weather']);
});

test('messages', () => {
  const content = [{ type: 'text', text: '{"sky":"clear"}' }];
  const messages = [
    { role: 'user', content: 'Weather?' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'I look.' },
        { type: 'tool_use', id: 'c1', name: 'weather', input: given },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content }] },
  ];
  expect(messagesOf({ system: 'Be brief.', messages })).toEqual([
    ...[system, user, { role: 'assistant', parts: [{ kind: 'thinking', text: 'I look.' }, called] }],
    { role: 'user', parts: [result] },
  ]);
  expect(toolsOf({ tools: [{ name: 'weather', input_schema: {} }] })).toEqual(['weather']);
});

test('generate content', () => {
  const contents = [
    { role: 'user', parts: [{ text: 'Weather?' }] },
    {
      role: 'model',
      parts: [
        { text: 'I look.', thought: true },
        { functionCall: { id: 'c1', name: 'weather', args: given } },
      ],
    },
    {
      role: 'user',
      parts: [{ functionResponse: { id: 'c1', name: 'weather', response: { sky: 'clear' } } }],
    },
  ];
  expect(messagesOf({ systemInstruction: { parts: [{ text: 'Be brief.' }] }, contents })).toEqual([
    ...[system, user, { role: 'model', parts: [{ kind: 'thinking', text: 'I look.' }, called] }],
    { role: 'user', parts: [result] },
  ]);
  expect(toolsOf({ tools: [{ functionDeclarations: [{ name: 'weather' }] }] })).toEqual(['weather']);
});

test('what is none of these is shown as it is, and never fails', () => {
  expect(messagesOf(null)).toEqual([]);
  expect(messagesOf({ messages: [7, { role: 'user', content: { odd: 1 } }] })).toEqual([
    { role: '?', parts: [{ kind: 'other', value: 7 }] },
    { role: 'user', parts: [{ kind: 'other', value: { odd: 1 } }] },
  ]);
});
