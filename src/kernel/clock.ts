/** Time as an object that is passed in, so that no other code reads the machine's clock. */
import { setTimeout as delay } from 'node:timers/promises';

export interface Clock {
  /** Wall time in milliseconds since 1970. */
  now(): number;
  /** Milliseconds on a monotonic clock that all processes of a machine share; only differences are meaningful. */
  monotonic(): number;
  /** Resolves after the given time; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Calls back once after the given time; the returned function cancels it. A timer does not keep the process alive.
   */
  after(ms: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  // The machine's clock itself: an offset to `performance.now()` is wrong by as long as the process waited between reading the two.
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
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
