/** A single readiness check, and how checks combine. */

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
