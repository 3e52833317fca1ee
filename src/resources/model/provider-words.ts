/** What providers say when they refuse a request. Some clients parse these sentences. */
import type { HttpHeaders } from '../../protocols/http/http-message.ts';
import type { ProviderError } from '../../protocols/turn/dialect.ts';
import type { DialectName } from '../../protocols/turn/turn.ts';

export function noKey(dialect: DialectName): ProviderError {
  const [status, kind] = dialect === 'gemini' ? ([403, 'permission'] as const) : unauthorized;
  return { status, kind, message: noKeyWords[dialect] };
}

const unauthorized = [401, 'authentication'] as const;
const noBearer =
  "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).";
const noKeyWords: Readonly<Record<DialectName, string>> = {
  'openai-chat': noBearer,
  'openai-responses': noBearer,
  anthropic: 'x-api-key header is required',
  gemini:
    "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
};

export function wrongKey(dialect: DialectName): ProviderError {
  return {
    status: dialect === 'gemini' ? 400 : 401,
    kind: 'authentication',
    message: wrongKeyWords[dialect],
  };
}

const wrongKeyWords: Readonly<Record<DialectName, string>> = {
  'openai-chat': 'Incorrect API key provided.',
  'openai-responses': 'Incorrect API key provided.',
  anthropic: 'invalid x-api-key',
  gemini: 'API key not valid. Please pass a valid API key.',
};

/** In the words of the provider, with our own numbers where it has any. */
export function usualWords(dialect: DialectName, kind: ProviderError['kind'], model: string | null): string {
  if (kind === 'authentication') return wrongKeyWords[dialect];
  if (kind === 'not-found') return noSuchModel(dialect, model ?? 'unknown');
  return refusalWords[dialect][kind];
}

const openAiWords = {
  'invalid-request': 'The request is invalid.',
  permission: 'You have insufficient permissions for this operation.',
  'rate-limit':
    'Rate limit reached on tokens per min (TPM): Limit 30000, Used 29000, Requested 1010. Please try again in 20ms.',
  overloaded: 'Our servers are currently overloaded. Please try again later.',
  server: 'The server had an error while processing your request. Sorry about that!',
  'context-overflow':
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130211 tokens. Please reduce the length of the messages.",
  billing: 'You exceeded your current quota, please check your plan and billing details.',
};

const refusalWords: Readonly<Record<DialectName, typeof openAiWords>> = {
  'openai-chat': openAiWords,
  'openai-responses': {
    ...openAiWords,
    'context-overflow':
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
  },
  anthropic: {
    'invalid-request': 'The request is invalid.',
    permission: 'Your API key does not have permission to use the specified resource.',
    'rate-limit':
      'This request would exceed the rate limit for your organization of 50,000 input tokens per minute.',
    overloaded: 'Overloaded',
    server: 'Internal server error',
    'context-overflow': 'prompt is too long: 205123 tokens > 200000 maximum',
    billing:
      'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
  },
  gemini: {
    'invalid-request': 'Request contains an invalid argument.',
    permission: 'The caller does not have permission',
    'rate-limit':
      'You exceeded your current quota, please check your plan and billing details.\n* Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 10',
    overloaded: 'The model is overloaded. Please try again later.',
    server: 'An internal error has occurred. Please retry.',
    'context-overflow':
      'The input token count (1203467) exceeds the maximum number of tokens allowed (1048576).',
    billing:
      'Gemini API free tier is not available in your country. Please enable billing on your project in Google AI Studio.',
  },
};

export const errorKinds: readonly ProviderError['kind'][] = [
  ...(Object.keys(openAiWords) as (keyof typeof openAiWords)[]),
  'authentication',
  'not-found',
];

export function noSuchModel(dialect: DialectName, model: string): string {
  switch (dialect) {
    case 'anthropic':
      return `model: ${model}`;
    case 'gemini':
      return `models/${model} is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.`;
    default:
      return `The model \`${model}\` does not exist or you do not have access to it.`;
  }
}

/** Whether a provider would unpack a body is not documented; none is unpacked here. */
export function notJson(dialect: DialectName, headers: HttpHeaders): string {
  const packed = headers['content-encoding'];
  const why = packed === undefined ? '' : ` (its content-encoding is ${packed}; bodies are read as they are)`;
  return `${noJson(dialect)}${why}`;
}

function noJson(dialect: DialectName): string {
  switch (dialect) {
    case 'anthropic':
      return 'The request body is not valid JSON.';
    case 'gemini':
      return 'Invalid JSON payload received.';
    default:
      return 'We could not parse the JSON body of your request. The OpenAI API expects a JSON payload.';
  }
}

export const noVersion = 'anthropic-version: header is required';

export function noSuchPath(dialect: DialectName, method: string, path: string): string {
  return dialect === 'anthropic' ? 'Not Found' : `Invalid URL (${method} ${path})`;
}

/** The API of Google has no error for an unknown address: its frontend answers. */
export function geminiNotFound(path: string): string {
  const shown = path.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return `<!DOCTYPE html>
<html lang=en>
  <meta charset=utf-8>
  <title>Error 404 (Not Found)!!1</title>
  <p><b>404.</b> <ins>That’s an error.</ins>
  <p>The requested URL <code>${shown}</code> was not found on this server.  <ins>That’s all we know.</ins>
`;
}

export function tooLarge(dialect: DialectName): string {
  return dialect === 'anthropic'
    ? 'Request exceeds the maximum size'
    : 'The request body is larger than the maximum size of 32 MB.';
}
