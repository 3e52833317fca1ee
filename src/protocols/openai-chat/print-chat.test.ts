import { expect, test } from 'vitest';
import type { PrintAbout } from '../turn/dialect.ts';
import type { Turn } from '../turn/turn.ts';
import { openAiChatDialect } from './chat-dialect.ts';

const about: PrintAbout = { id: 'chatcmpl-1', model: 'm', createdAt: 7, wantsUsage: true, pieceChars: 8 };
const turn: Turn = {
  parts: [
    { kind: 'text', text: 'Voilà 👍' },
    { kind: 'call', id: 'call_1', name: 'read', arguments: { path: '/x' } },
  ],
  stop: 'tool-calls',
  usage: { input: 10, output: 5, cachedInput: 4 },
};

test('a stream as OpenAI sends it', () => {
  const events = openAiChatDialect.printEvents(turn, about);
  const served = '"service_tier":"default","system_fingerprint":"fp_5ba4ed0917"';
  const head = `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":7,"model":"m",${served}`;
  const chunk = (delta: string, finish = 'null'): string =>
    `${head},"choices":[{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finish}}],"usage":null}`;
  const fragment = (text: string): string =>
    chunk(`{"tool_calls":[{"index":0,"function":{"arguments":${text}}}]}`);
  const usage = {
    prompt_tokens: 10,
    completion_tokens: 5,
    total_tokens: 15,
    prompt_tokens_details: { cached_tokens: 4, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
  expect(events.map(({ data }) => data)).toEqual([
    chunk('{"role":"assistant","content":"","refusal":null}'),
    chunk('{"content":"Voilà 👍"}'),
    chunk(
      '{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"read","arguments":""}}]}',
    ),
    fragment('"{\\"path\\":"'),
    fragment('"\\"/x\\"}"'),
    chunk('{}', '"tool_calls"'),
    `${head},"choices":[],"usage":${JSON.stringify(usage)}}`,
    '[DONE]',
  ]);
});

test('a stream that was not asked for usage has none', () => {
  const events = openAiChatDialect.printEvents(turn, { ...about, wantsUsage: false });
  expect(events.filter(({ data }) => data.includes('usage'))).toEqual([]);
});

test('a body as OpenAI sends it', () => {
  expect(openAiChatDialect.printBody(turn, about)).toMatchObject({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 7,
    model: 'm',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'Voilà 👍',
          refusal: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"/x"}' } },
          ],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  });
});

test('a reason that the parts contradict is never printed', () => {
  const word = (stop: Turn['stop'], parts: Turn['parts']): unknown =>
    (openAiChatDialect.printBody({ parts, stop }, about).choices as { finish_reason: unknown }[])[0]
      ?.finish_reason;
  expect([
    word('tool-calls', []),
    word('end', turn.parts),
    word('length', turn.parts),
    word('context', []),
  ]).toEqual(['stop', 'tool_calls', 'length', 'length']);
});

test('refusals in the envelope of OpenAI are read back', () => {
  for (const kind of ['authentication', 'rate-limit', 'context-overflow', 'overloaded', 'billing'] as const) {
    const body = openAiChatDialect.printError({ status: 400, kind, message: 'No.' });
    const folded = openAiChatDialect.foldBody(body, 400);
    expect(folded).toMatchObject({ complete: false, faults: [], oddities: [], error: { message: 'No.' } });
  }
  const overflow = openAiChatDialect.printError({
    status: 400,
    kind: 'context-overflow',
    message: 'Too long.',
  });
  expect(overflow).toEqual({
    error: {
      message: 'Too long.',
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    },
  });
});
