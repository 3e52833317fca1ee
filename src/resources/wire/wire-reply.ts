/** The answer to one request: at once, piece by piece, or broken off on request. */
import type { Socket } from 'node:net';
import type { Clock } from '../../kernel/clock.ts';
import type { WireAnswer, WireEnd } from '../../protocols/shapes/shape.ts';
import { type AnswerHeaders, printHead, printHeadAsGiven, saysClose } from './print-head.ts';
import type { ReceivedRequest } from './wire-request.ts';

/** Nothing here throws or rejects; what comes after the end of the answer, or after the consumer has gone, is dropped. */
export interface WireReply {
  /** Head and body in one write. Framing headers are set here; given ones are dropped. */
  send(status: number, headers: AnswerHeaders, body?: string | Uint8Array): void;
  /** The head of an answer in chunks. It goes out with the first piece, or alone at the end of this turn. */
  begin(status: number, headers: AnswerHeaders): void;
  /** One chunk, one write. False where the consumer is behind: wait for `drained`. */
  write(bytes: string | Uint8Array): boolean;
  /** Resolves when more may be written, or when the consumer has gone. */
  drained(): Promise<void>;
  end(): void;
  /** Resolves when it has ended, or the consumer has gone. Framing headers of the answer are sent as they are. */
  answer(answer: WireAnswer): Promise<void>;
  /** Nothing more is sent; what was written goes out first. Before `begin`, not even a head does. */
  breakOff(end: Exclude<WireEnd, 'whole'>): void;
  /** Aborted when the consumer has hung up before the answer was over. */
  readonly gone: AbortSignal;
  /** The same, for read-only use. */
  readonly isGone: boolean;
}

/** What the connection does when an answer is over. */
export interface ReplyHost {
  readonly socket: Socket;
  readonly clock: Clock;
  /** The answer is over. */
  onOver(next: 'keep' | 'close' | 'reset' | 'hang'): void;
}

type Progress = 'nothing' | 'chunks' | 'raw' | 'until-end' | 'no-body' | 'over';

const closeLine = 'connection: close\r\n';
const keepLine = 'connection: keep-alive\r\n';

export class Reply implements WireReply {
  readonly #host: ReplyHost;
  readonly #request: ReceivedRequest;
  #progress: Progress = 'nothing';
  /** A head that was not written yet. */
  #head = '';
  #isClosing = false;
  #rawBytesLeft = 0;
  #gone: AbortController | undefined;
  isGone = false;

  constructor(host: ReplyHost, request: ReceivedRequest) {
    this.#host = host;
    this.#request = request;
    this.#isClosing = !request.isKeptAlive || request.tooLarge === true;
  }

  get gone(): AbortSignal {
    if (this.#gone === undefined) {
      this.#gone = new AbortController();
      if (this.isGone) this.#gone.abort();
    }
    return this.#gone.signal;
  }

  /** The connection is gone. */
  hangUp(): void {
    if (this.#progress === 'over') return;
    this.#progress = 'over';
    this.isGone = true;
    this.#gone?.abort();
  }

  /** The responder has failed. */
  fail(reason: string): void {
    if (this.#progress === 'nothing') {
      this.#isClosing = true;
      this.send(500, { 'content-type': 'text/plain; charset=utf-8' }, reason);
    } else this.breakOff('reset');
  }

  send(status: number, headers: AnswerHeaders, body: string | Uint8Array = ''): void {
    if (this.#progress !== 'nothing') return;
    if (saysClose(headers)) this.#isClosing = true;
    const isBare = hasNoBody(status);
    const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    const length = isBare ? '' : `content-length: ${bytes}\r\n`;
    const head = printHead(status, headers, length + this.#fate());
    const { socket } = this.#host;
    if (isBare || bytes === 0 || this.#request.method === 'HEAD') socket.write(head);
    else if (typeof body === 'string') socket.write(head + body);
    else writeTogether(socket, head, body, '');
    this.#finish(this.#isClosing ? 'close' : 'keep');
  }

  begin(status: number, headers: AnswerHeaders): void {
    if (this.#progress !== 'nothing') return;
    if (saysClose(headers)) this.#isClosing = true;
    const isBare = hasNoBody(status);
    const isUntilEnd = !isBare && !this.#request.knowsChunks;
    if (isUntilEnd) this.#isClosing = true;
    const framing = isBare || isUntilEnd ? '' : 'transfer-encoding: chunked\r\n';
    const hasBody = !isBare && this.#request.method !== 'HEAD';
    this.#beginWith(
      printHead(status, headers, framing + this.#fate()),
      hasBody ? (isUntilEnd ? 'until-end' : 'chunks') : 'no-body',
    );
  }

  write(bytes: string | Uint8Array): boolean {
    const { socket } = this.#host;
    if (this.#progress === 'chunks') return this.#writeChunk(bytes);
    if (this.#progress !== 'raw' && this.#progress !== 'until-end') return true;
    if (this.#progress === 'raw') this.#rawBytesLeft -= Buffer.byteLength(bytes);
    const head = this.#takeHead();
    if (typeof bytes === 'string') return socket.write(head + bytes);
    return writeTogether(socket, head, bytes, '');
  }

  async drained(): Promise<void> {
    const { socket } = this.#host;
    if (this.isGone || !socket.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        socket.off('drain', done).off('close', done);
        resolve();
      };
      socket.on('drain', done).on('close', done);
    });
  }

  end(): void {
    if (this.#progress === 'nothing' || this.#progress === 'over') return;
    const last = this.#takeHead() + (this.#progress === 'chunks' ? '0\r\n\r\n' : '');
    if (last !== '') this.#host.socket.write(last);
    const isAsSaid = this.#progress !== 'raw' || this.#rawBytesLeft === 0;
    this.#finish(this.#isClosing || !isAsSaid ? 'close' : 'keep');
  }

  async answer(answer: WireAnswer): Promise<void> {
    const { status, headers, pieces, end } = answer;
    const ownFraming = framingIn(headers);
    if (end === 'whole' && !ownFraming && pieces.length < 2 && !isEventStream(headers)) {
      const [piece] = pieces;
      if (piece?.afterMs !== undefined) await this.#pause(piece.afterMs);
      return this.send(status, headers, piece?.bytes);
    }
    if (ownFraming) this.#beginAsTold(status, headers);
    else this.begin(status, headers);
    for (const { bytes, afterMs } of pieces) {
      if (afterMs !== undefined) await this.#pause(afterMs);
      if (this.#progress === 'over') return;
      if (!this.write(bytes)) await this.drained();
    }
    if (end === 'whole') this.end();
    else this.breakOff(end);
  }

  breakOff(end: Exclude<WireEnd, 'whole'>): void {
    if (this.#progress === 'over') return;
    this.#flushHead();
    this.#finish(end === 'fin' ? 'close' : end);
  }

  /** A length that is not the true one, or no framing at all, is how some peers answer. */
  #beginAsTold(status: number, headers: AnswerHeaders): void {
    if (this.#progress !== 'nothing') return;
    const length = headers['content-length'];
    this.#rawBytesLeft = typeof length === 'string' && /^\d{1,15}$/.test(length) ? Number(length) : -1;
    if (saysClose(headers) || headers['transfer-encoding'] !== undefined) this.#isClosing = true;
    const isHead = this.#request.method === 'HEAD';
    if (isHead) this.#rawBytesLeft = 0;
    const closing = headers.connection === undefined ? this.#fate() : '';
    this.#beginWith(printHeadAsGiven(status, headers, closing), isHead ? 'no-body' : 'raw');
  }

  #beginWith(head: string, progress: Progress): void {
    this.#head = head;
    this.#progress = progress;
    queueMicrotask(() => this.#flushHead());
  }

  #writeChunk(bytes: string | Uint8Array): boolean {
    const length = Buffer.byteLength(bytes);
    const { socket } = this.#host;
    if (length === 0) return !socket.writableNeedDrain;
    const before = `${this.#takeHead()}${length.toString(16)}\r\n`;
    if (typeof bytes === 'string') return socket.write(`${before}${bytes}\r\n`);
    return writeTogether(socket, before, bytes, '\r\n');
  }

  #takeHead(): string {
    const head = this.#head;
    this.#head = '';
    return head;
  }

  #flushHead(): void {
    if (this.#head !== '' && this.#progress !== 'over') this.#host.socket.write(this.#takeHead());
  }

  #fate(): string {
    if (this.#isClosing) return closeLine;
    return this.#request.knowsChunks ? '' : keepLine;
  }

  async #pause(ms: number): Promise<void> {
    this.#flushHead();
    const { clock } = this.#host;
    await clock.sleep(ms, this.gone).catch(() => undefined); // the consumer has gone, which is looked at next
  }

  #finish(next: 'keep' | 'close' | 'reset' | 'hang'): void {
    this.#progress = 'over';
    this.#host.onOver(next);
  }
}

function hasNoBody(status: number): boolean {
  return status === 204 || status === 304 || status < 200;
}

function framingIn(headers: AnswerHeaders): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function isEventStream(headers: AnswerHeaders): boolean {
  const type = headers['content-type'];
  return typeof type === 'string' && type.startsWith('text/event-stream');
}

/** Larger bytes are handed over as they are instead of being copied. */
const mostCopiedBytes = 32 * 1024;

/** False where the other side is behind. */
function writeTogether(socket: Socket, before: string, bytes: Uint8Array, after: string): boolean {
  if (bytes.length > mostCopiedBytes) return writeApart(socket, before, bytes, after);
  const beforeBytes = Buffer.byteLength(before);
  const whole = Buffer.allocUnsafe(beforeBytes + bytes.length + after.length);
  whole.write(before, 0);
  whole.set(bytes, beforeBytes);
  if (after !== '') whole.write(after, beforeBytes + bytes.length, 'latin1');
  return socket.write(whole);
}

function writeApart(socket: Socket, before: string, bytes: Uint8Array, after: string): boolean {
  socket.cork();
  if (before !== '') socket.write(before);
  const isReady = socket.write(bytes);
  const isStillReady = after === '' ? isReady : socket.write(after);
  socket.uncork();
  return isStillReady;
}
