/** The step that opens a TCP connection. It is done when the connection is there; what the peer says first arrives later. */
import { givenUp, notStarted } from '../act-error.ts';
import { type ActLife, beginLife } from '../act-life.ts';
import type { Act, ActError, ActEvidence, DriverContext, OpenConnection } from '../driver.ts';
import { loadCodec } from './load-codec.ts';
import type { ReceivedWindow } from './received-window.ts';
import { SpeakingAct } from './speaking-act.ts';
import { TcpConnection } from './tcp-connection.ts';
import type { TcpOnStep, TcpStep } from './tcp-step.ts';
import { windowEvidence } from './window-evidence.ts';

export class OpeningAct implements Act {
  readonly connection: OpenConnection;
  readonly #step: TcpStep;
  readonly #context: DriverContext;
  readonly #life: ActLife;
  #opened: TcpConnection | undefined;
  #window: ReceivedWindow | undefined;
  #error: ActError | undefined;

  constructor(step: TcpStep, context: DriverContext) {
    this.#step = step;
    this.#context = context;
    this.#life = beginLife(context, {
      late: () => this.#fail({ kind: 'timeout', message: `no connection within ${context.timeoutMs} ms` }),
      givenUp: () => this.#fail(givenUp),
    });
    this.connection = {
      start: (next, nextContext) => new SpeakingAct(next as TcpOnStep, nextContext, () => this.#whenOpen()),
      close: async () => {
        this.#fail(neverOpen);
        await this.#opened?.close();
      },
    };
    if (context.signal.aborted) this.#fail(notStarted(givenUp.message));
    else void this.#open();
  }

  get done(): Promise<void> {
    return this.#life.done;
  }

  evidence(): ActEvidence {
    return windowEvidence(this.#opened?.connected ?? false, this.#window, this.#error);
  }

  sentBytes(): number {
    return this.#window?.bytesSent ?? 0;
  }

  async #open(): Promise<void> {
    try {
      const { codec: name } = this.#step;
      const address = this.#context.address(this.#step.target);
      const codec = name === undefined ? undefined : await loadCodec(name, this.#context.folder);
      if (this.#life.isOver) return;
      const opened = new TcpConnection(address, codec, this.#context);
      this.#opened = opened;
      this.#window = opened.currentWindow();
      this.#window.onChange = () => this.#look(opened);
    } catch (error) {
      this.#fail(notStarted(error));
    }
  }

  #look(opened: TcpConnection): void {
    if (opened.connected) this.#life.end();
    else if (opened.openError) this.#fail(opened.openError);
  }

  /** After the connection is open this changes nothing. */
  #fail(error: ActError): void {
    if (this.#life.isOver) return;
    this.#error = error;
    this.#opened?.destroy();
    this.#life.end();
  }

  /** The connection, or why there is none. */
  #whenOpen(): TcpConnection | Promise<TcpConnection | ActError> {
    const opened = this.#opened;
    if (opened?.connected) return opened;
    return this.done.then(() => (this.#opened?.connected ? this.#opened : (this.#error ?? neverOpen)));
  }
}

const neverOpen: ActError = { kind: 'closed', message: 'the connection was never open' };
