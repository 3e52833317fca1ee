/** A checked duration in milliseconds, or the default when there is none. */
import { parseDuration } from '../../kernel/duration.ts';

export function durationMs(written: string | undefined, otherwise: number): number {
  return (written === undefined ? undefined : parseDuration(written)) ?? otherwise;
}
