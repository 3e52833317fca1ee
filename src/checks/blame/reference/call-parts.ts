/** The parts of a call that are compared between runs: the request, and the outcome of the answer. */
import { type CallEvent, type CallMessage, isListening, isStoreCall } from '../../../journal/call-event.ts';
import type { SeenCall } from '../../seen-call.ts';
import { isStoreRead, statementName } from '../store-calls.ts';
import { withoutDrawn } from './compare-values.ts';
import { tooMuch } from './kept-value.ts';

/** Headers with content; the others are random, measured, or of the transport. */
const reporting = ['content-type', 'accept', 'authorization', 'x-api-key', 'retry-after', 'location'];

export function callName({ call }: SeenCall): string {
  if (isStoreCall(call)) return withoutDrawn(statementName(call));
  if (call.protocol === 'json-rpc') return `${call.method} ${toolOf(call)}`.trimEnd();
  const [path = ''] = call.path.split('?');
  return `${call.method} ${withoutDrawn(path)}`;
}

export function callRequest({ call }: SeenCall): unknown {
  const { protocol, method, path, params, request, incomplete } = call;
  if (isStoreCall(call)) return { statement: call.statement ?? '', params: params ?? null };
  const isLost = incomplete === 'too-large' && params === undefined;
  if (protocol === 'json-rpc') return { method, params: isLost ? tooMuch : (params ?? null) };
  return { method, path, ...messageParts(request, incomplete) };
}

/** For a model the turn, however it was split into events. */
export function callAnswer({ call }: SeenCall): unknown {
  const { response, turn, result, error, protocol, incomplete } = call;
  const open = incomplete === undefined || incomplete === 'too-large' ? {} : { incomplete };
  if (protocol === 'json-rpc' && (result !== undefined || error !== undefined))
    return { ...(error === undefined ? { result } : { error }), ...open };
  if (!response) return null;
  if (isStoreCall(call)) return { ...(error === undefined ? { result } : { error }), ...open };
  const { status } = response;
  if (!turn) return { status, ...messageParts(response, incomplete), ...open };
  const { dialect: _dialect, model: _model, oddities: _oddities, calls, faults, ...said } = turn;
  return {
    status,
    turn: {
      ...said,
      calls: calls.map(({ id: _id, ...rest }) => rest),
      faults: faults.map(({ rule }) => rule),
    },
    ...open,
  };
}

function messageParts(message: CallMessage, incomplete: CallEvent['incomplete']): object {
  const { headers, json, text, events } = message;
  const body = json ?? text ?? events?.map(({ event, data }) => ({ event, data }));
  return {
    headers: Object.fromEntries(reporting.flatMap((name) => (headers[name] ? [[name, headers[name]]] : []))),
    body: incomplete === 'too-large' && json === undefined ? tooMuch : (body ?? null),
  };
}

/** Handshakes happen once per connection, in whichever trial comes first; so does the discovery of a closed one. */
export function isGreeting({ call }: SeenCall): boolean {
  if (isStoreCall(call)) return false;
  const isOfSession = call.request.headers['mcp-session-id'] !== undefined;
  if (isOfSession && call.response?.status === 404) return true;
  if (call.protocol === 'json-rpc')
    return call.method === 'initialize' || call.method === 'ping' || call.method.startsWith('notifications/');
  return (
    ['HEAD', 'OPTIONS'].includes(call.method) ||
    isListening(call) ||
    (call.method === 'DELETE' && isOfSession)
  );
}

/** One read more or less has no effect. */
export function isLook({ call }: SeenCall): boolean {
  if (isStoreCall(call)) return isStoreRead(call);
  return call.protocol === 'json-rpc' ? call.method.endsWith('/list') : call.method === 'GET';
}

function toolOf({ params }: CallEvent): string {
  const name = typeof params === 'object' && params !== null ? Reflect.get(params, 'name') : undefined;
  return typeof name === 'string' ? name : '';
}
