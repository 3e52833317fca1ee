import { expect, test } from 'vitest';
import { type DialectName, dialectNames } from '../../src/protocols/turn/turn.ts';
import { asking, openModel } from './open-model.ts';

/** What langchain, LiteLLM, Codex and others look for. */
const knownWords: Readonly<Record<DialectName, Readonly<Record<string, string>>>> = {
  'openai-chat': {
    'context-overflow':
      "This model's maximum context length is 128000 tokens. However, your messages resulted",
    'rate-limit': 'Please try again in 20ms',
    overloaded: '"code":"server_is_overloaded"',
    authentication: 'Incorrect API key provided',
    'not-found': 'does not exist or you do not have access to it',
    billing: 'You exceeded your current quota',
  },
  'openai-responses': {
    'context-overflow': 'Your input exceeds the context window of this model.',
    'rate-limit': 'Please try again in 20ms',
    overloaded: '"code":"server_is_overloaded"',
    authentication: 'Incorrect API key provided',
    'not-found': 'does not exist or you do not have access to it',
    billing: 'You exceeded your current quota',
  },
  anthropic: {
    'context-overflow': 'prompt is too long: 205123 tokens > 200000 maximum',
    'rate-limit': 'would exceed the rate limit for your organization',
    overloaded: '"message":"Overloaded"',
    authentication: 'invalid x-api-key',
    'not-found': '"message":"model: ',
    billing: 'Your credit balance is too low',
  },
  gemini: {
    'context-overflow':
      'The input token count (1203467) exceeds the maximum number of tokens allowed (1048576).',
    'rate-limit': 'Quota exceeded for metric',
    overloaded: 'The model is overloaded.',
    authentication: 'API key not valid.',
    'not-found': 'is not found for API version',
    permission: 'The caller does not have permission',
  },
};

test.each(dialectNames)('each kind of refusal has the form that clients of %s recognize', async (dialect) => {
  const model = await openModel();
  const known = Object.entries(knownWords[dialect]);
  await model.begin({ agent: known.map(([kind]) => ({ error: { status: 400, kind } })) });
  const { path, body } = asking[dialect]();
  const said: [string, string][] = [];
  for (const [kind] of known) said.push([kind, (await model.ask(path, body)).text]);
  expect(said).toEqual(known.map(([kind, words]) => [kind, expect.stringContaining(words)]));
});
