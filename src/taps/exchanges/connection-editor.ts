/** One connection under rules: reads its exchanges, applies their edits, and forwards everything else unchanged. */
import type { Clock } from '../../kernel/clock.ts';
import type { RequestHead, ResponseHead } from '../../protocols/http/http-message.ts';
import { createRequestReader, createResponseReader } from '../../protocols/http/http-reader.ts';
import type { Inlet } from '../inlet.ts';
import type { Lane } from '../lane.ts';
import type { CutBy } from '../rules/rule.ts';
import { Exchange, type Named, type NamedMove } from './exchange.ts';
import type { Part } from './exchange-edit.ts';
import { exchangeLimits } from './exchange-limits.ts';
import { Flow } from './flow.ts';
import { wholeResponse } from './framing.ts';
import { joinParts } from './join-parts.ts';
import { MessageSplitter, type Piece } from './message-splitter.ts';
import type { NamedEdit, PlacedRules } from './placed-rules.ts';
import { RequestAhead } from './request-ahead.ts';

export interface EditorOptions {
  readonly sent: Lane;
  readonly received: Lane;
  readonly consumer: Inlet;
  readonly provider: Inlet;
  readonly clock: Clock;
  readonly mostBufferedBytes: number;
  /** Those in force; undefined when there are none. */
  readonly rules: () => PlacedRules | undefined;
  /** The head of a request has passed: returns the number of its call. */
  readonly begun: (exchange: Exchange) => number;
  readonly sendAgain: (method: string, request: readonly Buffer[]) => Promise<boolean>;
  readonly onCut: (by: CutBy) => void;
  /** Whether the consumer has got what went to it, and is still there. */
  readonly isDelivered: () => Promise<boolean>;
  /** Asks whether a disturbance has arrived; settles when that is known and reported. */
  readonly onConfirming: (confirming: Promise<void>) => void;
  readonly isConsumerThere: () => boolean;
  readonly onFelt: (exchange: Exchange, rule: string, what: string) => void;
  readonly onUnfit: (exchange: Exchange, rule: string, what: string) => void;
  /** No exchange is in progress, and there are no rules. */
  readonly onUnneeded: () => void;
  /** Both sides have ended, and a rule permanently keeps what one of them would still get. */
  readonly onLeft: () => void;
}

/** Takes what a socket brings. */
export interface Taker {
  /** Returns whether the memory of the chunk can be reused. */
  take(chunk: Buffer): boolean;
  end(): void;
  reset(): void;
}

const goOn = Buffer.from('HTTP/1.1 100 Continue\r\n\r\n');

export class ConnectionEditor {
  readonly sent: Taker;
  readonly received: Taker;
  readonly #options: EditorOptions;
  readonly #asked: Flow;
  readonly #answered: Flow;
  readonly #requests: MessageSplitter<RequestHead>;
  readonly #responses: MessageSplitter<ResponseHead>;
  /** Those whose response is not over, the oldest first. */
  #waiting: Exchange[] = [];
  /** The one whose request is coming. */
  #asking: Exchange | undefined;
  /** Its parts, while it is not known which rules it meets. */
  #ahead: RequestAhead | undefined;
  /** The flows whose source has ended. */
  readonly #left = new Set<Flow>();
  /** The rest of the current chunk is still to come. */
  #isTaking = false;
  /** Waits until what a rule did has arrived. */
  readonly #confirming = new Set<Promise<void>>();
  /** Faults met by senders whose requests are still held. */
  readonly #feltBySender = new Set<() => void>();
  /** Faults whose beginning has arrived: a consumer that leaves before their end has met them. */
  readonly #arrived = new Map<Exchange, () => void>();
  /** Too many requests came before their responses; from then on no rule is met. */
  #isOverrun = false;

  constructor(options: EditorOptions) {
    this.#options = options;
    this.#asked = this.#flow(options.sent, options.consumer);
    this.#answered = this.#flow(options.received, options.provider);
    this.#requests = new MessageSplitter({
      createReader: createRequestReader,
      onHead: () => undefined,
      onPiece: (piece) => this.#onRequest(piece),
    });
    this.#responses = new MessageSplitter({
      createReader: createResponseReader,
      onHead: (head) => this.#howToRead(head),
      onPiece: (piece) => this.#onResponse(piece),
    });
    this.sent = this.#taker(this.#requests, this.#asked, () => this.#decideNow());
    this.received = this.#taker(this.#responses, this.#answered, () => this.#release());
  }

  get waitingBytes(): number {
    return this.#asked.waitingBytes + this.#answered.waitingBytes;
  }

  /** A rule holds something back. */
  get isHeldBack(): boolean {
    return this.#asked.isHeldBack || this.#answered.isHeldBack;
  }

  /** The rules have changed, or something is over. */
  look(): void {
    if (this.#isTaking || this.#options.rules() !== undefined || this.#waiting.length > 0) return;
    const isBetween = this.#requests.isBetween && this.#responses.isBetween;
    if (isBetween && this.#asked.isIdle && this.#answered.isIdle) this.#options.onUnneeded();
  }

  /** Nothing reaches that side any more. */
  drop(direction: 'sent' | 'received' | 'both'): void {
    if (direction !== 'received') {
      this.#asked.drop();
      for (const report of this.#feltBySender) report();
      this.#feltBySender.clear();
    }
    if (direction === 'sent') return;
    for (const report of this.#arrived.values()) report();
    this.#answered.drop();
  }

  #flow(lane: Lane, inlet: Inlet): Flow {
    const { clock, mostBufferedBytes } = this.#options;
    return new Flow({ lane, inlet, clock, mostBufferedBytes, onIdle: () => this.look() });
  }

  /** `broke`: the source is gone in the middle of a message. */
  #taker<Head extends { readonly cut?: true }>(
    splitter: MessageSplitter<Head>,
    flow: Flow,
    broke: () => void,
  ): Taker {
    const stop = (how: 'end' | 'reset'): void => {
      if (!splitter.end()) broke();
      flow.pass(splitter.takeBegun());
      flow.push({ do: how });
      this.#left.add(flow);
      const isLeft = this.#left.size === 2 && (this.#asked.isHeldForGood || this.#answered.isHeldForGood);
      if (isLeft) this.#options.onLeft();
    };
    return {
      take: (chunk) => {
        this.#isTaking = true;
        splitter.push(chunk);
        if (splitter.isPlain) broke();
        const isFree = flow.flush();
        this.#isTaking = false;
        this.look();
        return isFree;
      },
      end: () => stop('end'),
      reset: () => stop('reset'),
    };
  }

  #onRequest(piece: Piece<RequestHead>): void {
    if (piece.is === 'head' && !this.#isOverrun) this.#beginExchange(piece.head, piece);
    else if (piece.is !== 'plain' && this.#asking !== undefined) this.#takeRequest(piece);
    else {
      this.#decideNow();
      this.#asked.pass(piece.raw);
    }
  }

  #beginExchange(head: RequestHead, part: Part<RequestHead>): void {
    const exchange = new Exchange(head);
    this.#asking = exchange;
    this.#waiting.push(exchange);
    this.#isOverrun = this.#waiting.length === exchangeLimits.pipelined;
    if (this.#options.rules()?.asksForBody(head) && !expectsGoOn(head)) this.#ahead = new RequestAhead();
    else this.#meet(exchange, []);
    this.#takeRequest(part);
  }

  #meet(exchange: Exchange, rpcMethods: readonly string[]): void {
    const { rules, sendAgain, clock } = this.#options;
    const { request } = exchange;
    exchange.edits =
      rules()?.meet(rpcMethods, {
        request,
        now: () => Math.floor(clock.now() / 1_000),
        sendAgain: (bytes) => sendAgain(request.method, bytes),
      }) ?? [];
    const isAsked = exchange.answersItself && expectsGoOn(request) && this.#waiting[0] === exchange;
    if (isAsked) this.#answered.push({ do: 'pass', bytes: goOn });
  }

  #takeRequest(part: Part<RequestHead>): void {
    if (this.#ahead === undefined) this.#passRequest(part);
    else if (this.#ahead.add(part)) this.#decideNow();
  }

  /** Enough of the request has come, or no more of it will. */
  #decideNow(): void {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    if (ahead === undefined || this.#asking === undefined) return;
    if (ahead.answersOwnPing) this.#asking.edits = [takenNote(this.#asking.request)];
    else this.#meet(this.#asking, ahead.rpcMethods());
    for (const part of ahead.parts) this.#passRequest(part);
  }

  #passRequest(part: Part<RequestHead>): void {
    const exchange = this.#asking;
    if (exchange === undefined) return;
    if (part.is === 'end') this.#asking = undefined;
    if (exchange.edits.length === 0) this.#asked.pass(part.raw);
    else this.#editRequest(exchange, part);
  }

  #editRequest(exchange: Exchange, part: Part<RequestHead>): void {
    for (const edited of joinParts<RequestHead, NamedMove>(exchange.ask(owned(part)))) {
      if (!Buffer.isBuffer(edited)) this.#move(this.#asked, exchange, edited);
      else this.#asked.push({ do: exchange.answersItself ? 'show' : 'pass', bytes: edited });
    }
    if (part.is === 'head') this.#asked.push({ do: 'mark', callback: () => this.#begun(exchange) });
    if (part.is === 'end') this.#asked.push({ do: 'mark', callback: () => this.#sent(exchange) });
  }

  #begun(exchange: Exchange): void {
    exchange.crossing = this.#options.begun(exchange);
  }

  #sent(exchange: Exchange): void {
    exchange.isSent = true;
    this.#answerItself();
  }

  /** Those at the front that need no provider, in the order of their requests. */
  #answerItself(): void {
    for (let [first] = this.#waiting; first?.answersItself && first.isSent; [first] = this.#waiting) {
      this.#waiting.shift();
      this.#formatResponse(first, first.answerItself());
    }
  }

  /** The one that the provider is about to answer. */
  #front(): Exchange | undefined {
    const [first] = this.#waiting;
    return first?.answersItself ? undefined : first;
  }

  #howToRead(head: ResponseHead): 'no-body' | 'stop' | undefined {
    const method = this.#front()?.request.method;
    if (head.status === 101 || (method === 'CONNECT' && head.status < 300)) return 'stop';
    return method === 'HEAD' ? 'no-body' : undefined;
  }

  #onResponse(piece: Piece<ResponseHead>): void {
    const exchange = this.#front();
    if (piece.is === 'plain' || !exchange?.editsResponse) this.#answered.pass(piece.raw);
    else this.#formatResponse(exchange, exchange.answer(owned(piece)));
    if (piece.is !== 'end' || exchange === undefined) return;
    this.#waiting.shift();
    this.#answerItself();
  }

  #formatResponse(exchange: Exchange, edited: readonly Named<ResponseHead>[]): void {
    for (const one of joinParts<ResponseHead, NamedMove>(edited)) {
      if (exchange.isCut) return;
      if (Buffer.isBuffer(one)) this.#answered.push({ do: 'pass', bytes: one });
      else this.#move(this.#answered, exchange, one);
    }
  }

  #release(): void {
    const exchange = this.#front();
    if (exchange !== undefined) this.#formatResponse(exchange, exchange.release());
  }

  #move(flow: Flow, exchange: Exchange, move: NamedMove): void {
    const felt = (what: string): void => {
      this.#arrived.delete(exchange);
      if (exchange.feels(move.rule)) this.#options.onFelt(exchange, move.rule, what);
    };
    const confirm = (what: string): void => this.#confirm(() => felt(what));
    if (move.do === 'felt' && flow === this.#asked) this.#feelSending(() => felt(move.what));
    else if (move.do === 'felt') flow.push({ do: 'mark', callback: () => confirm(move.what) });
    else if (move.do === 'arrive')
      flow.push({
        do: 'work',
        work: async () => {
          if (await this.#options.isDelivered()) this.#arrived.set(exchange, () => felt(move.what));
        },
      });
    else if (move.do === 'unfit') this.#options.onUnfit(exchange, move.rule, move.what);
    else if (move.do === 'work') {
      flow.push({ do: 'work', work: async () => move.work().then((what) => what && felt(what)) });
    } else if (move.do === 'cut') {
      exchange.isCut = true;
      const cut = (): void => {
        if (move.what !== undefined) confirm(move.what);
        void Promise.all(this.#confirming).then(() => this.#options.onCut(move.by));
      };
      flow.push({ do: 'stop', callback: cut });
    } else flow.push(move);
  }

  /** A consumer still connected when the request comes meets the fault. Reported when it is forwarded or dropped. */
  #feelSending(report: () => void): void {
    if (!this.#options.isConsumerThere()) return;
    this.#feltBySender.add(report);
    this.#asked.push({ do: 'mark', callback: () => void (this.#feltBySender.delete(report) && report()) });
  }

  /** Calls back when what went before has arrived; not where the consumer had hung up. */
  #confirm(callback: () => void): void {
    const confirming = this.#options.isDelivered().then((is) => {
      this.#confirming.delete(confirming);
      if (is) callback();
    });
    this.#confirming.add(confirming);
    this.#options.onConfirming(confirming);
  }
}

/** The provider did not ask, and does not receive the answer. */
function takenNote(request: RequestHead): NamedEdit {
  return { rule: 'own ping', instead: () => wholeResponse(request, 202, {}, Buffer.alloc(0)) };
}

function expectsGoOn({ headers }: RequestHead): boolean {
  return headers.expect?.toLowerCase().includes('100-continue') ?? false;
}

/** With its own copy of the bytes. */
function owned<Head>(part: Part<Head>): Part<Head> {
  return { ...part, raw: Buffer.from(part.raw) };
}
