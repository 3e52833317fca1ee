/** One call of a third party in a recording, and the parts of a request by which it is recognised. */
import { redactValues } from '../../../journal/redact-values.ts';
import type { Redactor } from '../../../journal/redaction.ts';
import { redactSecretFields, secretsInFields } from '../../../journal/secret-fields.ts';
import { isMap } from '../../../kernel/is-map.ts';
import type { Cassette, RecordedResponse } from '../../cassette/cassette.ts';
import type { CallForm } from '../../cassette/cassette-file.ts';
import { responseFault } from '../../cassette/recorded-pieces.ts';
import type { WireRequest } from '../../wire/wire-server.ts';
import { plainBody, viewRequest } from '../peer-request.ts';

export interface ExchangeParts {
  readonly method: string;
  /** Without query. */
  readonly path: string;
  readonly query: FieldValues;
  /** One of these, where there is a body. */
  readonly json?: unknown;
  readonly form?: FieldValues;
  readonly text?: string;
  /** A body that is not text. */
  readonly base64?: string;
}

/** A list where a name occurs several times. */
type FieldValues = Readonly<Record<string, string | readonly string[]>>;

export function exchangeParts(request: WireRequest): ExchangeParts {
  const { method, path, target } = request;
  const mark = target.indexOf('?');
  const query = fieldsOf(mark === -1 ? '' : target.slice(mark + 1));
  return { method, path, query, ...bodyOf(request) };
}

/** Without credentials, declared as a secret or recognized by the name of their field. */
export function cleanParts(parts: ExchangeParts, redactor: Redactor): ExchangeParts {
  const { method, ...rest } = parts;
  return { method, ...(redactSecretFields(redactValues(rest, redactor)) as Omit<ExchangeParts, 'method'>) };
}

/** What a consumer sent in fields whose names mark credentials. */
export function secretsInParts({ query, json, form }: ExchangeParts): ReturnType<typeof secretsInFields> {
  return secretsInFields([query, json, form]);
}

function bodyOf(request: WireRequest): Pick<ExchangeParts, 'json' | 'form' | 'text' | 'base64'> {
  const body = plainBody(request);
  if (body.length === 0) return {};
  const { text, json, form } = viewRequest(request);
  if (form !== undefined) return { form: fieldsOf(text) };
  if (json !== undefined) return { json };
  return Buffer.from(text).equals(body) ? { text } : { base64: body.toString('base64') };
}

function fieldsOf(text: string): FieldValues {
  const fields: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const before = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (before === undefined) define(fields, name, value);
    else define(fields, name, Array.isArray(before) ? [...before, value] : [before, value]);
  }
  return fields;
}

/** A field may be called `__proto__`. */
function define(fields: object, name: string, value: string | string[]): void {
  Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
}

export type PeerCassette = Cassette<RecordedExchange>;

export interface RecordedExchange {
  readonly caller: string;
  /** The n-th of the caller that was passed on, from 1. */
  readonly call: number;
  /** Never with credentials. */
  readonly request: ExchangeParts;
  readonly response: RecordedResponse;
}

export const exchangeForm: CallForm = { kind: 'http', fault: exchangeFault };

function exchangeFault(call: unknown): string | undefined {
  const { caller, request, response } = call as Readonly<Record<string, unknown>>;
  if (typeof caller !== 'string') return '`caller` is missing';
  if (!isMap(request) || typeof request.method !== 'string' || typeof request.path !== 'string')
    return '`request` is incomplete';
  if (!isMap(request.query)) return '`request.query` is not a map';
  return responseFault(response);
}
