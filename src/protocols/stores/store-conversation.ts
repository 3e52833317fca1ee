/** What passes between a client and a store, in whichever protocol: statements or commands, each with its answer. */

export interface StoreExchange {
  /** `SELECT`, `XADD`. */
  readonly method: string;
  /** The database, or the key. */
  readonly path: string;
  /** As it was sent; a command as one line. Marked where a part of it is not kept. */
  readonly statement: string;
  readonly params?: readonly unknown[] | undefined;
  readonly result?: unknown;
  readonly error?: unknown;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  /** It asks for what is to come, however long that takes: nothing is in progress meanwhile. */
  readonly isWaiting: boolean;
  /** It waited, and nothing came. */
  readonly isVain?: boolean;
  /** Answered as far as it was asked for: more comes only if that is asked for, too. */
  readonly isPaused?: boolean;
}

export interface StoreListener {
  begun(exchange: StoreExchange): void;
  /** Its turn came only now, behind others that were sent with it. */
  reached(exchange: StoreExchange): void;
  /** Nothing is in progress until it goes on. */
  paused(exchange: StoreExchange, isPaused: boolean): void;
  /** Answered. */
  ended(exchange: StoreExchange): void;
}

/** Reads both directions of one connection; the bytes are valid during the call only. */
export interface StoreConversation {
  readonly protocol: 'postgres' | 'resp';
  /** False where nothing more can be read. */
  sent(bytes: Buffer): boolean;
  received(bytes: Buffer): boolean;
  /** Why nothing more can be read, where that is meant by the two. */
  readonly closedBecause?: string | undefined;
}

/** How much is kept of one exchange. */
export const storeLimits = {
  statementBytes: 64 * 1024,
  valueBytes: 16 * 1024,
  rows: 200,
  /** Of all rows, or of one reply. */
  rowBytes: 256 * 1024,
  /** Statements that one connection has prepared. */
  prepared: 10_000,
  pipelined: 10_000,
  /** To which one connection has subscribed. */
  channels: 100_000,
} as const;
