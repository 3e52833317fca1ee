/** Reads both directions of a connection to Redis, and finds each command with its answer. Pure. */
import {
  type StoreConversation,
  type StoreExchange,
  type StoreListener,
  storeLimits,
} from '../stores/store-conversation.ts';
import { type RespCommand, readCommand } from './resp-command.ts';
import { RespReader, type RespValue } from './resp-reader.ts';

type Sent = RespCommand & { readonly sentBytes: number };

interface Awaited {
  readonly sent: Sent;
  readonly exchange: StoreExchange;
  /** One for each channel of a subscription. */
  left: number;
  answers: unknown[];
  receivedBytes: number;
}

const confirmations = /^[ps]?(?:un)?subscribe$/;
const messages = /^[ps]?message$/;
const unreadable = new Set(['MONITOR', 'SYNC', 'PSYNC']);

export class RespConversation implements StoreConversation {
  readonly protocol = 'resp';
  closedBecause: string | undefined;
  readonly #listener: StoreListener;
  readonly #sent = new RespReader((value) => this.#asked(value), true);
  readonly #received = new RespReader((value) => this.#said(value));
  readonly #awaited: Awaited[] = [];
  readonly #channels = new Set<string>();
  #isLost = false;

  constructor(listener: StoreListener) {
    this.#listener = listener;
  }

  sent(bytes: Buffer): boolean {
    if (!this.#isLost && !this.#sent.push(bytes)) this.#isLost = true;
    return !this.#isLost;
  }

  received(bytes: Buffer): boolean {
    if (!this.#isLost && !this.#received.push(bytes)) this.#isLost = true;
    return !this.#isLost;
  }

  #asked({ value, bytes }: RespValue): void {
    const command = readCommand(value);
    if (command === undefined || this.#isLost) {
      this.#isLost = true;
      return;
    }
    const sent = { ...command, sentBytes: bytes };
    const exchange: StoreExchange = { ...sent, receivedBytes: 0 };
    const left = confirmations.test(command.method.toLowerCase())
      ? Math.max(1, command.params.length || this.#channels.size)
      : 1;
    this.#awaited.push({ sent, exchange, left, answers: [], receivedBytes: 0 });
    this.#listener.begun(exchange);
    const isSilent = command.method === 'CLIENT' && /^CLIENT REPLY (?:OFF|SKIP)/i.test(command.statement);
    if (isSilent || unreadable.has(command.method)) this.#lose(`${command.method} changes what is answered`);
    if (this.#awaited.length > storeLimits.pipelined) this.#lose('too many commands wait for their answers');
  }

  #lose(because: string): void {
    this.#isLost = true;
    this.closedBecause = because;
  }

  #said({ value, isError, isPush, bytes }: RespValue): void {
    if (this.#isLost) return;
    const word = Array.isArray(value) && typeof value[0] === 'string' ? value[0] : '';
    const isPublished = messages.test(word) && (isPush || this.#channels.size > 0);
    if (isPublished) this.#published(word, value as readonly unknown[], bytes);
    else if (isPush && !confirmations.test(word)) return;
    else this.#answered(value, isError, bytes, word);
  }

  #answered(value: unknown, isError: boolean, bytes: number, word: string): void {
    const [head] = this.#awaited;
    if (head === undefined) {
      this.#isLost = true;
      return;
    }
    if (confirmations.test(word)) this.#note(word, (value as readonly unknown[])[1]);
    head.receivedBytes += bytes;
    head.answers.push(value);
    head.left -= 1;
    if (head.left > 0 && !isError) return;
    this.#awaited.shift();
    const result = head.answers.length === 1 ? value : head.answers;
    this.#listener.ended(
      Object.assign(head.exchange, {
        ...(isError ? { error: { message: value } } : { result }),
        receivedBytes: head.receivedBytes,
        isVain: head.sent.isWaiting && isNothing(value),
      }),
    );
  }

  #note(word: string, channel: unknown): void {
    const key = `${word.replace('un', '')} ${String(channel)}`;
    if (word.includes('un')) this.#channels.delete(key);
    else this.#channels.add(key);
  }

  #published(word: string, [, ...params]: readonly unknown[], receivedBytes: number): void {
    const exchange = {
      method: word.toUpperCase(),
      path: String(params[0]),
      statement: word.toUpperCase(),
      params,
      result: null,
      sentBytes: 0,
      receivedBytes,
      isWaiting: false,
    };
    this.#listener.begun(exchange);
    this.#listener.ended(exchange);
  }
}

function isNothing(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}
