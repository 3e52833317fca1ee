/** One call that crossed an edge, as its tap saw it. */
import type { TurnEvidence } from './turn-evidence.ts';

export interface CallEvent {
  readonly type: 'call';
  readonly from: string;
  readonly to: string;
  /** The n-th of this edge in this environment. */
  readonly crossing: number;
  readonly connection: number;
  /** `tcp` for what passed to a store in none of its protocols. */
  readonly protocol: 'http' | 'json-rpc' | 'postgres' | 'resp' | 'tcp';
  /** Of the JSON-RPC message where there is one, else of HTTP; of a statement, its verb. */
  readonly method: string;
  /** As it was sent, with its query. Of a statement, the database; of a command, the key. */
  readonly path: string;
  /** Of a store only. */
  readonly statement?: string;
  /** Not of HTTP alone. */
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
  readonly request: CallMessage;
  /** Absent when none came. Of a call in flight: what came so far. */
  readonly response?: CallMessage & { readonly status: number };
  /** Of a call to a model: what the answer came to. */
  readonly turn?: TurnEvidence;
  /** Rules of HTTP, of events or of the tool protocol that one of the two broke. */
  readonly faults?: readonly CallBreach[];
  /** Milliseconds on the keeper's journal: first byte of the request, last byte of the response, or the moment of the look. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly incomplete?: CallFault;
  /** Of a store: it asked for what was to come, however long that takes. It belongs to the attempt that answered it. */
  readonly waits?: true;
}

/** A read that waits for what is to come, and has not got it. */
export function isStillWaiting({ waits, incomplete }: Pick<CallEvent, 'waits' | 'incomplete'>): boolean {
  return waits === true && incomplete === 'in-flight';
}

/** A statement or a command, or what passed unread in their place. */
export function isStoreCall(call: { readonly from: string; readonly protocol?: unknown }): boolean {
  const { protocol } = call;
  return protocol === 'postgres' || protocol === 'resp' || protocol === 'tcp';
}

/** A stream of events that is asked for with one of these is answered when it begins, and has no end of its own. */
export const listeners = ['GET', 'subscriptions/listen'];

export function isListening({ method, path, response }: CallEvent): boolean {
  const isStream = path === 'stdio' || /^text\/event-stream/i.test(response?.headers['content-type'] ?? '');
  return listeners.includes(method) && isStream;
}

/** The head of the response came, and not the answer of the JSON-RPC message that it was to bring. */
export function lacksAnswer(call: CallEvent): boolean {
  const { protocol, result, error, incomplete = '' } = call;
  const isOpen = ['in-flight', 'cut', 'unanswered'].includes(incomplete) && !isListening(call);
  return protocol === 'json-rpc' && result === undefined && error === undefined && isOpen;
}

/** It may be reported again, with what came later. */
export function mayGoOn({ incomplete }: Pick<CallEvent, 'incomplete'>): boolean {
  return incomplete === 'in-flight' || incomplete === 'cancelled' || incomplete === 'unanswered';
}

/** The method of what is not an HTTP/1 request. */
export const noMethod = '?';

/** What passed on an unreadable connection: no call, or any number of them. */
export function isUnread(call: {
  readonly from: string;
  readonly method?: unknown;
  readonly response?: unknown;
}): boolean {
  return call.method === noMethod && call.response === undefined;
}

export function unreadBecause(call: {
  readonly from: string;
  readonly path?: unknown;
  readonly protocol?: unknown;
}): string {
  return `${unreadWhat(call)}, so that its calls are not known`;
}

function unreadWhat(call: Parameters<typeof unreadBecause>[0]): string {
  if (isStoreCall(call)) return `what passed there cannot be read: ${String(call.path)}`;
  return call.path === 'stdio'
    ? 'a line there is not a readable message'
    : 'what passed there is not HTTP/1 (HTTP/2 without an upgrade, as gRPC uses it, is not read)';
}

/** Of a call that is too large, what is not there as a whole: the body of the message that says so, and what it was to bring. */
export function unkeptParts(call: Partial<CallEvent>): readonly string[] {
  if (call.incomplete !== 'too-large') return [];
  const said = call.protocol === 'json-rpc' && call.result === undefined && call.error === undefined;
  const isCut = (['request', 'response'] as const).filter((side) => call[side]?.truncated);
  const sides = isCut.length > 0 ? isCut : (['request', 'response'] as const);
  return [
    ...sides.flatMap((side) => ['json', 'text', 'events'].map((form) => `${side}.${form}`)),
    ...(sides.includes('request') && call.params === undefined ? ['params'] : []),
    ...(said ? ['result', 'error'] : []),
    ...(mayBeRpc(call) ? ['method', 'result', 'error'] : []),
  ];
}

/** By its beginning: the method may follow in the part that was not kept. */
function mayBeRpc({ protocol, request }: Partial<CallEvent>): boolean {
  return protocol === 'http' && /^\s*\{\s*"(?:jsonrpc|params)"\s*:/.test(request?.text ?? '');
}

/** A broken rule, and whose it is. */
export interface CallBreach {
  readonly by: 'consumer' | 'provider';
  readonly rule: string;
  readonly what: string;
}

/** The provider ended the connection, or the packing of the body, in the middle of its response. */
export const unfinishedRules = {
  chunks: 'http.no-last-chunk',
  length: 'http.body-too-short',
  end: 'http.reset',
  coding: 'http.coding-unfinished',
} as const;

/** Why a call is not whole. */
export type CallFault =
  /** The connection, or the stream that was to bring the answer, ended before it. */
  | 'cut'
  /** More than is kept: a body is cut, or there is none of it. */
  | 'too-large'
  /** What came was not HTTP. */
  | 'not-http'
  /** The request was received, and its answer did not come in time on the stream, or over the stdio, that was to bring it. */
  | 'unanswered'
  /** The consumer took it back with `notifications/cancelled` before it was answered; `endedAt` is that moment. */
  | 'cancelled'
  /** It is not over: this is what has passed so far. A tap reports it only on request. */
  | 'in-flight';

export interface CallMessage {
  /** In lower case; of credentials, only tokens of secrets are kept. */
  readonly headers: Readonly<Record<string, string>>;
  /** By header, a word in place of a credential of which only the scheme is kept: equal for equal ones. */
  readonly credentials?: Readonly<Record<string, string>>;
  /** Of a body in chunks, the fields after it. */
  readonly trailers?: Readonly<Record<string, string>>;
  /** Whichever fits the body; none for an empty one. */
  readonly json?: unknown;
  readonly text?: string;
  /** The exact text of JSON that is signed. */
  readonly rawBody?: string;
  /** Server-sent events, in their order. */
  readonly events?: readonly {
    readonly event?: string;
    readonly id?: string;
    readonly data: unknown;
    /** Milliseconds after the call's beginning. */
    readonly at?: number;
  }[];
  /** Of the body as it was sent, compressed as it was, without the framing of chunks. */
  readonly bytes: number;
  /** More passed than is kept: body, or head, is a beginning, or not there. */
  readonly truncated?: true;
  /** The end of the body, or of its packing, did not pass, or not yet. Of events, each of which is whole: more was to come. */
  readonly unfinished?: true;
}
