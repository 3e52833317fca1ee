/** Durations as people write them (`250ms`, `15s`, `2m`, `1h`), in milliseconds. */

const unitMs: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

export const durationPattern = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/;

/** The milliseconds, or undefined when the text is not a duration. */
export function parseDuration(text: string): number | undefined {
  const match = durationPattern.exec(text.trim());
  if (!match) return undefined;
  return Number(match[1]) * (unitMs[match[2] as string] as number);
}

/** A checked duration in milliseconds, or the default when there is none. */
export function durationMs(written: string | undefined, otherwise: number): number {
  return (written === undefined ? undefined : parseDuration(written)) ?? otherwise;
}

/** The same for one that may be absent. */
export function maybeMs(written: string | undefined): number | undefined {
  return written === undefined ? undefined : durationMs(written, 0);
}

/** A short text for people: `84 ms`, `1.25 s`, `2 m 05 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} m ${String(seconds % 60).padStart(2, '0')} s`;
}
