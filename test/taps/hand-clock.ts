/** A clock that a test moves by hand. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../src/kernel/clock.ts';

export interface HandClock extends Clock {
  /** Moves on, calling back what becomes due on the way, in order. */
  advance(ms: number): void;
}

export function createHandClock(): HandClock {
  let time = 0;
  const timers = new Set<{ at: number; callback: () => void }>();
  const after = (ms: number, callback: () => void): (() => void) => {
    const timer = { at: time + ms, callback };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  const nextDue = (until: number): { at: number; callback: () => void } | undefined =>
    [...timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
  return {
    now: () => time,
    monotonic: () => time,
    sleep: async () => void (await turn()),
    after,
    advance: (ms) => {
      const until = time + ms;
      for (let due = nextDue(until); due !== undefined; due = nextDue(until)) {
        timers.delete(due);
        time = Math.max(time, due.at);
        due.callback();
      }
      time = until;
    },
  };
}
