/** Observes what passes on one connection, and finds the HTTP calls in it; stops permanently at anything else. */
import { type CallBreach, type CallFault, noMethod } from '../../journal/call-event.ts';
import type { ConnectionEnd } from '../../journal/event.ts';
import type { RequestHead, ResponseHead } from '../../protocols/http/http-message.ts';
import {
  createRequestReader,
  createResponseReader,
  type HttpListener,
  type ReaderState,
} from '../../protocols/http/http-reader.ts';
import type { LaneWatch } from '../lane.ts';
import { callLimits } from './call-limits.ts';
import { type EdgeCalls, unreadHead } from './edge-calls.ts';
import { extraBytes, notHttp, unfinishedResponse } from './http-breach.ts';
import type { PassingCall } from './passing-call.ts';

export class ConnectionWatch {
  readonly sent: LaneWatch;
  readonly received: LaneWatch;
  /** Called once, when an exchange is over and no other has begun. */
  onIdle: (() => void) | undefined;
  readonly #calls: EdgeCalls;
  readonly #connection: number;
  readonly #requests = createRequestReader(this.#requestListener());
  readonly #responses = createResponseReader(this.#responseListener());
  /** Calls whose response is not complete, the oldest first. */
  #open: PassingCall[] = [];
  /** Calls that are complete, until it is known whether more came than there should. */
  #done: PassingCall[] = [];
  /** The beginning of what the consumer sent instead of a request. */
  #junk: Buffer | undefined;
  /** A response came without a request. */
  #isUnasked = false;
  /** It is no longer HTTP because both sides agreed to upgrade. */
  #isUpgraded = false;
  /** Something passes that cannot be read here. */
  #isBlind = false;
  /** What passed unread. */
  #unread: PassingCall | undefined;
  /** No more of a request can be read before its response is over. */
  #isUnreadable = false;
  #consumerLeft = false;
  #isOver = false;
  #now = 0;
  #requestBeganAt = 0;

  constructor(calls: EdgeCalls, connection: number) {
    this.#calls = calls;
    this.#connection = connection;
    this.sent = {
      saw: (bytes, now) => this.#sawSent(bytes, now),
      ended: () => {
        this.#consumerLeft = true;
        this.#requests.end();
      },
    };
    this.received = {
      saw: (bytes, now) => this.#sawReceived(bytes, now),
      ended: (now) => this.#receivedEnded(now),
    };
  }

  /** Between two exchanges of HTTP. */
  get isIdle(): boolean {
    const isBetween = this.#requests.isBetween && this.#responses.isBetween;
    return isBetween && !this.#isOver && this.#junk === undefined && this.#open.length === 0;
  }

  /** The call whose request has begun last; undefined where it is over, or where this does not look any more. */
  get newest(): PassingCall | undefined {
    return this.#open.at(-1);
  }

  /** The connection is gone. */
  closed(now: number, end?: ConnectionEnd): void {
    this.#now = now;
    if (end === 'reset-by-provider' && !this.#consumerLeft) this.#noteUnfinished();
    this.#giveUp('cut');
    if (this.#unread !== undefined) this.#calls.broken(this.#unread, now, 'not-http');
  }

  #sawSent(bytes: Buffer, now: number): boolean {
    this.#now = now;
    if (this.#isBlind) this.#sawUnread();
    if (this.#isOver || this.#isUnreadable) return this.#isWatching;
    if (this.#requests.isBetween) this.#requestBeganAt = now;
    const state = this.#requests.push(bytes);
    this.#isUnreadable = state !== 'reading';
    if (state === 'broken') this.#keepJunk(bytes);
    else if (this.#open.length > callLimits.pipelined) this.#giveUp('too-large');
    return this.#isWatching;
  }

  get #isWatching(): boolean {
    return !this.#isOver || this.#isBlind;
  }

  #sawUnread(): void {
    this.#unread = this.#calls.sawUnread(this.#connection, this.#now, this.#unread);
  }

  /** Only a refusal as HTTP servers send it shows that the provider does not speak another protocol. */
  #keepJunk(bytes: Buffer): void {
    if (this.#open.length > 0) this.#giveUp('not-http');
    else this.#junk = Buffer.from(bytes.subarray(0, callLimits.junkBytes));
  }

  #sawReceived(bytes: Buffer, now: number): boolean {
    this.#now = now;
    if (this.#unread !== undefined) this.#sawUnread();
    if (this.#isOver) return this.#isWatching;
    const isBetween = this.#responses.isBetween;
    const state = this.#responses.push(bytes);
    this.#open[0]?.takeIn(now);
    if (this.#done.length > 0) this.#formatDone(state);
    if (state !== 'reading') this.#stopReading(state, isBetween, bytes);
    if (this.onIdle !== undefined && this.isIdle) this.#formatIdle();
    return this.#isWatching;
  }

  #formatDone(state: ReaderState): void {
    const last = this.#done.at(-1);
    const isExtra = state === 'broken' || this.#isUnasked;
    if (last !== undefined && isExtra && this.#open.length === 0) note(last, extraBytes(last));
    for (const call of this.#done.splice(0)) this.#calls.complete(call, this.#now);
  }

  #stopReading(state: ReaderState, wasBetween: boolean, bytes: Buffer): void {
    const [first] = this.#open;
    const place = first?.response === undefined ? 'head' : 'body';
    const shown = wasBetween ? bytes : Buffer.alloc(0);
    if (state === 'broken' && first !== undefined) note(first, notHttp('provider', place, shown));
    this.#giveUp(first?.response?.cut ? 'too-large' : 'not-http');
  }

  #formatIdle(): void {
    const { onIdle } = this;
    this.onIdle = undefined;
    onIdle?.();
  }

  /** After the provider's end no answer can come. */
  #receivedEnded(now: number): void {
    if (this.#isOver) return;
    this.#now = now;
    this.#responses.end();
    this.#formatDone('reading');
    if (!this.#consumerLeft) this.#noteUnfinished();
    this.#giveUp('cut');
  }

  #noteUnfinished(): void {
    const [first] = this.#open;
    const breach = first?.isAnswered === false ? unfinishedResponse(first) : undefined;
    if (first !== undefined && breach !== undefined) note(first, breach);
  }

  #requestListener(): HttpListener<RequestHead> {
    const last = (): PassingCall => this.#open.at(-1) as PassingCall;
    return {
      onHead: (head) => {
        this.#open.push(this.#calls.begin(this.#connection, head, this.#requestBeganAt));
        return undefined;
      },
      onBody: (bytes) => last().addToRequest(bytes),
      onEnd: (trailers) => {
        this.#requestBeganAt = this.#now;
        const call = last();
        if (trailers) call.trailers.request = trailers;
        call.isSent = true;
        this.#calls.sent(call);
        if (call.isAnswered) this.#complete(call);
      },
    };
  }

  #responseListener(): HttpListener<ResponseHead> {
    const first = (): PassingCall | undefined => this.#open[0];
    return {
      onHead: (head) => {
        if (this.#junk !== undefined) this.#beginJunk(head, this.#junk);
        const call = first();
        if (call === undefined || call.isAnswered) {
          this.#isUnasked = true;
          return 'stop';
        }
        call.response = head;
        this.#isUpgraded = changesProtocol(call.request, head);
        if (this.#isUpgraded) return 'stop';
        if (call.request.method === 'HEAD') return 'no-body';
        this.#calls.answered(call);
        return undefined;
      },
      onBody: (bytes) => first()?.addToResponse(bytes),
      onEnd: (trailers) => {
        const call = first();
        if (call?.response === undefined || this.#isUnasked) return;
        call.takeIn(this.#now);
        if (trailers) call.trailers.response = trailers;
        call.isAnswered = true;
        if (call.isSent) this.#complete(call);
        else if (call.request.cut) this.#giveUp('too-large');
        else if (call.request.method === noMethod) this.#giveUp('not-http');
      },
    };
  }

  /** A refusal of what was not a request is reported as a call without method and path. */
  #beginJunk({ status }: ResponseHead, junk: Buffer): void {
    if (status < 400 || status > 499 || this.#open.length > 0) return;
    const head = { ...unreadHead };
    const call = this.#calls.begin(this.#connection, head, this.#requestBeganAt);
    this.#junk = undefined;
    call.addToRequest(junk);
    note(call, notHttp('consumer', 'head', junk));
    this.#open.push(call);
  }

  #complete(call: PassingCall): void {
    this.#open.shift();
    this.#done.push(call);
  }

  #giveUp(incomplete: CallFault): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const isRefused = this.#open[0]?.request.method === noMethod;
    this.#isBlind = incomplete !== 'cut' && !this.#isUpgraded && !isRefused;
    const isUnsaid = this.#isBlind && this.#open.some(({ isSent }) => !isSent);
    if (this.#junk !== undefined || isUnsaid) this.#sawUnread();
    const open = this.#open;
    this.#open = [];
    for (const call of open) this.#calls.broken(call, this.#now, incomplete);
  }
}

function note(call: PassingCall, breach: CallBreach): void {
  call.breaches = [...call.breaches, breach];
}

function changesProtocol({ method }: RequestHead, { status }: ResponseHead): boolean {
  return status === 101 || (method === 'CONNECT' && status >= 200 && status < 300);
}
