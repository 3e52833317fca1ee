/** The statements and commands on one edge to a store: numbers them, counts those in progress, and reports each when it is over. */
import { type CallEvent, type CallFault, noMethod } from '../../journal/call-event.ts';
import { defined } from '../../kernel/defined.ts';
import type { StoreConversation, StoreExchange } from '../../protocols/stores/store-conversation.ts';
import type { EdgeCallsOptions } from '../calls/edge-calls.ts';
import type { TapOptions } from '../tap.ts';

interface Begun {
  readonly crossing: number;
  readonly connection: number;
  readonly protocol: StoreConversation['protocol'];
  readonly startedAt: number;
}

export class StoreCalls {
  /** Statements without an answer; a read that waits for what is to come is none. */
  inFlight = 0;
  readonly #options: EdgeCallsOptions & Pick<TapOptions, 'watch'>;
  readonly #epoch: number;
  readonly #open = new Map<StoreExchange, Begun>();
  #crossings = 0;

  constructor(options: EdgeCallsOptions & Pick<TapOptions, 'watch'>) {
    this.#options = options;
    this.#epoch = options.at === undefined ? 0 : options.clock.monotonic() - options.at();
  }

  begun(exchange: StoreExchange, connection: number, protocol: Begun['protocol'], now: number): void {
    this.#crossings += 1;
    this.#open.set(exchange, { crossing: this.#crossings, connection, protocol, startedAt: now });
    if (!exchange.isWaiting) this.inFlight += 1;
  }

  ended(exchange: StoreExchange, now: number, incomplete?: CallFault): void {
    const begun = this.#open.get(exchange);
    if (begun === undefined) return;
    this.#open.delete(exchange);
    if (!exchange.isWaiting) this.inFlight -= 1;
    // A read that waited in vain is repeated for as long as the system is up.
    if (exchange.isVain !== true) this.#options.emit(this.#event(exchange, begun, now, incomplete));
  }

  views(): readonly CallEvent[] {
    const now = this.#options.clock.monotonic();
    return [...this.#open].map(([exchange, begun]) => this.#event(exchange, begun, now, 'in-flight'));
  }

  /** What passes on this connection from now on is not known; that it is no store is news only where one was announced. */
  lost(
    connection: number,
    protocol: Begun['protocol'] | undefined,
    because: string | undefined,
    now: number,
  ): void {
    if (protocol === undefined && this.#options.watch === 'perhaps-store') return;
    this.#crossings += 1;
    const { from, to } = this.#options;
    this.#options.emit({
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
    });
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
    const isAnswered = incomplete === undefined;
    return {
      type: 'call',
      from,
      to,
      crossing,
      connection,
      protocol,
      method,
      path,
      statement,
      ...defined({ params }),
      ...(isAnswered ? defined({ result, error }) : {}),
      request: { headers: {}, bytes: sentBytes },
      ...(isAnswered ? { response: { status: 200, headers: {}, bytes: receivedBytes } } : {}),
      startedAt: this.#onJournal(startedAt),
      endedAt: this.#onJournal(now),
      ...defined({ incomplete }),
    };
  }

  #onJournal(time: number): number {
    return Math.round((time - this.#epoch) * 1_000) / 1_000;
  }
}
