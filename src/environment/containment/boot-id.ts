/** An id of the machine's current boot: process numbers of an earlier boot mean nothing. */
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import type { Clock } from '../../kernel/clock.ts';

export function bootId(clock: Clock): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    // Without an id, use the time of the boot to the nearest ten seconds.
    return `booted-${Math.round((clock.now() / 1_000 - uptime()) / 10)}`;
  }
}
