/** One line of a third party's script: what it answers to one request, and what it sends after that. As plain data. */

export interface PeerLine {
  /** A method and a path without query, in which `*` matches any characters of one segment and `**` any at all. */
  readonly on: string;
  /** A pattern over the request: `{ method, path, query, headers, json, text }`. */
  readonly where?: unknown;
  readonly answer?: PeerAnswer;
  readonly callbacks?: readonly PeerCallback[];
  /** How often it is used; once where absent. `any`: as often as it fits, never included, and never unused. */
  readonly times?: number | 'any';
}

interface PeerMessage {
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
  readonly afterMs?: number;
}

/** 200 with an empty body by default. */
export interface PeerAnswer extends PeerMessage {
  readonly status?: number;
  /** Instead of an answer: the connection is closed, reset, or left open in silence. */
  readonly instead?: 'close' | 'reset' | 'hang';
}

/** What the peer sends after it answered. Texts in it may hold `${request.json.…}`, `${request.query.…}`, `${request.headers.…}`. */
export interface PeerCallback extends PeerMessage {
  /** A name of the resource's `callbacks`, or an address: `${request.json.callback_url}`. */
  readonly to: string;
  readonly method?: string;
  readonly path?: string;
  /** Sent so often, one after the other; once where absent. */
  readonly times?: number;
  /** All of the `times` at the same moment. */
  readonly atOnce?: true;
  /** HMAC-SHA256 of the body in hex, written to this header with a prefix before it. */
  readonly sign?: { readonly header: string; readonly secret: string; readonly prefix?: string };
}
