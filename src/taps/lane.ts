/** One direction of one connection: passes bytes and their end from a source to a sink, as its gate allows. */
import type { Socket } from 'node:net';
import type { Clock } from '../kernel/clock.ts';
import { endSocket, resetSocket } from './end-socket.ts';
import type { Decision, Gate, Waiting } from './rules/rule.ts';

/** Overhead of a queue entry in addition to its bytes, so that many tiny ones are bounded too. */
const entryBytes = 256;

/** What a lane pauses and resumes: a socket, or a reader of one. */
export interface Source {
  pause(): void;
  resume(): void;
  isPaused(): boolean;
}

export interface LaneOptions {
  readonly source: Source;
  readonly sink: Socket;
  readonly clock: Clock;
  readonly mostBufferedBytes: number;
  /** Called with the time of everything that arrives or is forwarded. */
  readonly activity: { lastAt: number };
  readonly onCut: (cut: Extract<Decision, { then: 'cut' }>) => void;
  readonly watch?: LaneWatch | undefined;
}

/** Observes what is forwarded, and never changes it. */
export interface LaneWatch {
  /** The bytes are valid during the call only. False: nothing more needs to be shown. `idle`: they do not count as activity. */
  saw(bytes: Buffer, now: number): boolean | 'idle';
  /** The end was forwarded. */
  ended(now: number): void;
}

interface Piece extends Waiting {
  /** A function is called in its turn; no gate holds it. */
  readonly carries: Buffer | 'end' | 'reset' | (() => void);
}

export class Lane {
  /** Bytes forwarded. */
  passedBytes = 0;
  firstByteAt: number | undefined;
  readonly #options: LaneOptions;
  readonly #source: Source;
  readonly #sink: Socket;
  readonly #queue: Piece[] = [];
  #queueCost = 0;
  #gate: Gate | undefined;
  #ended = false;
  #over = false;
  #cancelTimer: (() => void) | undefined;
  #watch: LaneWatch | undefined;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#source = options.source;
    this.#sink = options.sink;
    this.#watch = options.watch;
  }

  /** Bytes that were taken and not yet forwarded. */
  get waitingBytes(): number {
    return this.#queue.reduce((sum, piece) => sum + piece.length, 0);
  }

  /** Takes bytes from the source; returns whether their memory can be reused. */
  take(chunk: Buffer): boolean {
    if (this.#over) return true;
    if (this.#isOpen()) return this.#passBytes(chunk);
    const kept = worthKeeping(chunk) ? chunk : Buffer.from(chunk);
    this.#enqueue(kept);
    return kept !== chunk;
  }

  /** The source has ended. */
  end(): void {
    if (this.#over || this.#ended) return;
    this.#ended = true;
    if (this.#isOpen()) this.#passEnd();
    else this.#enqueue('end');
  }

  /** The source broke off. */
  reset(): void {
    if (this.#over) return;
    if (this.#isOpen()) this.#passReset();
    else this.#enqueue('reset');
  }

  /** Calls back when all that was taken before has been forwarded; never where it is discarded. */
  mark(callback: () => void): void {
    if (this.#over) return;
    if (this.#queue.length === 0) callback();
    else this.#enqueue(callback);
  }

  /** Shows bytes to the observer in their order, without forwarding them. */
  show(bytes: Buffer): void {
    this.mark(() => this.#showWatch(bytes, this.#options.clock.monotonic()));
  }

  get isEmpty(): boolean {
    return this.#queue.length === 0;
  }

  /** The sink can take more. */
  drained(): void {
    if (this.#queue.length > 0) this.#pump();
    else this.#regulate();
  }

  /** From now on another gate decides, over what waits already too. */
  place(gate: Gate | undefined): void {
    if (this.#over) return;
    this.#gate = gate;
    this.#pump();
  }

  /** Nothing more is forwarded; what still comes is read and dropped, so that the source's end is seen. */
  discard(): void {
    this.#over = true;
    this.#cancelTimer?.();
    this.#queue.length = 0;
    this.#queueCost = 0;
    this.#source.resume();
  }

  #isOpen(): boolean {
    return this.#gate === undefined && this.#queue.length === 0;
  }

  #passBytes(chunk: Buffer): boolean {
    const { activity } = this.#options;
    const now = this.#options.clock.monotonic();
    this.firstByteAt ??= now;
    this.passedBytes += chunk.length;
    if (!this.#sink.write(chunk)) this.#source.pause();
    if (this.#showWatch(chunk, now) !== 'idle') activity.lastAt = now;
    return this.#sink.writableLength === 0;
  }

  #showWatch(bytes: Buffer, now: number): boolean | 'idle' {
    const seen = this.#watch?.saw(bytes, now);
    if (seen === false) this.#watch = undefined;
    return seen ?? true;
  }

  #enqueue(carries: Piece['carries']): void {
    const arrivedAt = this.#options.clock.monotonic();
    this.#options.activity.lastAt = arrivedAt;
    const length = carries instanceof Buffer ? carries.length : 0;
    this.#queue.push({ arrivedAt, length, carries });
    this.#queueCost += length + entryBytes;
    this.#pump();
  }

  /** Forwards what may pass now, and schedules another look at the rest. */
  #pump(): void {
    this.#cancelTimer?.();
    while (!this.#over && !this.#sink.writableNeedDrain) {
      const front = this.#queue[0];
      if (typeof front?.carries === 'function') {
        this.#dequeue(front);
        front.carries();
        continue;
      }
      const decision = this.#decide(front);
      if (decision.then === 'cut') {
        this.#options.onCut(decision);
        return;
      }
      if (front === undefined) break;
      if (decision.then === 'wait') {
        if (decision.until !== undefined) this.#pumpAt(decision.until);
        break;
      }
      this.#pass(front, decision.bytes);
    }
    this.#regulate();
  }

  #decide(front: Piece | undefined): Decision {
    if (this.#gate !== undefined) return this.#gate.decide(front, this.#options.clock.monotonic());
    return { then: 'pass', bytes: front?.length ?? 0 };
  }

  #pass(front: Piece, bytes: number): void {
    this.#dequeue(front);
    if (front.carries === 'end') this.#passEnd();
    else if (front.carries === 'reset') this.#passReset();
    else if (front.carries instanceof Buffer) {
      if (bytes < front.length) this.#putBack(front, front.carries.subarray(bytes));
      if (bytes > 0) this.#passBytes(this.#altered(front.carries.subarray(0, bytes)));
    }
  }

  #altered(bytes: Buffer): Buffer {
    return this.#gate?.alter?.(bytes) ?? bytes;
  }

  #dequeue(front: Piece): void {
    this.#queue.shift();
    this.#queueCost -= front.length + entryBytes;
  }

  #passEnd(): void {
    this.#sink.end();
    this.#watch?.ended(this.#options.clock.monotonic());
  }

  /** An end that was forwarded before it arrives before it. */
  #passReset(): void {
    if (this.#ended) void endSocket(this.#sink, 'reset', this.#options.clock);
    else resetSocket(this.#sink);
  }

  #putBack({ arrivedAt }: Piece, rest: Buffer): void {
    this.#queue.unshift({ arrivedAt, length: rest.length, carries: rest });
    this.#queueCost += rest.length + entryBytes;
  }

  #pumpAt(time: number): void {
    const { clock } = this.#options;
    this.#cancelTimer = clock.after(Math.max(1, time - clock.monotonic()), () => this.#pump());
  }

  /** A full queue or a full sink stops the source; that is how back-pressure reaches the sender. */
  #regulate(): void {
    if (this.#over) return;
    if (this.#sink.writableNeedDrain || this.#queueCost >= this.#options.mostBufferedBytes)
      this.#source.pause();
    else if (this.#source.isPaused()) this.#source.resume();
  }
}

/** A small piece would keep the whole of a large read buffer alive. */
function worthKeeping(chunk: Buffer): boolean {
  return chunk.length * 2 >= chunk.buffer.byteLength;
}
