/** The rule that makes bytes and ends arrive later, in the order in which they were sent. */
import type { Random } from '../../kernel/random.ts';
import type { Direction, Gate, Waiting } from './rule.ts';

export interface Delay {
  readonly rule: 'delay';
  readonly ms: number;
  /** Up to this much more, at random for each piece; what comes after a slow piece stays behind it. */
  readonly jitterMs?: number;
  readonly direction?: Direction | 'both';
}

export function delayGate({ ms, jitterMs = 0 }: Delay, random: Random): Gate {
  let drawnFor: Waiting | undefined;
  let dueAt = 0;
  return {
    decide: (front, now) => {
      if (front === undefined) return { then: 'wait' };
      if (front !== drawnFor) {
        drawnFor = front;
        dueAt = front.arrivedAt + ms + random.next() * jitterMs;
      }
      return now < dueAt ? { then: 'wait', until: dueAt } : { then: 'pass', bytes: front.length };
    },
  };
}
