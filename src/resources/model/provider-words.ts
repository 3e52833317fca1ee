/** What providers say when they refuse a request before any model has seen it. */
import type { DialectName } from '../../protocols/turn/turn.ts';

export function noKey(dialect: DialectName): string {
  switch (dialect) {
    case 'anthropic':
      return 'x-api-key header is required';
    case 'gemini':
      return "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.";
    default:
      return "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).";
  }
}

export function wrongKey(dialect: DialectName): string {
  switch (dialect) {
    case 'anthropic':
      return 'invalid x-api-key';
    case 'gemini':
      return 'API key not valid. Please pass a valid API key.';
    default:
      return 'Incorrect API key provided.';
  }
}

export function noSuchModel(dialect: DialectName, model: string): string {
  switch (dialect) {
    case 'anthropic':
      return `model: ${model}`;
    case 'gemini':
      return `models/${model} is not found for API version v1beta, or is not supported for generateContent.`;
    default:
      return `The model \`${model}\` does not exist or you do not have access to it.`;
  }
}

export function notJson(dialect: DialectName): string {
  switch (dialect) {
    case 'anthropic':
      return 'The request body is not valid JSON.';
    case 'gemini':
      return 'Invalid JSON payload received.';
    default:
      return 'We could not parse the JSON body of your request. The OpenAI API expects a JSON payload.';
  }
}

export function noSuchPath(dialect: DialectName, method: string, path: string): string {
  return dialect === 'anthropic' ? `Not Found: ${method} ${path}` : `Invalid URL (${method} ${path})`;
}

export function tooLarge(dialect: DialectName): string {
  return dialect === 'anthropic'
    ? 'Request exceeds the maximum size'
    : 'The request body is larger than the maximum size of 32 MB.';
}
