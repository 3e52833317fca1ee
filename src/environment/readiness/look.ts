/** A single readiness check, and how checks combine. */

import type { Clock } from '../../kernel/clock.ts';

export type Sight = { readonly ready: true } | { readonly ready: false; readonly saw: string };

/** Checks once; never throws for a system that is not ready. */
export type Look = (signal: AbortSignal) => Promise<Sight>;

export const isReady: Sight = { ready: true };

export function notReady(saw: string): Sight {
  return { ready: false, saw };
}

/** Ready when all are, in the same check. */
export function allOf(looks: readonly Look[]): Look {
  return async (signal) => {
    const sights = await Promise.all(looks.map((look) => look(signal)));
    const missing = sights.flatMap((sight) => (sight.ready ? [] : [sight.saw]));
    return missing.length === 0 ? isReady : notReady(missing.join('; '));
  };
}

/** Ready when both are; the second is not asked before the first is. */
export function inTurn(first: Look, second: Look): Look {
  return async (signal) => {
    const sight = await first(signal);
    return sight.ready ? second(signal) : sight;
  };
}

/**
 * `costly` starts a program for each look, which takes its time from the one that is starting: it is asked when `sign` says
 * that it is worth it, and rarely without, because a program may be healthy with a port that nobody sees.
 */
export function sparingly(sign: Look, costly: Look, clock: Clock): Look {
  const startedAt = clock.monotonic();
  let nextAt = startedAt + unseenMs;
  let last: Sight | undefined;
  return async (signal) => {
    const seen = await sign(signal);
    if (!seen.ready && clock.monotonic() < nextAt) return last ?? seen;
    last = await costly(signal);
    const now = clock.monotonic();
    nextAt = now + Math.min(now - startedAt, 2 * unseenMs);
    return last;
  };
}

const unseenMs = 1_000;

/** Ready when one is. */
export function anyOf(looks: readonly Look[]): Look {
  return async (signal) => {
    const sights = await Promise.all(looks.map((look) => look(signal)));
    if (sights.some((sight) => sight.ready)) return isReady;
    return notReady(sights.flatMap((sight) => (sight.ready ? [] : [sight.saw])).join('; or '));
  };
}

/** Ready when it was ready n times in a row. */
export function inARow(times: number, look: Look): Look {
  let held = 0;
  return async (signal) => {
    const sight = await look(signal);
    held = sight.ready ? held + 1 : 0;
    if (held >= times) return isReady;
    return sight.ready ? notReady(`held ${held} of ${times} times in a row`) : sight;
  };
}
