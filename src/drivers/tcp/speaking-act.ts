/** A step on an open TCP connection: it says something, or listens, or ends it. */
import { givenUp, notStarted } from '../act-error.ts';
import { type ActLife, beginLife } from '../act-life.ts';
import type { Act, ActError, ActEvidence, DriverContext } from '../driver.ts';
import { type RawPiece, rawPieces } from './raw-bytes.ts';
import type { ReceivedWindow } from './received-window.ts';
import { TcpConnection } from './tcp-connection.ts';
import type { TcpOnStep } from './tcp-step.ts';
import { windowEvidence } from './window-evidence.ts';

export class SpeakingAct implements Act {
  readonly #step: TcpOnStep;
  readonly #context: DriverContext;
  readonly #life: ActLife;
  #connection: TcpConnection | undefined;
  #window: ReceivedWindow | undefined;
  #hasSpoken = false;
  #error: ActError | undefined;

  constructor(
    step: TcpOnStep,
    context: DriverContext,
    whenOpen: () => TcpConnection | Promise<TcpConnection | ActError>,
  ) {
    this.#step = step;
    this.#context = context;
    this.#life = beginLife(context, {
      late: () => this.#end({ kind: 'timeout', message: this.#lateMessage() }),
      givenUp: () => this.#end(givenUp),
    });
    if (context.signal.aborted) this.#end(notStarted(givenUp.message));
    else void this.#perform(whenOpen());
  }

  get done(): Promise<void> {
    return this.#life.done;
  }

  evidence(): ActEvidence {
    return windowEvidence(this.#connection?.connected ?? false, this.#window, this.#error);
  }

  sentBytes(): number {
    return this.#window?.bytesSent ?? 0;
  }

  async #perform(open: TcpConnection | Promise<TcpConnection | ActError>): Promise<void> {
    const connection = open instanceof TcpConnection ? open : await open;
    if (this.#life.isOver) return;
    if (!(connection instanceof TcpConnection)) return this.#end(connection);
    this.#connection = connection;
    this.#window = connection.beginWindow();
    try {
      if (this.#speaks && !connection.canWrite) return this.#end(alreadyClosed(connection));
      await this.#speak(connection, await this.#pieces(connection));
    } catch (error) {
      this.#end(notStarted(error));
    }
  }

  get #speaks(): boolean {
    return this.#step.send !== undefined || this.#step.sendRaw !== undefined;
  }

  async #pieces(connection: TcpConnection): Promise<() => AsyncGenerator<RawPiece>> {
    const { send, sendRaw } = this.#step;
    const encoded = send === undefined ? undefined : encode(send, connection);
    const raw = sendRaw === undefined ? undefined : await rawPieces(sendRaw, this.#context.folder);
    return async function* () {
      if (encoded) yield encoded;
      if (raw) yield* raw();
    };
  }

  async #speak(connection: TcpConnection, pieces: () => AsyncGenerator<RawPiece>): Promise<void> {
    if (this.#window) this.#window.onChange = () => this.#look();
    for await (const piece of pieces()) {
      if (this.#life.isOver) return;
      if (typeof piece === 'number') await this.#pause(piece);
      else if (!(await connection.write(piece))) break;
    }
    if (this.#step.end === 'half') connection.half();
    this.#hasSpoken = true;
    this.#look();
  }

  /** Ends early with the act. */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#context.clock.after(ms, resolve);
      void this.done.then(() => {
        cancel();
        resolve();
      });
    });
  }

  #look(): void {
    const window = this.#window;
    if (!window || !this.#hasSpoken || this.#life.isOver) return;
    const wanted = this.#step.receive ?? 0;
    if (this.#heard(window) >= wanted) this.#end();
    else if (window.closedBy !== undefined)
      this.#end(closedTooEarly(window.closedBy, this.#progress(window)));
    else if (window.broken !== undefined) {
      this.#end({ kind: 'garbage', message: `${window.broken}; ${this.#progress(window)}` });
    }
  }

  #heard(window: ReceivedWindow): number {
    return this.#connection?.codec ? window.messages.length : window.bytesReceived;
  }

  #progress(window: ReceivedWindow): string {
    const unit = this.#connection?.codec ? 'messages' : 'bytes';
    return `${this.#heard(window)} of ${this.#step.receive ?? 0} ${unit} came`;
  }

  #lateMessage(): string {
    const { timeoutMs } = this.#context;
    if (!this.#window) return `the connection was not open within ${timeoutMs} ms`;
    if (this.#hasSpoken) return `${this.#progress(this.#window)} within ${timeoutMs} ms`;
    return `the peer took only ${this.#window.bytesSent} bytes within ${timeoutMs} ms`;
  }

  /** However the act ended, the connection ends as the step says. */
  #end(error?: ActError): void {
    if (this.#life.isOver) return;
    this.#error = error;
    this.#life.end(); // first, because the end of the connection is reported to an act that still waits
    if (this.#step.end === 'reset') this.#connection?.reset();
    if (this.#step.end === 'full') void this.#connection?.close();
  }
}

function encode(message: unknown, { codec }: TcpConnection): Uint8Array {
  if (codec) return codec.encode(message);
  if (typeof message === 'string') return Buffer.from(message);
  throw new Error('`send` needs a `codec` on the step that opened the connection; without one it sends text');
}

function alreadyClosed({ closedBy }: TcpConnection): ActError {
  if (closedBy === undefined)
    return { kind: 'closed', message: 'this connection is already closed for sending' };
  return closedTooEarly(closedBy, 'nothing was sent');
}

function closedTooEarly(closedBy: 'peer' | 'us' | 'reset', progress: string): ActError {
  if (closedBy === 'reset') return { kind: 'reset', message: `the connection was reset; ${progress}` };
  const who = closedBy === 'us' ? 'us' : 'the peer';
  return { kind: 'closed', message: `the connection was closed by ${who}; ${progress}` };
}
