/** The listener of a tap: one port that can be closed to new connections and reopened, and stays reserved meanwhile. */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { Clock } from '../kernel/clock.ts';
import { waitFor, within } from '../kernel/deadline.ts';
import { Problem } from '../kernel/problem.ts';
import { resetSocket } from './end-socket.ts';

const reopenWithinMs = 5_000;
const occupyWithinMs = 1_000;
const backlog = 4_096;

export interface ListenerOptions {
  readonly host: string;
  /** Where it must be this one; otherwise the kernel chooses. */
  readonly port?: number;
  readonly clock: Clock;
  readonly onConnection: (socket: Socket) => void;
  /** The kernel could not hand over a connection, for example for lack of file descriptors. */
  readonly onAcceptError: (error: Error) => void;
}

export class Listener {
  readonly #options: ListenerOptions;
  readonly #closing = new Set<Promise<void>>();
  #port = 0;
  #server: Server | undefined;
  #placeholder: readonly Socket[] = [];
  #isPlaceholder: (socket: Socket) => boolean = () => false;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#port = options.port ?? 0;
  }

  get port(): number {
    return this.#port;
  }

  /** Listens, on the port that it had before if there was one. */
  async open(): Promise<void> {
    if (this.#server !== undefined) return;
    this.#server = this.#port === 0 ? await this.#listen() : await this.#listenAgain();
    this.#port = (this.#server.address() as AddressInfo).port;
    this.#vacate();
  }

  /** Closes the port to new connections; open ones continue. */
  async shut(): Promise<void> {
    if (this.#server === undefined) return;
    this.#placeholder = await this.#occupy();
    this.#stop(this.#server);
  }

  /** Gives the port back; resolves when every connection that came in through it is gone. */
  async close(): Promise<void> {
    if (this.#server !== undefined) this.#stop(this.#server);
    this.#vacate();
    await Promise.all(this.#closing);
  }

  async #listen(): Promise<Server> {
    const { host, onConnection, onAcceptError } = this.#options;
    const server = createServer({ allowHalfOpen: true, noDelay: true });
    server.on('connection', (socket) => {
      if (!this.#isPlaceholder(socket)) onConnection(socket);
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port: this.#port, backlog }, resolve);
    });
    server.removeAllListeners('error').on('error', onAcceptError);
    return server;
  }

  async #listenAgain(): Promise<Server> {
    let taken: unknown;
    const server = await waitFor(this.#options.clock, { withinMs: reopenWithinMs }, () =>
      this.#listen().catch((error: unknown) => {
        taken = error;
        return undefined;
      }),
    );
    if (server !== undefined) return server;
    throw new Problem({
      code: 'world.port-taken',
      where: `tap at ${this.#options.host}:${this.#port}`,
      what: `the port could not be opened within ${reopenWithinMs} ms: ${String(taken)}`,
      allowed: 'a port that no other process takes while the tap refuses connections',
      next: `see which process has it: ss -tanp 'sport = :${this.#port}'`,
      cause: taken,
    });
  }

  /** A connection of our own keeps the port in use, so that the kernel does not hand it out as a free port. */
  async #occupy(): Promise<readonly Socket[]> {
    const near = connect({ host: this.#options.host, port: this.#port });
    const far = new Promise<Socket | undefined>((resolve) => {
      near.on('error', () => resolve(undefined));
      this.#isPlaceholder = (socket) => {
        if (socket.remotePort !== near.localPort) return false;
        socket.on('error', () => undefined);
        resolve(socket);
        return true;
      };
    });
    const accepted = await within(this.#options.clock, occupyWithinMs, far);
    return accepted === undefined ? [near] : [near, accepted];
  }

  #vacate(): void {
    this.#placeholder.forEach(resetSocket);
    this.#placeholder = [];
    this.#isPlaceholder = () => false;
  }

  #stop(server: Server): void {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    this.#closing.add(closed);
    void closed.then(() => this.#closing.delete(closed));
    this.#server = undefined;
  }
}
