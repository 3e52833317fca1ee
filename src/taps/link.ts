/** One connection through a tap: the consumer's socket, the provider's socket, and a lane in each direction. */
import { connect, type Socket } from 'node:net';
import type { ConnectionEnd } from '../journal/event.ts';
import type { Clock } from '../kernel/clock.ts';
import { isExhaustion } from '../kernel/system-error.ts';
import { arrived, endSocket, resetSocket, taken } from './end-socket.ts';
import { ConnectionEditor, type EditorOptions, type Taker } from './exchanges/connection-editor.ts';
import { Inlet } from './inlet.ts';
import { Lane, type LaneWatch } from './lane.ts';
import { readBuffer } from './read-buffer.ts';
import type { CutBy, Rule } from './rules/rule.ts';

export interface LinkOptions {
  readonly connection: number;
  readonly consumer: Socket;
  readonly target: { readonly host: string; readonly port: number };
  readonly clock: Clock;
  readonly mostBufferedBytes: number;
  readonly activity: { lastAt: number };
  /** Looks at both directions. */
  readonly watch?: { readonly sent: LaneWatch; readonly received: LaneWatch } | undefined;
  /** The provider did not take the connection, or we could not open one; `onClosed` follows. */
  readonly onUnreachable: (error: Error) => void;
  /** Both sockets are gone. */
  readonly onClosed: (link: Link) => void;
  /** A rule for whole connections has reached the consumer. */
  readonly onFelt?: (rule: Rule, what: string) => void;
}

type Side = 'consumer' | 'provider';

/** What the rules for exchanges need in addition to the link itself. */
export type Editing = Pick<
  EditorOptions,
  'rules' | 'begun' | 'sendAgain' | 'onFelt' | 'onUnfit' | 'onConfirming'
>;

export class Link {
  readonly connection: number;
  readonly sent: Lane;
  readonly received: Lane;
  readonly openedAt: number;
  readonly #options: LinkOptions;
  readonly #consumer: Socket;
  readonly #provider: Socket;
  readonly #inlets: Readonly<Record<Side, Inlet>>;
  /** What takes the bytes of a side: its lane, or an editor before it. */
  #takers: Readonly<Record<Side, Taker>>;
  #editor: ConnectionEditor | undefined;
  #reached = false;
  #end: ConnectionEnd | undefined;
  #openSockets = 2;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.connection = options.connection;
    this.openedAt = options.clock.monotonic();
    this.#consumer = options.consumer;
    this.#provider = connect({
      ...options.target,
      allowHalfOpen: true,
      noDelay: true,
      onread: readBuffer((chunk) => this.#takers.provider.take(chunk)),
    });
    this.#inlets = { consumer: new Inlet(this.#consumer), provider: new Inlet(this.#provider) };
    this.sent = this.#lane(this.#inlets.consumer, this.#provider, options.watch?.sent);
    this.received = this.#lane(this.#inlets.provider, this.#consumer, options.watch?.received);
    this.#takers = { consumer: this.sent, provider: this.received };
    this.#follow();
  }

  /** How it ended, as far as it did. */
  get end(): ConnectionEnd {
    return this.#end ?? 'closed';
  }

  get waitingBytes(): number {
    return this.sent.waitingBytes + this.received.waitingBytes + (this.#editor?.waitingBytes ?? 0);
  }

  /** Nothing that was taken still waits. */
  get isClear(): boolean {
    return this.sent.isEmpty && this.received.isEmpty;
  }

  get isEdited(): boolean {
    return this.#editor !== undefined;
  }

  /** From the next exchange on, rules decide over single exchanges, until there are no rules any more. */
  edit(editing: Editing): void {
    const { clock, mostBufferedBytes } = this.#options;
    const editor = new ConnectionEditor({
      ...editing,
      sent: this.sent,
      received: this.received,
      ...this.#inlets,
      clock,
      mostBufferedBytes,
      onCut: (by) => this.#endBoth(by),
      isDelivered: () => this.#isDelivered(),
      isConsumerThere: () => !this.#consumer.destroyed && !this.#consumer.readableEnded,
      onUnneeded: () => this.#stopEditing(),
      onLeft: () => this.drop('closed'),
    });
    this.#editor = editor;
    this.#takers = { consumer: editor.sent, provider: editor.received };
  }

  /** Other rules are in force: what an earlier one holds back does not arrive late. */
  reviewEdits(): void {
    if (this.#editor?.isHeldBack) this.drop('cut');
    else this.#editor?.look();
  }

  /** From now on the rule decides over what passes. */
  obey(rule: Rule): void {
    const { connection } = this;
    const felt = (what: string): void => this.#options.onFelt?.(rule, what);
    this.sent.place(rule.gate({ direction: 'sent', connection, felt }));
    this.received.place(rule.gate({ direction: 'received', connection, felt }));
  }

  /** Resets both sides at once. */
  drop(end: ConnectionEnd): void {
    this.#stop(end);
    resetSocket(this.#consumer);
    resetSocket(this.#provider);
  }

  /** Or where the connection has closed in order: each side has received the other's FIN, and all before it. */
  async #isDelivered(): Promise<boolean> {
    const consumer = this.#consumer;
    const wasThere = !consumer.destroyed && consumer.errored === null;
    const isTaken = taken(consumer);
    if (await arrived(consumer, this.#options.clock)) return true;
    // A consumer that leaves afterwards has met the fault, unless what was written until now was refused.
    return wasThere && (await isTaken);
  }

  #stopEditing(): void {
    this.#editor = undefined;
    this.#takers = { consumer: this.sent, provider: this.received };
  }

  #lane(source: Inlet, sink: Socket, watch: LaneWatch | undefined): Lane {
    const { clock, mostBufferedBytes, activity } = this.#options;
    const onCut = (cut: { by: CutBy; afterDelivery: boolean }): void => {
      if (cut.by === 'reset' && !cut.afterDelivery) this.drop('cut');
      else this.#endBoth(cut.by);
    };
    return new Lane({ source, sink, clock, mostBufferedBytes, activity, onCut, watch });
  }

  #follow(): void {
    this.#consumer.on('data', (chunk: Buffer) => this.#takers.consumer.take(chunk));
    this.#followEnds(this.#consumer, 'consumer', this.received);
    this.#followEnds(this.#provider, 'provider', this.sent);
    this.#provider.on('connect', () => {
      this.#reached = true;
    });
    this.#provider.resume();
  }

  #followEnds(socket: Socket, side: Side, towards: Lane): void {
    onEnd(socket, () => this.#takers[side].end());
    socket.on('drain', () => towards.drained());
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE' && socket.readableEnded) this.#takers[side].end();
      if (socket === this.#provider && !this.#reached && error.code !== 'ECONNRESET')
        this.#unreachable(error);
      else this.#lost(side, towards);
    });
    socket.on('close', () => this.#gone());
  }

  /** A side broke off: the other side is reset in its turn, and nothing can reach the lost side any more. */
  #lost(side: Side, towards: Lane): void {
    this.#end ??= `reset-by-${side}`;
    this.#editor?.drop(towards === this.sent ? 'sent' : 'received');
    towards.discard();
    this.#takers[side].reset();
  }

  #unreachable(error: Error): void {
    if (this.#end === undefined) this.#options.onUnreachable(error);
    this.drop(isExhaustion(error) ? 'tap-closed' : 'unreachable');
  }

  #endBoth(by: CutBy): void {
    this.#stop('cut');
    void endSocket(this.#consumer, by, this.#options.clock);
    void endSocket(this.#provider, by, this.#options.clock);
  }

  #stop(end: ConnectionEnd): void {
    this.#end ??= end;
    this.#editor?.drop('both');
    this.sent.discard();
    this.received.discard();
  }

  #gone(): void {
    this.#openSockets -= 1;
    if (this.#openSockets === 0) this.#options.onClosed(this);
  }
}

/**
 * Node 22 emits `end` for a reset that comes together with the last bytes. The kernel is exact: a reset socket has
 * no peer any more, and an empty write then fails, with EPIPE where a FIN had come before the reset. That failure is an
 * ordinary `error` of the socket; the callback is for a FIN only.
 */
export function onEnd(socket: Socket, callback: () => void): void {
  socket.on('end', () => {
    if (socket.remotePort !== undefined || !socket.writable) callback();
    else socket.write('', (error) => (error ? undefined : callback()));
  });
}
