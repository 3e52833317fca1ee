/** How long a provider wants to be left alone: seconds, a date, or nonsense. */

/** Undefined where it says nothing that makes sense. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  const date = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
