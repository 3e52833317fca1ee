/** Reads both directions of a connection to Redis, and finds each command with its answer. Pure. */
import { moreNotKept } from '../../kernel/not-kept.ts';
import { type StoreConversation, type StoreListener, storeLimits } from '../stores/store-conversation.ts';
import { CommandExchange } from './command-exchange.ts';
import { endQueued } from './end-queued.ts';
import { readCommand, shownKey } from './resp-command.ts';
import { RespReader, type RespValue } from './resp-reader.ts';

const confirmations = /^[ps]?(?:un)?subscribe$/;
const subscriptions = new Set(['', 'P', 'S'].flatMap((kind) => [`${kind}SUBSCRIBE`, `${kind}UNSUBSCRIBE`]));
const messages = /^[ps]?message$/;
const unreadable = new Set(['MONITOR', 'SYNC', 'PSYNC']);

export class RespConversation implements StoreConversation {
  readonly protocol = 'resp';
  closedBecause: string | undefined;
  readonly #listener: StoreListener;
  readonly #sent = new RespReader((value) => this.#asked(value), true);
  readonly #received = new RespReader((value) => this.#said(value));
  readonly #awaited: CommandExchange[] = [];
  /** To which it has subscribed, by the word that confirms it. */
  readonly #channels: ReadonlyMap<string, Set<string>> = new Map(
    ['subscribe', 'psubscribe', 'ssubscribe'].map((word) => [word, new Set()]),
  );
  /** Behind MULTI: they are answered with what ends the transaction. */
  #queued: CommandExchange[] | undefined;
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

  #asked({ value, items, bytes }: RespValue): void {
    const command = readCommand(value);
    if (command === undefined || this.#isLost) {
      this.#isLost = true;
      return;
    }
    const exchange = new CommandExchange(command, bytes, items - 1);
    this.#awaited.push(exchange);
    this.#listener.begun(exchange);
    const isSilent = command.method === 'CLIENT' && /^CLIENT REPLY (?:OFF|SKIP)/i.test(command.statement);
    if (isSilent || unreadable.has(command.method)) this.#lose(`${command.method} changes what is answered`);
    const waiting = this.#awaited.length + (this.#queued?.length ?? 0);
    if (waiting > storeLimits.pipelined) this.#lose('too many commands wait for their answers');
  }

  #lose(because: string): void {
    this.#isLost = true;
    this.closedBecause = because;
  }

  #said(said: RespValue): void {
    if (this.#isLost) return;
    const { value, isPush, bytes } = said;
    const word = Array.isArray(value) && typeof value[0] === 'string' ? value[0] : '';
    if (word !== '' && messages.test(word) && (isPush || this.#hears(word)))
      this.#published(word, value as readonly unknown[], bytes);
    else if (word !== '' && confirmations.test(word) && this.#mayConfirm(isPush))
      this.#confirmed(word, value as readonly unknown[], bytes);
    else if (!isPush) this.#answered(said);
  }

  #hears(word: string): boolean {
    return (this.#channels.get(word.replace('message', 'subscribe'))?.size ?? 0) > 0;
  }

  #mayConfirm(isPush: boolean): boolean {
    return isPush || subscriptions.has(this.#awaited[0]?.method ?? '');
  }

  /** One of several answers to the same command. A server may end a subscription by itself, too. */
  #confirmed(word: string, value: readonly unknown[], bytes: number): void {
    const left = this.#note(word, value[1]);
    const [head] = this.#awaited;
    if (head === undefined || !subscriptions.has(head.method)) return;
    head.left -= 1;
    head.answerCount += 1;
    if (head.answers.length < storeLimits.rows) head.answers.push(value);
    // Without channels, it is about all that there are when its turn comes.
    const isLast = head.params.length > 0 ? head.left === 0 : left === 0 || value[1] === null;
    if (isLast) this.#answered({ ...plainValue, value: answersOf(head), bytes });
    else head.receivedBytes += bytes;
  }

  /** How many of the same kind there are. */
  #note(word: string, channel: unknown): number {
    const channels = this.#channels.get(word.replace('un', ''));
    if (word.includes('un')) channels?.delete(String(channel));
    else channels?.add(String(channel));
    const size = channels?.size ?? 0;
    if (size > storeLimits.channels) this.#lose('it has subscribed to too many channels');
    return size;
  }

  #answered(said: RespValue): void {
    const head = this.#awaited.shift();
    if (head === undefined) {
      this.#isLost = true;
      return;
    }
    const { value, isError, bytes } = said;
    head.receivedBytes += bytes;
    if (this.#queued && value === 'QUEUED' && !isError) {
      this.#queued.push(head);
      // Nothing is in progress until EXEC is.
      this.#listener.paused(head, true);
      return;
    }
    if (isError) head.fail(value);
    else head.result = value;
    head.isVain = head.isWaiting && isNothing(value);
    if (head.method === 'RESET' && !isError) for (const channels of this.#channels.values()) channels.clear();
    this.#transact(head, said);
    if (!this.#isLost) this.#listener.ended(head);
  }

  /** EXEC ends a transaction even if it is refused. */
  #transact(head: CommandExchange, said: RespValue): void {
    const { method } = head;
    if (method === 'MULTI' && !said.isError) this.#queued = [];
    const isEnd = method === 'EXEC' || (!said.isError && (method === 'DISCARD' || method === 'RESET'));
    if (!this.#queued || !isEnd) return;
    const queued = this.#queued;
    this.#queued = undefined;
    if (!endQueued(queued, head, said)) {
      this.#lose('what EXEC answers is not of its commands');
      return;
    }
    for (const command of queued) {
      this.#listener.paused(command, false);
      this.#listener.ended(command);
    }
  }

  #published(word: string, [, ...params]: readonly unknown[], receivedBytes: number): void {
    const exchange = {
      method: word.toUpperCase(),
      path: shownKey(params[0]),
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

const plainValue = { isError: false, isPush: false, items: 0, dropped: 0, errors: [] } as const;

/** One alone is as it is. */
function answersOf({ answers, answerCount }: CommandExchange): unknown {
  if (answerCount === 1) return answers[0];
  const kept = answers.length;
  return kept === answerCount
    ? answers
    : [
        ...answers,
        moreNotKept(answerCount - kept, `of ${answerCount} answers, only the first ${kept} are kept`),
      ];
}

function isNothing(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}
