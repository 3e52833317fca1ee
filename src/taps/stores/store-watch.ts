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
  #sawWaiting = false;
  #sawBusy = false;
  #isOver = false;
  /** Over, but what passes has to be noted. */
  #isUnread = false;

  constructor(calls: StoreCalls, connection: number) {
    this.#calls = calls;
    this.#connection = connection;
    this.sent = {
      saw: (bytes, now) => this.#saw(bytes, now, true),
      ended: () => undefined,
    };
    this.received = {
      saw: (bytes, now) => this.#saw(bytes, now, false),
      ended: () => undefined,
    };
  }

  closed(now: number): void {
    for (const exchange of this.#open) this.#calls.ended(exchange, now, 'cut');
    this.#open.clear();
    this.#isOver = true;
    this.#calls.closedUnread(this.#connection);
  }

  #saw(bytes: Buffer, now: number, isSent: boolean): boolean | 'idle' {
    if (this.#isUnread) this.#calls.sawUnread(this.#connection, now);
    if (this.#isOver) return this.#isUnread;
    this.#now = now;
    this.#sawWaiting = false;
    this.#sawBusy = false;
    try {
      // In both protocols the client speaks first.
      const isRead = isSent ? this.#sawSent(bytes) : (this.#conversation?.received(bytes) ?? false);
      if (isRead) return this.#sawWaiting && !this.#sawBusy ? 'idle' : true;
      this.#giveUp(this.#conversation?.closedBecause);
    } catch (error) {
      // Bytes are passed on whether or not they can be read, and the other connections go on.
      this.#giveUp(`could not be read: ${String(error)}`);
    }
    return this.#isUnread;
  }

  #note(isWaiting: boolean): void {
    if (isWaiting) this.#sawWaiting = true;
    else this.#sawBusy = true;
  }

  #sawSent(bytes: Buffer): boolean {
    if (this.#conversation !== undefined) return this.#conversation.sent(bytes);
    const beginning = Buffer.concat([this.#beginning, bytes]);
    const found = recognize(beginning, this.#listener(), this.#calls.isRedis);
    if (found === 'too-short') {
      this.#beginning = beginning;
      return true;
    }
    this.#conversation = found;
    return found?.sent(beginning) ?? false;
  }

  #giveUp(because: string | undefined): void {
    for (const exchange of this.#open) this.#calls.ended(exchange, this.#now, 'cut');
    this.#open.clear();
    this.#isOver = true;
    this.#isUnread = this.#calls.lost(this.#connection, this.#conversation?.protocol, because, this.#now);
  }

  #listener(): StoreListener {
    return {
      begun: (exchange) => {
        this.#open.add(exchange);
        this.#note(exchange.isWaiting);
        this.#calls.begun(exchange, this.#connection, this.#conversation?.protocol ?? 'postgres', this.#now);
      },
      reached: (exchange) => this.#calls.reached(exchange, this.#now),
      paused: (exchange, isPaused) => this.#calls.paused(exchange, isPaused, this.#now),
      ended: (exchange) => {
        this.#open.delete(exchange);
        this.#note(exchange.isVain === true);
        this.#calls.ended(exchange, this.#now);
      },
    };
  }
}

/** By the first bytes of the client; undefined where it is neither. */
function recognize(
  bytes: Buffer,
  listener: StoreListener,
  isRedis: boolean,
): StoreConversation | 'too-short' | undefined {
  const [first] = bytes;
  if (first === asterisk)
    return bytes.length < 2 ? 'too-short' : isDigit(bytes[1]) ? new RespConversation(listener) : undefined;
  if (isLetter(first)) {
    const isTyped = isRedis || looksTyped(bytes);
    return isTyped === true ? new RespConversation(listener) : isTyped || undefined;
  }
  if (first !== 0) return undefined;
  if (bytes.length < startupBytes) return 'too-short';
  const isStartup = startupCodes.includes(bytes.readUInt16BE(4));
  return isStartup && bytes.readUInt32BE(0) >= startupBytes ? new PostgresConversation(listener) : undefined;
}

/** Where Redis was not announced, only what begins no other protocol: HTTP has a GET, and memcached a GET, a SET and a QUIT. */
function looksTyped(bytes: Buffer): boolean | 'too-short' {
  const line = bytes.toString('latin1', 0, mostTypedBytes);
  if (!line.includes('\n')) return line.length < mostTypedBytes && 'too-short';
  return /^(?:ping|info|auth \S+(?: \S+)?|hello [23]\b.*|select \d+|client \w+.*) *\r?\n/i.test(line);
}

const mostTypedBytes = 512;

function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && /[a-z]/i.test(String.fromCharCode(byte));
}

const asterisk = 0x2a;
const startupBytes = 8;
/** Version 3, and the requests for encryption and cancellation. */
const startupCodes: readonly number[] = [3, 1234];

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
