/** What providers say when they refuse a request before any model has seen it. */
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

/** Google has no words of the API for an address that it does not know: its front door answers. */
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
