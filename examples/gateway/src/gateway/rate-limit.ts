/** A token bucket for each agent: full at first, emptied by requests, refilled over time. */
import type { Agent } from './gateway-settings.ts';

export interface RateLimit {
  /** 0 when the bucket was not empty; else the time until it is not. */
  take(agent: Agent): number;
}

export function createRateLimit(now: () => number = performance.now.bind(performance)): RateLimit {
  const buckets = new Map<string, { level: number; at: number }>();
  return {
    take({ name, burst, perMinute }) {
      const perMs = perMinute / 60_000;
      const at = now();
      const bucket = buckets.get(name) ?? { level: burst, at };
      const level = Math.min(burst, bucket.level + (at - bucket.at) * perMs);
      buckets.set(name, { level: level < 1 ? level : level - 1, at });
      return level < 1 ? (1 - level) / perMs : 0;
    },
  };
}
