/** Refuses a call in the words of its dialect. */
import type { ModelFault, ModelFaultKind } from '../../journal/peer-event.ts';
import type { Dialect, ProviderError } from '../../protocols/turn/dialect.ts';
import type { DialectName } from '../../protocols/turn/turn.ts';
import type { WireReply } from '../wire/wire-server.ts';
import type { CallOutcome, ModelCall } from './model-call.ts';

/** The recipient of an answer. */
export interface Asker {
  readonly dialect: Pick<Dialect, 'name' | 'printError'>;
  readonly reply: WireReply;
  readonly requestId: string;
}

/** Refuses for our own reason, so that no client retries: some heed `x-should-retry`, others the status. */
export function refuseCall(
  call: ModelCall,
  fault: ModelFault,
  how: Pick<ProviderError, 'status' | 'kind'> = { status: 400, kind: 'invalid-request' },
): CallOutcome {
  const message = `${call.caller}, call ${call.number}: ${fault.what}`;
  sendRefusal(call, { ...how, message }, { 'x-should-retry': 'false' });
  return { status: how.status, usage: null, fault };
}

/** Refuses as the provider itself would. */
export function sayNo(asker: Asker, error: ProviderError, kind: ModelFaultKind): CallOutcome {
  sendRefusal(asker, error);
  return { status: error.status, usage: null, fault: { kind, what: error.message } };
}

export function sendRefusal(
  asker: Asker,
  error: ProviderError,
  headers: Readonly<Record<string, string>> = {},
): void {
  asker.reply.send(error.status, { ...headOf(asker), ...headers }, JSON.stringify(refusalBody(asker, error)));
}

/** One of the providers says in the body too which request it refuses. */
export function refusalBody({ dialect, requestId }: Omit<Asker, 'reply'>, error: ProviderError): object {
  const body = dialect.printError(error);
  return dialect.name === 'anthropic' ? { ...body, request_id: requestId } : body;
}

/** The headers of every answer in JSON. */
export function headOf({
  dialect: { name },
  requestId,
}: Omit<Asker, 'reply'>): Readonly<Record<string, string>> {
  return { ...jsonHeaders(name), ...idHeader(name, requestId) };
}

export function idHeader(dialect: DialectName, requestId: string): Readonly<Record<string, string>> {
  if (dialect === 'gemini') return {};
  return dialect === 'anthropic' ? { 'request-id': requestId } : { 'x-request-id': requestId };
}

export function jsonHeaders(dialect: DialectName): Readonly<Record<string, string>> {
  return dialect === 'gemini' ? geminiJson : plainJson;
}

const plainJson = { 'content-type': 'application/json' };
const geminiJson = { 'content-type': 'application/json; charset=UTF-8' };
