/** The parts of a call that are compared between runs: the request, and the outcome of the answer. */
import { type CallEvent, isListening, isStoreCall, unkeptParts } from '../../../journal/call-event.ts';
import { outside } from '../../../journal/topology.ts';
import { maskedHeaders } from '../../../kernel/masked-headers.ts';
import type { SeenCall } from '../../seen-call.ts';
import { isStoreRead, statementName } from '../store-calls.ts';
import { withoutDrawn } from './compare-values.ts';
import { tooMuch } from './kept-value.ts';

/** Headers of an answer with content; the others are random, measured, or of the transport. */
const reporting = ['content-type', 'retry-after', 'location'];
/** Headers of a request that say nothing to its receiver: of the transport, of the client's library, of tracing. */
const transport =
  /^(?:host|connection|keep-alive|content-length|transfer-encoding|accept-encoding|te|trailer|upgrade|expect|date|user-agent|via|forwarded|priority|traceparent|tracestate|baggage|x-(?:forwarded|b3|stainless|datadog|amzn|cloud|goog-api)-.*|x-real-ip|x-(?:request|correlation|trace)-id|sec-.*|mcp-.*|sentry-trace|anthropic-.*|openai-.*)$/;

export function callName({ call }: Pick<SeenCall, 'call'>): string {
  if (isStoreCall(call)) return withoutDrawn(statementName(call));
  if (call.protocol === 'json-rpc') return `${call.method} ${toolOf(call)}`.trimEnd();
  const [path = ''] = call.path.split('?');
  return `${call.method} ${withoutDrawn(path)}`;
}

export function callRequest({ call }: Pick<SeenCall, 'call'>): unknown {
  const { protocol, method, path, params, incomplete } = call;
  if (isStoreCall(call)) return { statement: call.statement ?? '', params: params ?? null };
  const isLost = incomplete === 'too-large' && params === undefined;
  const headers = headersOf(call, 'request');
  if (protocol === 'json-rpc') return { method, path, params: isLost ? tooMuch : (params ?? null), headers };
  return { method, path, ...messageParts(call, 'request') };
}

/** For a model the turn, however it was split into events. */
export function callAnswer({ call }: Pick<SeenCall, 'call'>): unknown {
  const { response, turn, result, error, protocol, incomplete } = call;
  const open = incomplete === undefined || incomplete === 'too-large' ? {} : { incomplete };
  if (protocol === 'json-rpc' && (result !== undefined || error !== undefined))
    return { ...(error === undefined ? { result } : { error }), ...open };
  if (!response) return null;
  if (isStoreCall(call)) return { ...(error === undefined ? { result } : { error }), ...open };
  const { status } = response;
  if (!turn) return { status, ...messageParts(call, 'response'), ...open };
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

function messageParts(call: CallEvent, side: 'request' | 'response'): object {
  const { json, text, events } = call[side] ?? {};
  const body = json ?? text ?? events?.map(({ event, data }) => ({ event, data })) ?? unreadBody(call, side);
  const isLost = json === undefined && unkeptParts(call).includes(`${side}.text`);
  return {
    headers: headersOf(call, side),
    // Which of the two broke off a request is not known.
    body: isLost || (side === 'request' && call.request.unfinished) ? tooMuch : (body ?? null),
  };
}

/** Of bytes that are not text, only their number is known. */
function unreadBody(call: CallEvent, side: 'request' | 'response'): unknown {
  const bytes = call[side]?.bytes ?? 0;
  return bytes === 0 || call.turn ? undefined : { bytes, content: tooMuch };
}

function headersOf(call: CallEvent, side: 'request' | 'response'): Readonly<Record<string, string>> {
  const entries = Object.entries(call[side]?.headers ?? {});
  const marks = call[side]?.credentials ?? {};
  const kept = entries.filter(([name, value]) => value && isKept(name, side));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, isVeiled(call, name, value) ? marked(value, marks[name]) : value]),
  );
}

/** `Bearer credential wqhzmbtk` */
function marked(value: string, mark: string | undefined): string {
  return mark === undefined ? tooMuch : value.replace('…', `credential ${mark}`);
}

/** A credential of which only the scheme is kept may be another one; those that we send ourselves are the trial's. */
function isVeiled({ from }: CallEvent, name: string, value: string): boolean {
  return from !== outside && maskedHeaders.includes(name) && value.includes('…');
}

/** A tenant, a language, a key: what a service makes of its own headers is not known. */
function isKept(name: string, side: 'request' | 'response'): boolean {
  return side === 'request' ? !transport.test(name) : reporting.includes(name);
}

/**
 * Handshakes happen once per connection, in whichever trial comes first; so does the discovery of a closed one. A stream
 * that listens says what happens to come until it is left; one that its provider ended is an answer like any other.
 */
export function isGreeting({ call }: Pick<SeenCall, 'call'>): boolean {
  if (isStoreCall(call)) return false;
  const isOfSession = call.request.headers['mcp-session-id'] !== undefined;
  if (isOfSession && call.response?.status === 404) return true;
  if (call.protocol === 'json-rpc')
    return call.method === 'initialize' || call.method === 'ping' || call.method.startsWith('notifications/');
  return (
    ['HEAD', 'OPTIONS'].includes(call.method) ||
    (isListening(call) && (isOfSession || call.incomplete !== undefined)) ||
    (call.method === 'DELETE' && isOfSession)
  );
}

/** One read more or less has no effect. */
export function isLook({ call }: Pick<SeenCall, 'call'>): boolean {
  if (isStoreCall(call)) return isStoreRead(call);
  return call.protocol === 'json-rpc' ? call.method.endsWith('/list') : call.method === 'GET';
}

function toolOf({ params }: CallEvent): string {
  const name = typeof params === 'object' && params !== null ? Reflect.get(params, 'name') : undefined;
  return typeof name === 'string' ? name : '';
}
