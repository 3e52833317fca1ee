/** Observes what passes on one connection to a store: recognizes its protocol, and finds the statements or commands in it. */
import { PostgresConversation } from '../../protocols/postgres/postgres-conversation.ts';
import { RespConversation } from '../../protocols/resp/resp-conversation.ts';
import type {
  StoreConversation,
  StoreExchange,
  StoreListener,
} from '../../protocols/stores/store-conversation.ts';
import type { LaneWatch } from '../lane.ts';
import type { StoreCalls } from './store-calls.ts';

export class StoreWatch {
  readonly sent: LaneWatch;
  readonly received: LaneWatch;
  readonly #calls: StoreCalls;
  readonly #connection: number;
  /** What came before the protocol was known. */
  #beginning = Buffer.alloc(0);
  #conversation: StoreConversation | undefined;
  readonly #open = new Set<StoreExchange>();
  #now = 0;
  /** What the bytes at hand were about: a read that waits, or anything else. */
  #seen = { waiting: false, busy: false };
  #isOver = false;

  constructor(calls: StoreCalls, connection: number) {
    this.#calls = calls;
    this.#connection = connection;
    this.sent = {
      saw: (bytes, now) => this.#saw(now, () => this.#sawSent(bytes)),
      ended: () => undefined,
    };
    this.received = {
      // In both protocols the client speaks first.
      saw: (bytes, now) => this.#saw(now, () => this.#conversation?.received(bytes) ?? false),
      ended: () => undefined,
    };
  }

  closed(now: number): void {
    for (const exchange of this.#open) this.#calls.ended(exchange, now, 'cut');
    this.#open.clear();
    this.#isOver = true;
  }

  #saw(now: number, read: () => boolean): boolean | 'idle' {
    if (this.#isOver) return false;
    this.#now = now;
    this.#seen = { waiting: false, busy: false };
    if (read()) return this.#seen.waiting && !this.#seen.busy ? 'idle' : true;
    this.#giveUp();
    return false;
  }

  #sawSent(bytes: Buffer): boolean {
    if (this.#conversation !== undefined) return this.#conversation.sent(bytes);
    const beginning = Buffer.concat([this.#beginning, bytes]);
    const found = recognize(beginning, this.#listener());
    if (found === 'too-short') {
      this.#beginning = beginning;
      return true;
    }
    this.#conversation = found;
    return found?.sent(beginning) ?? false;
  }

  #giveUp(): void {
    const { protocol, closedBecause } = this.#conversation ?? {};
    for (const exchange of this.#open) this.#calls.ended(exchange, this.#now, 'cut');
    this.#open.clear();
    this.#isOver = true;
    this.#calls.lost(this.#connection, protocol, closedBecause, this.#now);
  }

  #listener(): StoreListener {
    return {
      begun: (exchange) => {
        this.#open.add(exchange);
        this.#seen[exchange.isWaiting ? 'waiting' : 'busy'] = true;
        this.#calls.begun(exchange, this.#connection, this.#conversation?.protocol ?? 'postgres', this.#now);
      },
      ended: (exchange) => {
        this.#open.delete(exchange);
        this.#seen[exchange.isVain ? 'waiting' : 'busy'] = true;
        this.#calls.ended(exchange, this.#now);
      },
    };
  }
}

/** By the first bytes of the client; undefined where it is neither. */
function recognize(bytes: Buffer, listener: StoreListener): StoreConversation | 'too-short' | undefined {
  if (bytes[0] === asterisk)
    return bytes.length < 2 ? 'too-short' : isDigit(bytes[1]) ? new RespConversation(listener) : undefined;
  if (bytes[0] !== 0) return undefined;
  if (bytes.length < startupBytes) return 'too-short';
  const isStartup = startupCodes.includes(bytes.readUInt16BE(4));
  return isStartup && bytes.readUInt32BE(0) >= startupBytes ? new PostgresConversation(listener) : undefined;
}

const asterisk = 0x2a;
const startupBytes = 8;
/** Version 3, and the requests for encryption and cancellation. */
const startupCodes: readonly number[] = [3, 1234];

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
