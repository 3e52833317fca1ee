/** Steps on a TCP connection, with every reference resolved: one that opens it, and those that act on it. */

export interface TcpStep {
  /** `daemon`, or `daemon.admin` for a listener of that name. */
  readonly target: string;
  /** A codec's name, or the path of a module that is one; without it there are bytes and no messages. */
  readonly codec?: string;
}

export interface TcpOnStep {
  /** A message of the codec; without a codec, a text. */
  readonly send?: unknown;
  /** Bytes as they are, past any codec. */
  readonly sendRaw?: Raw | readonly Raw[];
  /** How many messages to wait for; without a codec, how many bytes. */
  readonly receive?: number;
  readonly end?: 'half' | 'full' | 'reset' | 'stay';
}

export interface Raw {
  /** One of these four. */
  readonly text?: string;
  readonly hex?: string;
  readonly file?: string;
  readonly repeat?: string;
  /** With `repeat`: how many bytes it fills. */
  readonly bytes?: number;
  /** After these bytes. */
  readonly pauseMs?: number;
  readonly then?: Raw;
}
