/** One TCP connection, from its opening to its end, and the window into which what arrives is put. */
import { connect, type Socket } from 'node:net';
import type { Codec } from '../../protocols/codecs/codec.ts';
import { socketError } from '../act-error.ts';
import type { ActError, Address, DriverContext } from '../driver.ts';
import { driverLimits } from '../driver-limits.ts';
import { createMessageReader, type MessageReader } from './message-reader.ts';
import { type ClosedBy, ReceivedWindow } from './received-window.ts';

export class TcpConnection {
  readonly codec: Codec | undefined;
  readonly #socket: Socket;
  readonly #context: DriverContext;
  readonly #reader: MessageReader | undefined;
  readonly #peer: string;
  #window: ReceivedWindow;
  #connected = false;
  #openError: ActError | undefined;
  #closedBy: ClosedBy | undefined;
  #saidGoodbye = false;
  #isWriting = false;
  #gone = false;

  constructor(address: Address, codec: Codec | undefined, context: DriverContext) {
    this.codec = codec;
    this.#context = context;
    this.#reader = codec && createMessageReader(codec);
    this.#peer = `${address.host}:${address.port}`;
    this.#socket = connect({ host: address.host, port: address.port, allowHalfOpen: true, noDelay: true });
    this.#window = this.#newWindow(undefined);
    this.#listen();
  }

  get connected(): boolean {
    return this.#connected;
  }

  /** It was never opened, and why. */
  get openError(): ActError | undefined {
    return this.#openError;
  }

  get closedBy(): ClosedBy | undefined {
    return this.#closedBy;
  }

  /** What is sent now can be received. */
  get canWrite(): boolean {
    return this.#connected && !this.#gone && !this.#saidGoodbye && this.#closedBy !== 'us';
  }

  /** What arrives from now on is put into a new window. */
  beginWindow(): ReceivedWindow {
    const last = this.#window;
    last.freeze();
    this.#window = this.#newWindow(last);
    return this.#window;
  }

  currentWindow(): ReceivedWindow {
    return this.#window;
  }

  /** True when the bytes are out of our hands; false when the connection ended first. */
  async write(bytes: Uint8Array): Promise<boolean> {
    if (!this.canWrite) return false;
    this.#isWriting = true;
    const sent = await new Promise<boolean>((resolve) => {
      this.#socket.write(bytes, (error) => resolve(!error && !this.#socket.destroyed));
    });
    this.#isWriting = false;
    if (this.#closedBy === 'peer') this.half();
    return sent;
  }

  /** Our side has ended; the peer may go on sending. */
  half(): void {
    if (this.#saidGoodbye) return;
    this.#saidGoodbye = true;
    this.#socket.end();
  }

  reset(): void {
    this.#endedBy('us');
    this.#socket.resetAndDestroy();
  }

  /** Gracefully while that works: what waits is sent, and the peer gets an end, not a reset. */
  async close(): Promise<void> {
    this.#endedBy('us');
    if (this.#gone) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#socket.once('close', () => resolve());
    const cancel = this.#context.clock.after(driverLimits.closeMs, () => this.#socket.destroy());
    this.#socket.destroySoon();
    await promise;
    cancel();
  }

  /** At once, whatever waits. */
  destroy(): void {
    this.#endedBy('us');
    this.#socket.destroy();
  }

  #newWindow(last: ReceivedWindow | undefined): ReceivedWindow {
    const socket = this.#socket;
    const sent = (): number => Math.max(0, socket.bytesWritten - socket.writableLength);
    const before = sent();
    const window = new ReceivedWindow({
      rawBytes: this.codec ? undefined : this.#context.bodyBytes,
      bytesSent: () => sent() - before,
      last,
    });
    window.closedBy = this.#closedBy;
    window.broken = this.#reader?.broken;
    window.pendingBytes = this.#reader?.pendingBytes ?? 0;
    return window;
  }

  #listen(): void {
    const { signal } = this.#context;
    const giveUp = (): void => this.destroy();
    signal.addEventListener('abort', giveUp, { once: true });
    this.#socket.on('close', () => signal.removeEventListener('abort', giveUp));
    this.#socket.on('connect', () => {
      this.#connected = true;
      this.#window.onChange();
    });
    this.#socket.on('data', (chunk: Buffer) => this.#hear(chunk));
    this.#socket.on('end', () => {
      this.#reader?.end();
      this.#noteBroken();
      this.#endedBy('peer');
      // A client that has received the end closes, too; the peer would wait for it with an open socket.
      if (!this.#isWriting) this.half();
    });
    this.#socket.on('error', (error) => this.#failed(error));
    this.#socket.on('close', () => {
      this.#gone = true;
      this.#endedBy(this.#connected ? 'peer' : 'us');
      this.#window.onChange();
    });
  }

  #hear(chunk: Buffer): void {
    const window = this.#window;
    window.addBytes(chunk);
    if (this.#reader) window.addMessages(this.#reader.push(chunk), chunk.length);
    this.#noteBroken();
    window.onChange();
  }

  #failed(error: Error): void {
    const known = socketError(error, this.#peer);
    if (this.#connected) this.#endedBy(known?.kind === 'reset' ? 'reset' : 'peer');
    else this.#openError ??= known ?? { kind: 'unreachable', message: error.message };
  }

  #noteBroken(): void {
    this.#window.broken ??= this.#reader?.broken;
    this.#window.pendingBytes = this.#reader?.pendingBytes ?? 0;
  }

  /** The first to end it is remembered. */
  #endedBy(who: ClosedBy): void {
    if (!this.#connected) return;
    this.#closedBy ??= who;
    this.#window.closedBy ??= this.#closedBy;
    this.#window.onChange();
  }
}
