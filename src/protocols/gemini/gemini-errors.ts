/** Refusals as Google words them, printed and read. */
import { cutText } from '../../kernel/cut-text.ts';
import { isMap } from '../../kernel/is-map.ts';
import type { ProviderError } from '../turn/dialect.ts';
import { type FoldNotes, shownValue } from '../turn/fold-notes.ts';
import type { JsonObject, TurnError } from '../turn/turn.ts';

const mostMessageChars = 4_000;

const statusOfKind: Readonly<Record<ProviderError['kind'], string>> = {
  'invalid-request': 'INVALID_ARGUMENT',
  authentication: 'UNAUTHENTICATED',
  permission: 'PERMISSION_DENIED',
  'not-found': 'NOT_FOUND',
  'rate-limit': 'RESOURCE_EXHAUSTED',
  overloaded: 'UNAVAILABLE',
  server: 'INTERNAL',
  'context-overflow': 'INVALID_ARGUMENT',
  billing: 'FAILED_PRECONDITION',
};

export function printGeminiError({ status, kind, message }: ProviderError): JsonObject {
  if (kind === 'authentication' && status === 400)
    return { error: { code: status, message, status: 'INVALID_ARGUMENT', details: keyDetails(message) } };
  const word = kind === 'server' && status === 504 ? 'DEADLINE_EXCEEDED' : statusOfKind[kind];
  return { error: { code: status, message, status: word } };
}

/** An invalid key is a bad argument here; the subject is in the details. */
function keyDetails(message: string): readonly JsonObject[] {
  return [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'API_KEY_INVALID',
      domain: 'googleapis.com',
      metadata: { service: 'generativelanguage.googleapis.com' },
    },
    { '@type': 'type.googleapis.com/google.rpc.LocalizedMessage', locale: 'en-US', message },
  ];
}

/** Status 0 for one that came inside a stream. */
export function readError(body: unknown, status: number, notes: FoldNotes): TurnError {
  const whole = Array.isArray(body) ? body[0] : body;
  const error = isMap(whole) ? whole.error : undefined;
  if (!isMap(error)) {
    notes.fault('error-form', `the refusal is ${shownValue(error ?? body)}, without an error in it`);
    return {
      type: status === 0 ? 'UNKNOWN' : `http_${status}`,
      message: messageOf(error),
      ...codeOf(status || undefined),
    };
  }
  if (typeof error.status !== 'string')
    notes.fault('error-form', `the status of the error is ${shownValue(error.status)}, not a string`);
  return {
    type: typeof error.status === 'string' ? error.status : 'UNKNOWN',
    message: messageOf(error.message),
    ...codeOf(error.code ?? (status || undefined)),
  };
}

function messageOf(message: unknown): string {
  return typeof message === 'string' ? cutText(message, mostMessageChars) : '';
}

function codeOf(code: unknown): { readonly code?: string } {
  return typeof code === 'number' || typeof code === 'string' ? { code: cutText(String(code), 100) } : {};
}
