/** Sends a refusal that a script asks for. */
import type { ProviderError } from '../../../protocols/turn/dialect.ts';
import type { CallOutcome, ModelCall } from '../model-call.ts';
import { headOf, idHeader, refusalBody } from '../refuse-call.ts';
import type { ScriptedError } from '../script-line.ts';

export function sendError(call: ModelCall, error: ScriptedError): CallOutcome {
  const { status, retryAfter } = error;
  const isText = error.text !== undefined && error.json === undefined;
  call.reply.send(
    status,
    {
      ...(isText
        ? { 'content-type': textType(error.text ?? ''), ...idHeader(call.dialect.name, call.requestId) }
        : headOf(call)),
      ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
      ...lowerCased(error.headers ?? {}),
    },
    isText ? (error.text ?? '') : JSON.stringify(error.json ?? refusalBody(call, providerError(error))),
  );
  return { status, usage: null };
}

/** Pages of proxies are what comes as text. */
function textType(text: string): string {
  return /^\s*</.test(text) ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8';
}

function providerError({ status, kind, message }: ScriptedError): ProviderError {
  const known = isKind(kind) ? kind : kindOf(status);
  return { status, kind: known, message: message ?? usualMessages[known] };
}

function kindOf(status: number): ProviderError['kind'] {
  return kinds[status] ?? (status >= 500 ? 'server' : 'invalid-request');
}

const kinds: Readonly<Record<number, ProviderError['kind']>> = {
  401: 'authentication',
  402: 'billing',
  403: 'permission',
  404: 'not-found',
  429: 'rate-limit',
  503: 'overloaded',
  529: 'overloaded',
};

const usualMessages: Readonly<Record<ProviderError['kind'], string>> = {
  'invalid-request': 'The request is invalid.',
  authentication: 'The API key is not valid.',
  permission: 'The API key does not have permission to use this resource.',
  'not-found': 'The requested resource was not found.',
  'rate-limit': 'Rate limit reached. Please try again later.',
  overloaded: 'The service is overloaded. Please try again later.',
  server: 'The server had an error while processing your request.',
  'context-overflow': 'The prompt is longer than the context window of the model.',
  billing: 'The credit balance is too low.',
};

export function isKind(kind: string | undefined): kind is ProviderError['kind'] {
  return kind !== undefined && Object.hasOwn(usualMessages, kind);
}

export const errorKinds = Object.keys(usualMessages);

function lowerCased(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
