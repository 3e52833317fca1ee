/** Sends a refusal that a script asks for. */
import type { ProviderError } from '../../../protocols/turn/dialect.ts';
import type { CallOutcome, ModelCall } from '../model-call.ts';
import { errorKinds, usualWords } from '../provider-words.ts';
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
    isText ? (error.text ?? '') : JSON.stringify(error.json ?? refusalBody(call, providerError(call, error))),
  );
  return { status, usage: null };
}

/** Pages of proxies are what comes as text. */
function textType(text: string): string {
  return /^\s*</.test(text) ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8';
}

function providerError(
  { dialect, request }: ModelCall,
  { status, kind, message }: ScriptedError,
): ProviderError {
  const known = isKind(kind) ? kind : kindOf(status);
  return { status, kind: known, message: message ?? usualWords(dialect.name, known, request.model) };
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

export function isKind(kind: string | undefined): kind is ProviderError['kind'] {
  return errorKinds.some((known) => known === kind);
}

function lowerCased(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
