import { expect, test } from 'vitest';
import { readAnthropicRequest } from '../../protocols/anthropic/read-anthropic-request.ts';
import { readGeminiRequest } from '../../protocols/gemini/read-gemini-request.ts';
import { readChatRequest } from '../../protocols/openai-chat/read-chat-request.ts';
import { requestView } from './request-view.ts';

const calls = { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'look', input: {} }] };
const result = { type: 'tool_result', tool_use_id: 't1', content: '{"degrees":15}' };
const seen = { id: 't1', text: '{"degrees":15}', json: { degrees: 15 } };

function view(request: ReturnType<typeof readAnthropicRequest>): ReturnType<typeof requestView> {
  return requestView({ asks: 'turn', path: '/', headers: {}, json: {}, request });
}

test.each([
  ['results alone', [result], 'Look.'],
  ['user text next to the results', [result, { type: 'text', text: 'And now?' }], 'And now?'],
])('%s', (_, content, text) => {
  const messages = [{ role: 'user', content: 'Look.' }, calls, { role: 'user', content }];
  const read = view(readAnthropicRequest({ model: 'm', max_tokens: 9, messages }));
  expect(read).toMatchObject({ text, results: [seen], result: seen });
});

test('results of before the model spoke again are of another question', () => {
  const messages = [
    { role: 'user', content: 'Look.' },
    {
      role: 'assistant',
      tool_calls: [{ id: 't1', type: 'function', function: { name: 'look', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 't1', content: '15' },
    { role: 'assistant', content: 'It is mild.' },
    { role: 'user', content: 'And now?' },
  ];
  expect(view(readChatRequest({ model: 'm', messages }))).toMatchObject({ text: 'And now?', results: [] });
});

test('what the model sent in pieces is one turn', () => {
  const said = (role: string, text: string): object => ({ role, parts: [{ text }] });
  const contents = [said('user', 'Hi'), said('model', 'He'), said('model', 'llo'), said('user', 'And?')];
  expect(view(readGeminiRequest({ contents }, {}))).toMatchObject({ turn: 1, text: 'And?' });
});
