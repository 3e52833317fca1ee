/** One direction of a connection under rules: bytes and moves in their order, each when its turn has come. */
import type { Clock } from '../../kernel/clock.ts';
import type { Inlet } from '../inlet.ts';
import type { Lane } from '../lane.ts';

export type Step =
  | { readonly do: 'pass'; readonly bytes: Buffer }
  /** Observers see it; it is not forwarded. */
  | { readonly do: 'show'; readonly bytes: Buffer }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'hold'; readonly ms?: number }
  | { readonly do: 'work'; readonly work: () => Promise<unknown> }
  /** Called when everything before it has been forwarded. */
  | { readonly do: 'mark'; readonly callback: () => void }
  /** So is this, and nothing is forwarded after it. */
  | { readonly do: 'stop'; readonly callback: () => void }
  | { readonly do: 'end' }
  | { readonly do: 'reset' };

export interface FlowOptions {
  readonly lane: Lane;
  readonly inlet: Inlet;
  readonly clock: Clock;
  readonly mostBufferedBytes: number;
  /** Nothing waits any more. */
  readonly onIdle: () => void;
}

/** Overhead of a step in addition to its bytes, so that many tiny ones are bounded too. */
const stepBytes = 256;

export class Flow {
  readonly #options: FlowOptions;
  #steps: Step[] = [];
  #cost = 0;
  #waitingBytes = 0;
  /** Why nothing is forwarded at the moment. */
  #stoppedBy: 'hold' | 'wait' | 'work' | 'stop' | undefined;
  #cancelTimer: (() => void) | undefined;
  /** Bytes of the same chunk that are forwarded together. */
  #run: Buffer | undefined;
  #isFree = true;
  #isOver = false;

  constructor(options: FlowOptions) {
    this.#options = options;
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  get isIdle(): boolean {
    return this.#steps.length === 0 && this.#stoppedBy === undefined;
  }

  /** A rule holds something back, or everything that is to come. */
  get isHeldBack(): boolean {
    return this.#stoppedBy === 'hold' || this.#stoppedBy === 'wait';
  }

  /** Nothing will ever be forwarded. */
  get isHeldForGood(): boolean {
    return this.#stoppedBy === 'hold';
  }

  /** Bytes that nothing retains: they are copied only where they have to wait. `flush` sends what was collected. */
  pass(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (!this.isIdle) this.push({ do: 'pass', bytes: Buffer.from(bytes) });
    else if (this.#run !== undefined && isNext(this.#run, bytes)) this.#run = joined(this.#run, bytes);
    else {
      this.#sendRun();
      this.#run = bytes;
    }
  }

  /** Returns whether the memory of all that was passed since the last time can be reused. */
  flush(): boolean {
    this.#sendRun();
    const isFree = this.#isFree;
    this.#isFree = true;
    return isFree;
  }

  push(step: Step): void {
    if (this.#isOver) return;
    this.#sendRun();
    this.#steps.push(step);
    const bytes = 'bytes' in step ? step.bytes.length : 0;
    this.#waitingBytes += bytes;
    this.#cost += bytes + stepBytes;
    if (this.#steps.length === 1) this.#pump();
    if (this.#cost >= this.#options.mostBufferedBytes) this.#options.inlet.setFull(true);
  }

  /** Nothing more is forwarded. */
  drop(): void {
    this.#isOver = true;
    this.#cancelTimer?.();
    this.#steps = [];
    this.#waitingBytes = 0;
    this.#stoppedBy = undefined;
    this.#run = undefined;
    this.#options.inlet.setFull(false);
  }

  #sendRun(): void {
    const run = this.#run;
    this.#run = undefined;
    if (run !== undefined && !this.#options.lane.take(run)) this.#isFree = false;
  }

  #pump(): void {
    while (!this.#isOver && this.#stoppedBy === undefined) {
      const step = this.#steps[0];
      if (step === undefined) break;
      this.#do(step);
      if (this.#isOver) return;
      this.#steps.shift();
      const bytes = 'bytes' in step ? step.bytes.length : 0;
      this.#waitingBytes -= bytes;
      this.#cost -= bytes + stepBytes;
    }
    if (this.#cost < this.#options.mostBufferedBytes) this.#open();
    if (this.isIdle) this.#options.onIdle();
  }

  #open(): void {
    const { inlet, lane } = this.#options;
    inlet.setFull(false);
    lane.drained();
  }

  #do(step: Step): void {
    const { lane } = this.#options;
    if (step.do === 'pass') lane.take(step.bytes);
    else if (step.do === 'show') lane.show(step.bytes);
    else if (step.do === 'mark') lane.mark(step.callback);
    else if (step.do === 'end') lane.end();
    else if (step.do === 'reset') lane.reset();
    else if (step.do === 'work') this.#workOn(step.work());
    else if (step.do === 'stop') this.#stop(step.callback);
    else this.#hold(step.ms);
  }

  #stop(callback: () => void): void {
    this.#stoppedBy = 'stop';
    this.#options.lane.mark(callback);
  }

  #hold(ms: number | undefined): void {
    this.#stoppedBy = ms === undefined ? 'hold' : 'wait';
    if (ms !== undefined) this.#cancelTimer = this.#options.clock.after(ms, () => this.#goOn());
  }

  #workOn(work: Promise<unknown>): void {
    this.#stoppedBy = 'work';
    const goOn = (): void => this.#goOn();
    void work.then(goOn, goOn);
  }

  #goOn(): void {
    if (this.#isOver) return;
    this.#stoppedBy = undefined;
    this.#pump();
  }
}

function isNext(run: Buffer, bytes: Buffer): boolean {
  return run.buffer === bytes.buffer && run.byteOffset + run.length === bytes.byteOffset;
}

function joined(run: Buffer, bytes: Buffer): Buffer {
  return Buffer.from(run.buffer, run.byteOffset, run.length + bytes.length);
}
