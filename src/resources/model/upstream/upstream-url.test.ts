import { expect, test } from 'vitest';
import { upstreamUrl } from './open-upstreams.ts';

test.each([
  ['https://api.openai.com', '/v1/chat/completions', 'https://api.openai.com/v1/chat/completions'],
  ['https://api.openai.com/v1', '/v1/chat/completions', 'https://api.openai.com/v1/chat/completions'],
  ['https://api.openai.com/v1/', '/v1/responses', 'https://api.openai.com/v1/responses'],
  ['https://router.example/api/v1', '/v1/chat/completions', 'https://router.example/api/v1/chat/completions'],
  [
    'https://proxy.example/team',
    '/v1/messages?beta=true',
    'https://proxy.example/team/v1/messages?beta=true',
  ],
  ['http://127.0.0.1:8080', 'http://other/v1/messages', 'http://127.0.0.1:8080/v1/messages'],
  [
    'https://generativelanguage.googleapis.com',
    '/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse&key=theirs',
    'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse',
  ],
])('%s and %s', (base, target, url) => {
  expect(upstreamUrl(base, target).href).toBe(url);
});
