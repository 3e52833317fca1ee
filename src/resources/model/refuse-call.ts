/** Refuses a call in the words of its dialect. */
import type { ModelFault, ModelFaultKind } from '../../journal/peer-event.ts';
import type { Dialect, ProviderError } from '../../protocols/turn/dialect.ts';
import type { DialectName } from '../../protocols/turn/turn.ts';
import type { WireReply } from '../wire/wire-server.ts';
import type { CallOutcome, ModelCall } from './model-call.ts';

/** Refuses for a reason of ours, so that nobody tries again: a client that knows `x-should-retry` heeds it, others the status. */
export function refuseCall(
  { caller, number, dialect, reply }: ModelCall,
  fault: ModelFault,
  how: Pick<ProviderError, 'status' | 'kind'> = { status: 400, kind: 'invalid-request' },
): CallOutcome {
  const message = `${caller}, call ${number}: ${fault.what}`;
  const body = JSON.stringify(dialect.printError({ ...how, message }));
  reply.send(how.status, { ...jsonHeaders(dialect.name), 'x-should-retry': 'false' }, body);
  return { status: how.status, usage: null, fault };
}

/** Refuses as the provider itself would. */
export function sayNo(
  dialect: Dialect,
  reply: WireReply,
  error: ProviderError,
  kind: ModelFaultKind,
): CallOutcome {
  reply.send(error.status, jsonHeaders(dialect.name), JSON.stringify(dialect.printError(error)));
  return { status: error.status, usage: null, fault: { kind, what: error.message } };
}

export function jsonHeaders(dialect: DialectName): Readonly<Record<string, string>> {
  return dialect === 'gemini' ? geminiJson : plainJson;
}

const plainJson = { 'content-type': 'application/json' };
const geminiJson = { 'content-type': 'application/json; charset=UTF-8' };
