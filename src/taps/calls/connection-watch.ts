/** Looks at what passes on one connection, and finds the HTTP calls in it; gives up for good where it is something else. */
import type { CallFault } from '../../journal/call-event.ts';
import type { RequestHead, ResponseHead } from '../../protocols/http/http-message.ts';
import {
  createRequestReader,
  createResponseReader,
  type HttpListener,
  type ReaderState,
} from '../../protocols/http/http-reader.ts';
import type { LaneWatch } from '../lane.ts';
import { callLimits } from './call-limits.ts';
import type { EdgeCalls } from './edge-calls.ts';
import type { PassingCall } from './passing-call.ts';

export class ConnectionWatch {
  readonly sent: LaneWatch;
  readonly received: LaneWatch;
  readonly #calls: EdgeCalls;
  readonly #connection: number;
  readonly #requests = createRequestReader(this.#requestListener());
  readonly #responses = createResponseReader(this.#responseListener());
  /** Calls whose response is not complete, the oldest first. */
  #open: PassingCall[] = [];
  #isOver = false;
  #now = 0;
  #requestBeganAt = 0;
  /** Called once, when an exchange is over and no other has begun. */
  onIdle: (() => void) | undefined;

  constructor(calls: EdgeCalls, connection: number) {
    this.#calls = calls;
    this.#connection = connection;
    this.sent = { saw: (bytes, now) => this.#sawSent(bytes, now), ended: () => this.#requests.end() };
    this.received = {
      saw: (bytes, now) => this.#sawReceived(bytes, now),
      ended: (now) => this.#receivedEnded(now),
    };
  }

  /** Between two exchanges of HTTP. */
  get isIdle(): boolean {
    const isBetween = this.#requests.isBetween && this.#responses.isBetween;
    return isBetween && !this.#isOver && this.#open.length === 0;
  }

  /** The call whose request has begun last; undefined where it is over, or where this does not look any more. */
  get newest(): PassingCall | undefined {
    return this.#open.at(-1);
  }

  /** The connection is gone. */
  closed(now: number): void {
    this.#now = now;
    this.#giveUp('cut');
  }

  #sawSent(bytes: Buffer, now: number): boolean {
    if (this.#isOver) return false;
    this.#now = now;
    if (this.#requests.isBetween) this.#requestBeganAt = now;
    const state = this.#requests.push(bytes);
    if (state === 'broken') this.#giveUp('not-http');
    else if (this.#open.length > callLimits.pipelined) this.#giveUp('too-large');
    return state === 'reading' && !this.#isOver;
  }

  #sawReceived(bytes: Buffer, now: number): boolean {
    if (this.#isOver) return false;
    this.#now = now;
    this.#afterResponse(this.#responses.push(bytes));
    if (this.onIdle !== undefined && this.isIdle) this.#tellIdle();
    return !this.#isOver;
  }

  #tellIdle(): void {
    const { onIdle } = this;
    this.onIdle = undefined;
    onIdle?.();
  }

  #afterResponse(state: ReaderState): void {
    const [first] = this.#open;
    if (state === 'reading') return;
    this.#giveUp(first?.response?.cut ? 'too-large' : 'not-http');
  }

  /** After the provider's last word no answer can come. */
  #receivedEnded(now: number): void {
    if (this.#isOver) return;
    this.#now = now;
    this.#responses.end();
    this.#giveUp('cut');
  }

  #requestListener(): HttpListener<RequestHead> {
    const last = (): PassingCall => this.#open.at(-1) as PassingCall;
    return {
      onHead: (head) => {
        this.#open.push(this.#calls.begin(this.#connection, head, this.#requestBeganAt));
        return undefined;
      },
      onBody: (bytes) => last().addToRequest(bytes),
      onEnd: () => {
        this.#requestBeganAt = this.#now;
        const call = last();
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
        const call = first();
        if (call === undefined || call.isAnswered) return 'stop';
        call.response = head;
        if (changesProtocol(call.request, head)) return 'stop';
        if (call.request.method === 'HEAD') return 'no-body';
        this.#calls.answered(call);
        return undefined;
      },
      onBody: (bytes) => first()?.addToResponse(bytes),
      onEnd: () => {
        const call = first();
        if (call?.response === undefined) return;
        call.isAnswered = true;
        if (call.isSent) this.#complete(call);
        else if (call.request.cut) this.#giveUp('too-large');
      },
    };
  }

  #complete(call: PassingCall): void {
    this.#open.shift();
    this.#calls.complete(call, this.#now);
  }

  #giveUp(incomplete: CallFault): void {
    this.#isOver = true;
    const open = this.#open;
    this.#open = [];
    for (const call of open) this.#calls.broken(call, this.#now, incomplete);
  }
}

function changesProtocol({ method }: RequestHead, { status }: ResponseHead): boolean {
  return status === 101 || (method === 'CONNECT' && status >= 200 && status < 300);
}
