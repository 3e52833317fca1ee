/** Refusals and failures of chat completions: the envelope that OpenAI sends, and the ones that others send. */
import { cutText } from '../../kernel/cut-text.ts';
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import type { ProviderError } from '../turn/dialect.ts';
import type { JsonObject, TurnError } from '../turn/turn.ts';

const mostMessageChars = 2_000;

/** Undefined where the value does not report a failure. */
export function errorOf(value: JsonMap): unknown {
  const { error } = value;
  if (error !== undefined && error !== null && error !== '') return error;
  return value.object === 'error' ? value : undefined;
}

/** From whatever is under `error`: an object, a text, a number. */
export function readChatError(error: unknown): TurnError {
  if (!isMap(error)) return { type: 'error', message: textOf(error) ?? 'the provider gave no reason' };
  const code = textOf(error.code);
  return {
    type: textOf(error.type) ?? code ?? 'error',
    message: textOf(error.message) ?? 'the provider gave no reason',
    ...(code === undefined ? {} : { code }),
  };
}

/** It has what OpenAI's own envelope has. */
export function isProperError(error: unknown): boolean {
  return isMap(error) && typeof error.type === 'string' && typeof error.message === 'string';
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string' || value === '') return undefined;
  return cutText(value, mostMessageChars);
}

export function printChatError({ kind, message, code: own }: ProviderError): JsonObject {
  const { type, code, param } = envelopes[kind];
  return { error: { message, type, param: param ?? null, code: own ?? code ?? null } };
}

interface Envelope {
  readonly type: string;
  readonly code?: string;
  readonly param?: string;
}

const envelopes: Readonly<Record<ProviderError['kind'], Envelope>> = {
  'invalid-request': { type: 'invalid_request_error' },
  authentication: { type: 'invalid_request_error', code: 'invalid_api_key' },
  permission: { type: 'invalid_request_error', code: 'insufficient_permissions' },
  'not-found': { type: 'invalid_request_error', code: 'model_not_found' },
  'rate-limit': { type: 'tokens', code: 'rate_limit_exceeded' },
  overloaded: { type: 'service_unavailable_error', code: 'server_is_overloaded' },
  server: { type: 'server_error' },
  'context-overflow': { type: 'invalid_request_error', code: 'context_length_exceeded', param: 'messages' },
  billing: { type: 'insufficient_quota', code: 'insufficient_quota' },
};
