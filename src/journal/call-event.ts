/** One call that crossed an edge, as its tap saw it. */
import type { TurnEvidence } from './turn-evidence.ts';

export interface CallEvent {
  readonly type: 'call';
  readonly from: string;
  readonly to: string;
  /** The n-th of this edge in this environment. */
  readonly crossing: number;
  readonly connection: number;
  readonly protocol: 'http' | 'json-rpc';
  /** Of the JSON-RPC message where there is one, else of HTTP. */
  readonly method: string;
  /** As it was sent, with its query. */
  readonly path: string;
  /** JSON-RPC only. */
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
}

/** A stream of events that is asked for with one of these is answered when it begins, and has no end of its own. */
export const listeners = ['GET', 'subscriptions/listen'];

export function isListening({ method, response }: CallEvent): boolean {
  return listeners.includes(method) && /^text\/event-stream/i.test(response?.headers['content-type'] ?? '');
}

/** It may be told once more, with what came later. */
export function mayGoOn({ incomplete }: Pick<CallEvent, 'incomplete'>): boolean {
  return incomplete === 'in-flight' || incomplete === 'cancelled';
}

/** The method of what is no request of HTTP/1. */
export const noMethod = '?';

/** What passed on a connection that nobody could read: no call, or any number of them. */
export function isUnread(call: {
  readonly from: string;
  readonly method?: unknown;
  readonly response?: unknown;
}): boolean {
  return call.method === noMethod && call.response === undefined;
}

export const unreadBecause =
  'what passed there is no HTTP/1 (HTTP/2 that begins without an upgrade, as gRPC has it, is not read), so that its calls are not known';

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
  /** What came was no HTTP. */
  | 'not-http'
  /** The request was received, and its answer did not come in time on the stream that was to bring it. */
  | 'unanswered'
  /** The consumer took it back with `notifications/cancelled` before it was answered; `endedAt` is that moment. */
  | 'cancelled'
  /** It is not over: whoever asked sees what has passed so far. A tap tells it only when asked. */
  | 'in-flight';

export interface CallMessage {
  /** In lower case; of values that let somebody in, only tokens of secrets are kept. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whichever fits the body; none for an empty one. */
  readonly json?: unknown;
  readonly text?: string;
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
  /** The end of the body, or of its packing, did not pass, or not yet. Never of events, each of which is whole. */
  readonly unfinished?: true;
}
