/** What arrived on a connection from one step's beginning to the next one's. */
import { driverLimits } from '../driver-limits.ts';
import { type KeptBytes, keepBytes } from '../kept-bytes.ts';

/** How the connection ended. */
export type ClosedBy = 'peer' | 'us' | 'reset';

export class ReceivedWindow {
  readonly messages: unknown[] = [];
  /** Without a codec. */
  readonly raw: KeptBytes | undefined;
  bytesReceived = 0;
  broken: string | undefined;
  /** Of a message that may still be completed in this window. */
  pendingBytes = 0;
  /** Messages came that were not kept. */
  truncated = false;
  closedBy: ClosedBy | undefined;
  /** Called when something has arrived or changed. */
  onChange: () => void = () => {};
  #messageBytes = 0;
  #bytesSent: () => number;
  readonly #hasUnreadBefore: boolean;

  constructor(options: {
    rawBytes: number | undefined;
    bytesSent: () => number;
    last: ReceivedWindow | undefined;
  }) {
    this.raw = options.rawBytes === undefined ? undefined : keepBytes(options.rawBytes);
    this.#hasUnreadBefore = options.last?.hasUnread ?? false;
    this.#bytesSent = options.bytesSent;
  }

  get bytesSent(): number {
    return this.#bytesSent();
  }

  /** Bytes came on the connection, now or before, and no codec reads messages from them. */
  get hasUnread(): boolean {
    return this.#hasUnreadBefore || (this.raw !== undefined && this.bytesReceived > 0);
  }

  /** The next window begins: this one keeps what it has. */
  freeze(): void {
    const sent = this.bytesSent;
    this.pendingBytes = 0;
    this.#bytesSent = () => sent;
  }

  addBytes(chunk: Uint8Array): void {
    this.bytesReceived += chunk.length;
    this.raw?.push(chunk);
  }

  /** Messages, and the number of bytes they came in. Beyond the limit they are counted as bytes only. */
  addMessages(messages: readonly unknown[], bytes: number): void {
    this.#messageBytes += bytes;
    for (const message of messages) {
      const bound = this.#reachedBound();
      if (bound === undefined) this.messages.push(message);
      else {
        this.broken ??= `${bound}; the rest was not kept`;
        this.truncated = true;
      }
    }
  }

  #reachedBound(): string | undefined {
    if (this.messages.length >= driverLimits.messages) return `more than ${driverLimits.messages} messages`;
    if (this.#messageBytes > driverLimits.messageBytes)
      return `messages of more than ${driverLimits.messageBytes} bytes`;
    return undefined;
  }
}
