/** One call that crossed an edge, as its tap saw it. */

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
  readonly path: string;
  /** JSON-RPC only. */
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
  readonly request: CallMessage;
  /** Absent when none came. */
  readonly response?: CallMessage & { readonly status: number };
  /** Milliseconds on the keeper's journal: first byte of the request, last byte of the response. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Why it is not whole: `cut`, `too-large`, `not-http`. */
  readonly incomplete?: string;
}

export interface CallMessage {
  readonly headers: Readonly<Record<string, string>>;
  /** Whichever fits the body; none for an empty one. */
  readonly json?: unknown;
  readonly text?: string;
  /** Server-sent events, in their order. */
  readonly events?: readonly { readonly event?: string; readonly id?: string; readonly data: unknown }[];
  readonly bytes: number;
}
