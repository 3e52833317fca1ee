/** Makes the refusals of providers: rate limits with every form of `Retry-After`, full context windows in many words, permanent errors. */
import { openAiChatDialect } from '../openai-chat/chat-dialect.ts';
import type { ProviderError } from '../turn/dialect.ts';
import type { MakeAnswer, WireAnswer } from './shape.ts';
import { answerOfBody } from './wire-answer.ts';

function refuse(error: ProviderError, headers: Readonly<Record<string, string>> = {}): WireAnswer {
  const body = openAiChatDialect.printError(error);
  return answerOfBody(body, {
    status: error.status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

export const chatRefusalMakers: Readonly<Record<string, MakeAnswer>> = {
  C41: ({ random, about }) => {
    const date = new Date((about.createdAt + 2) * 1000).toUTCString();
    const headers = random.pick<Readonly<Record<string, string>>>([
      { 'retry-after': '1' },
      { 'retry-after': '0' },
      { 'retry-after': date },
      { 'retry-after-ms': '1500' },
      { 'retry-after': 'soon' },
      { 'retry-after': '-1' },
      { 'retry-after': '86400000' },
    ]);
    return refuse({ status: 429, kind: 'rate-limit', message: 'Rate limit reached for requests' }, headers);
  },
  /** Two in three are full windows; the others are rate limits that mention tokens, too. */
  C42: ({ random }) =>
    random.next() < 2 / 3
      ? refuse({ status: random.pick([400, 413]), kind: 'context-overflow', message: random.pick(overflows) })
      : refuse({ status: 429, kind: 'rate-limit', message: random.pick(throttles) }),
  C43: ({ random }) =>
    refuse(
      random.pick<ProviderError>([
        {
          status: 400,
          kind: 'invalid-request',
          message: "Invalid value for 'temperature': must be at most 2.",
        },
        { status: 401, kind: 'authentication', message: 'Incorrect API key provided.' },
        { status: 402, kind: 'billing', message: 'Insufficient credits.' },
        { status: 403, kind: 'permission', message: 'Your project does not have access to this model.' },
        {
          status: 404,
          kind: 'not-found',
          message: 'The model does not exist or you do not have access to it.',
        },
        { status: 422, kind: 'invalid-request', message: 'Unprocessable entity.' },
      ]),
    ),
};

const overflows = [
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 130211 tokens. Please reduce the length of the messages.",
  'Your input exceeds the context window of this model. Please adjust your input and try again.',
  'prompt is too long: 205123 tokens > 200000 maximum',
  'input length and `max_tokens` exceed context limit: 198000 + 8192 > 200000, decrease input length or `max_tokens` and try again',
  'The input token count (1203467) exceeds the maximum number of tokens allowed (1048576).',
  'Prompt contains 34000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
  'Please reduce the length of the messages or completion.',
  'too many tokens: size limit exceeded by 1200 tokens. Try using shorter or fewer inputs.',
  'the request exceeds the available context size, try increasing it',
  'Input is too long for requested model.',
  "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
  "The input (34000 tokens) is longer than the model's context length (32768 tokens).",
];

const throttles = [
  'Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000.',
  'Too many tokens, please wait before trying again.',
  'Request too large for gpt-4o on tokens per min (TPM): Limit 10000, Requested 10500.',
];
