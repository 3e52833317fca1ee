/** Refusals as the Anthropic messages API words them, printed and read. */
import { cutText } from '../../kernel/cut-text.ts';
import { isMap } from '../../kernel/is-map.ts';
import type { ProviderError } from '../turn/dialect.ts';
import { type FoldNotes, shownValue } from '../turn/fold-notes.ts';
import type { JsonObject, TurnError } from '../turn/turn.ts';

const mostMessageChars = 4_000;

const typeOfKind: Readonly<Record<ProviderError['kind'], string>> = {
  'invalid-request': 'invalid_request_error',
  authentication: 'authentication_error',
  permission: 'permission_error',
  'not-found': 'not_found_error',
  'rate-limit': 'rate_limit_error',
  overloaded: 'overloaded_error',
  server: 'api_error',
  'context-overflow': 'invalid_request_error',
  billing: 'billing_error',
};

/** Where the status says more than the kind. */
const typeOfStatus: Readonly<Record<number, string>> = {
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  504: 'timeout_error',
};

export function printAnthropicError({ status, kind, message, code }: ProviderError): JsonObject {
  const isPlain = kind === 'invalid-request' || kind === 'server';
  const type = (isPlain ? typeOfStatus[status] : undefined) ?? typeOfKind[kind];
  return {
    type: 'error',
    error: { type, message, ...(code === undefined ? {} : { details: { error_code: code } }) },
  };
}

/** Status 0 for one that came inside a stream. */
export function readError(body: unknown, status: number, notes: FoldNotes): TurnError {
  const error = isMap(body) ? body.error : undefined;
  if (isMap(error) && typeof error.type === 'string')
    return { type: error.type, message: messageOf(error.message), ...codeOf(status) };
  notes.fault('error-form', `the error is ${shownValue(error ?? body)}, without a type`);
  const message = isMap(error) ? error.message : error;
  return { type: status === 0 ? 'error' : `http_${status}`, message: messageOf(message), ...codeOf(status) };
}

function messageOf(message: unknown): string {
  return typeof message === 'string' ? cutText(message, mostMessageChars) : '';
}

function codeOf(status: number): { readonly code?: string } {
  return status === 0 ? {} : { code: String(status) };
}
