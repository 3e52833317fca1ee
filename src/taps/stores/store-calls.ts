/** The statements and commands on one edge to a store: numbers them, counts those in progress, and reports each when it is over. */
import { type CallEvent, type CallFault, noMethod } from '../../journal/call-event.ts';
import type { StoreConversation, StoreExchange } from '../../protocols/stores/store-conversation.ts';
import type { EdgeCallsOptions } from '../calls/edge-calls.ts';
import type { TapOptions } from '../tap.ts';

interface Begun {
  readonly crossing: number;
  readonly connection: number;
  readonly protocol: StoreConversation['protocol'];
  startedAt: number;
  /** It waits, or is paused: it is not in flight. */
  isIdle: boolean;
  /** The last batch came then; if no other is asked for, that was its end. */
  pausedAt?: number | undefined;
}

type Writable<Fields> = { -readonly [Key in keyof Fields]: Fields[Key] };

export class StoreCalls {
  /** Statements without an answer; a read that waits for what is to come is none. */
  inFlight = 0;
  readonly #options: EdgeCallsOptions & Pick<TapOptions, 'watch'>;
  readonly #epoch: number;
  readonly #open = new Map<StoreExchange, Begun>();
  /** Open connections that are not read any more, with what passed there last. */
  readonly #unread = new Map<number, { readonly event: CallEvent; readonly isReported: boolean }>();
  #crossings = 0;

  constructor(options: EdgeCallsOptions & Pick<TapOptions, 'watch'>) {
    this.#options = options;
    const now = options.clock.monotonic();
    this.#epoch = options.at === undefined ? 0 : now - options.at(now);
  }

  get isRedis(): boolean {
    return this.#options.watch === 'redis';
  }

  begun(exchange: StoreExchange, connection: number, protocol: Begun['protocol'], now: number): void {
    this.#crossings += 1;
    const { isWaiting: isIdle } = exchange;
    this.#open.set(exchange, { crossing: this.#crossings, connection, protocol, startedAt: now, isIdle });
    if (!isIdle) this.inFlight += 1;
  }

  /** It ran beside none of those that were sent with it. */
  reached(exchange: StoreExchange, now: number): void {
    const begun = this.#open.get(exchange);
    if (begun !== undefined) begun.startedAt = now;
  }

  paused(exchange: StoreExchange, isPaused: boolean, now: number): void {
    const begun = this.#open.get(exchange);
    if (begun === undefined || begun.isIdle === isPaused) return;
    begun.isIdle = isPaused;
    begun.pausedAt = isPaused ? now : undefined;
    this.inFlight += isPaused ? -1 : 1;
  }

  ended(exchange: StoreExchange, now: number, incomplete?: CallFault): void {
    const begun = this.#open.get(exchange);
    if (begun === undefined) return;
    this.#open.delete(exchange);
    if (!begun.isIdle) this.inFlight -= 1;
    // A read that waited in vain is repeated for as long as the system is up.
    if (exchange.isVain === true) return;
    this.#options.emit(this.#event(exchange, begun, begun.pausedAt ?? now, incomplete));
  }

  views(): readonly CallEvent[] {
    const now = this.#options.clock.monotonic();
    return [
      ...[...this.#open].map(([exchange, begun]) => this.#event(exchange, begun, now, 'in-flight')),
      ...[...this.#unread.values()].filter(({ isReported }) => !isReported).map(({ event }) => event),
    ];
  }

  /**
   * What passes on this connection from now on is not known; that it is no store is news only where one was announced.
   * False where that is no news.
   */
  lost(
    connection: number,
    protocol: Begun['protocol'] | undefined,
    because: string | undefined,
    now: number,
  ): boolean {
    if (protocol === undefined && this.#options.watch === 'perhaps-store') return false;
    this.#crossings += 1;
    const { from, to } = this.#options;
    const event: CallEvent = {
      type: 'call',
      from,
      to,
      crossing: this.#crossings,
      connection,
      protocol: protocol ?? 'tcp',
      method: noMethod,
      path: because ?? (protocol === undefined ? 'neither PostgreSQL nor RESP' : `no longer ${protocol}`),
      request: { headers: {}, bytes: 0 },
      startedAt: this.#onJournal(now),
      endedAt: this.#onJournal(now),
      incomplete: 'not-http',
    };
    this.#unread.set(connection, { event, isReported: true });
    this.#options.emit(event);
    return true;
  }

  /** More passed on a connection that is not read: it belongs to the attempt of now. */
  sawUnread(connection: number, now: number): void {
    const unread = this.#unread.get(connection);
    if (unread === undefined) return;
    const at = this.#onJournal(now);
    this.#unread.set(connection, {
      event: { ...unread.event, startedAt: at, endedAt: at },
      isReported: false,
    });
  }

  closedUnread(connection: number): void {
    const unread = this.#unread.get(connection);
    if (unread !== undefined && !unread.isReported) this.#options.emit(unread.event);
    this.#unread.delete(connection);
  }

  close(): void {
    this.#open.clear();
  }

  #event(
    exchange: StoreExchange,
    { crossing, connection, protocol, startedAt }: Begun,
    now: number,
    incomplete: CallFault | undefined,
  ): CallEvent {
    const { from, to } = this.#options;
    const { method, path, statement, params, result, error, sentBytes, receivedBytes } = exchange;
    const isAnswered = incomplete === undefined || exchange.isPaused === true;
    // Field by field, because there is one for each statement: spreading takes longer than reading it.
    const event: Writable<Partial<CallEvent>> = {
      type: 'call',
      from,
      to,
      crossing,
      connection,
      protocol,
      method,
      path,
      statement,
    };
    if (params !== undefined) event.params = params;
    if (isAnswered && result !== undefined) event.result = result;
    if (isAnswered && error !== undefined) event.error = error;
    event.request = { headers: {}, bytes: sentBytes };
    if (isAnswered) event.response = { status: 200, headers: {}, bytes: receivedBytes };
    event.startedAt = this.#onJournal(startedAt);
    event.endedAt = this.#onJournal(now);
    if (incomplete !== undefined) event.incomplete = incomplete;
    if (exchange.isWaiting) event.waits = true;
    return event as CallEvent;
  }

  #onJournal(time: number): number {
    return Math.round((time - this.#epoch) * 1_000) / 1_000;
  }
}
