/** One connection of a consumer: requests are read, delivered one at a time, and answered in their order. */
import type { Socket } from 'node:net';
import type { Clock } from '../../kernel/clock.ts';
import type { RequestHead } from '../../protocols/http/http-message.ts';
import { createRequestReader, type HttpListener, type HttpReader } from '../../protocols/http/http-reader.ts';
import type { WireLimits } from './wire-limits.ts';
import { Reply, type ReplyHost, type WireReply } from './wire-reply.ts';
import { ReceivedRequest, type WireConnectionFacts, type WireRequest } from './wire-request.ts';

export type OnRequest = (request: WireRequest, reply: WireReply) => void | Promise<void>;

interface ConnectionOptions {
  readonly socket: Socket;
  readonly id: number;
  readonly clock: Clock;
  readonly limits: WireLimits;
  readonly onRequest: OnRequest;
}

/** Instead of a request: what is wrong with it. The connection ends with the answer. */
interface Refusal {
  readonly status: 400 | 408 | 431;
  readonly what: string;
}

/** How long a consumer is still answered after it has ended its side. */
const shutdownMs = 500;

export class WireConnection implements ReplyHost, HttpListener<RequestHead> {
  readonly socket: Socket;
  readonly clock: Clock;
  readonly #limits: WireLimits;
  readonly #onRequest: OnRequest;
  readonly #facts: WireConnectionFacts;
  readonly #reader: HttpReader;
  readonly #waiting: (ReceivedRequest | Refusal)[] = [];
  #head: RequestHead | undefined;
  #body: GatheredBody | undefined;
  #current: Reply | undefined;
  /** Whatever comes from now on is not listened to. */
  #isDeaf = false;
  #isHanging = false;
  #hasEnded = false;
  #owesContinue = false;
  #isServing = false;
  #forgetTimer: (() => void) | undefined;
  #forgetGoodbye: (() => void) | undefined;

  constructor({ socket, id, clock, limits, onRequest }: ConnectionOptions) {
    this.socket = socket;
    this.clock = clock;
    this.#limits = limits;
    this.#onRequest = onRequest;
    this.#facts = { id, localPort: socket.localPort ?? 0, remotePort: socket.remotePort ?? 0 };
    this.#reader = createRequestReader(this);
    socket.on('data', (bytes: Buffer) => this.#take(bytes));
    socket.on('end', () => this.#takeEnd());
    socket.on('error', () => undefined);
    socket.on('close', () => this.#takeClose());
  }

  onHead(head: RequestHead): 'stop' | undefined {
    this.#head = head;
    if (head.cut) return this.#refuse({ status: 431, what: 'the head of the request is too large' });
    const length = head.headers['content-length'];
    if (length !== undefined && Number(length) > this.#limits.bodyBytes) return 'stop';
    if (head.headers.expect?.toLowerCase() === '100-continue') this.#continue();
    return undefined;
  }

  onBody(bytes: Uint8Array): void {
    if (this.#isDeaf) return;
    this.#body ??= new GatheredBody();
    if (this.#body.length + bytes.length > this.#limits.bodyBytes) this.#deliver(true);
    else this.#body.add(bytes);
  }

  onEnd(): void {
    const length = this.#head?.headers['content-length'];
    if (!this.#isDeaf) this.#deliver(length !== undefined && Number(length) > this.#limits.bodyBytes);
  }

  onOver(next: 'keep' | 'close' | 'reset' | 'hang'): void {
    this.#current = undefined;
    if (next === 'hang') this.#hang();
    else if (next === 'reset') this.#reset();
    else if (next === 'close') this.#shut();
    else if (!this.#isServing) this.#serve();
  }

  #take(bytes: Buffer): void {
    if (this.#isDeaf) return;
    const state = this.#reader.push(bytes);
    if (state === 'broken') this.#refuse({ status: 400, what: 'this is not an HTTP/1.1 request' });
    if (this.#isDeaf) return;
    if (this.#forgetTimer === undefined && !this.#reader.isBetween) this.#startTimer();
    if (this.#waiting.length > this.#limits.waitingRequests) this.socket.pause();
  }

  #takeEnd(): void {
    this.#hasEnded = true;
    if (this.#isHanging) this.socket.destroy();
    if (this.#isDeaf) return;
    if (!this.#reader.isBetween) this.#refuse({ status: 400, what: 'the request is incomplete' });
    else if (this.#current === undefined && this.#waiting.length === 0) this.#shut();
    // A consumer that has ended its side gets an answer that is already being sent; a slow one is not awaited.
    else this.#forgetGoodbye = this.clock.after(shutdownMs, () => this.socket.destroy());
  }

  #takeClose(): void {
    this.#forgetTimer?.();
    this.#forgetGoodbye?.();
    this.#isDeaf = true;
    this.#waiting.length = 0;
    this.#current?.hangUp();
  }

  #deliver(tooLarge: boolean): void {
    const head = this.#head as RequestHead;
    const body = tooLarge ? undefined : this.#body?.take();
    if (tooLarge) this.#isDeaf = true;
    this.#body = undefined;
    this.#owesContinue = false;
    this.#forgetTimer?.();
    this.#forgetTimer = undefined;
    this.#waiting.push(new ReceivedRequest(head, body ?? noBytes, this.#facts, tooLarge));
    if (!this.#isServing) this.#serve();
  }

  #refuse(refusal: Refusal): undefined {
    this.#isDeaf = true;
    this.#body = undefined;
    this.#waiting.push(refusal);
    if (!this.#isServing) this.#serve();
  }

  /** A loop, because a handler that answers at once ends here again. */
  #serve(): void {
    this.#isServing = true;
    while (this.#current === undefined && this.#waiting.length > 0 && this.socket.writable) {
      const next = this.#waiting.shift() as ReceivedRequest | Refusal;
      if (next instanceof ReceivedRequest) this.#answer(next);
      else this.#sayNo(next);
    }
    this.#isServing = false;
    if (this.#current !== undefined) return;
    if (this.#owesContinue) this.#continue();
    if (this.#hasEnded && this.socket.writable) this.#shut();
    else if (this.socket.isPaused()) this.socket.resume();
  }

  #answer(request: ReceivedRequest): void {
    const reply = new Reply(this, request);
    this.#current = reply;
    try {
      this.#onRequest(request, reply)?.catch((error: unknown) => reply.fail(failure(error)));
    } catch (error) {
      reply.fail(failure(error));
    }
  }

  #sayNo({ status, what }: Refusal): void {
    const head = { method: 'GET', target: '*', minor: 1, headers: { connection: 'close' } } as const;
    const reply = new Reply(this, new ReceivedRequest(head, noBytes, this.#facts, false));
    this.#current = reply;
    reply.send(status, { 'content-type': 'text/plain; charset=utf-8' }, `${what}\n`);
  }

  /** Answers come in order: a consumer that expects 100 Continue gets it in its turn. */
  #continue(): void {
    this.#owesContinue = this.#current !== undefined || this.#waiting.length > 0;
    if (!this.#owesContinue) this.socket.write('HTTP/1.1 100 Continue\r\n\r\n');
  }

  #startTimer(): void {
    this.#forgetTimer = this.clock.after(this.#limits.requestWithinMs, () => {
      this.#forgetTimer = undefined;
      if (this.#current !== undefined) this.#startTimer();
      else this.#refuse({ status: 408, what: 'the rest of the request did not come in time' });
    });
  }

  /** What was sent arrives, and what the consumer still sends is read and dropped: a reset would discard the answer. */
  #shut(): void {
    this.#isDeaf = true;
    this.#waiting.length = 0;
    this.socket.end();
    this.socket.resume();
    this.#forgetTimer?.();
    this.#forgetTimer = this.clock.after(this.#limits.lingerMs, () => this.socket.destroy());
  }

  #hang(): void {
    this.#isDeaf = true;
    this.#isHanging = true;
    this.#waiting.length = 0;
    this.#forgetTimer?.();
    if (this.#hasEnded) this.socket.destroy();
    else this.socket.resume();
  }

  #reset(): void {
    this.#isDeaf = true;
    this.#waiting.length = 0;
    const { socket } = this;
    if (socket.writableLength === 0) socket.resetAndDestroy();
    else socket.write('', () => socket.resetAndDestroy());
  }
}

const noBytes = Buffer.alloc(0);

function failure(error: unknown): string {
  return `the answer could not be made: ${error instanceof Error ? error.message : String(error)}\n`;
}

/** A body of one piece is not copied; of many, the room doubles, so that many small pieces cost no more than a few large ones. */
class GatheredBody {
  length = 0;
  #room: Buffer = noRoom;
  /** The allocated buffer, not what came in. */
  #isOwn = false;

  add(bytes: Uint8Array): void {
    if (this.length === 0) this.#room = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    else {
      const length = this.length + bytes.length;
      if (!this.#isOwn || length > this.#room.length) this.#grow(length);
      this.#room.set(bytes, this.length);
    }
    this.length += bytes.length;
  }

  take(): Buffer {
    return this.#room.subarray(0, this.length);
  }

  #grow(length: number): void {
    const room = Buffer.allocUnsafeSlow(Math.max(length * 2, 1024));
    room.set(this.take(), 0);
    this.#room = room;
    this.#isOwn = true;
  }
}

const noRoom = Buffer.alloc(0);
