/** Time as one object that is passed on, so that nothing else in the code asks the machine what time it is. */
import { setTimeout as delay } from 'node:timers/promises';

export interface Clock {
  /** Wall time in milliseconds since 1970. */
  now(): number;
  /** Milliseconds on a clock that never jumps, and that all processes of a machine share; only differences mean something. */
  monotonic(): number;
  /** Resolves after the time, rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once after the time; the returned function cancels it. An idle timer does not keep a process alive. */
  after(ms: number, callback: () => void): () => void;
}

/** On the clock of the machine; that of `performance` begins with each process. */
const processStartedAt = Number(process.hrtime.bigint()) / 1e6 - performance.now();

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => processStartedAt + performance.now(),
  sleep: async (ms, signal) => {
    try {
      await delay(ms, undefined, signal ? { signal } : {});
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    }
  },
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
