/** Ids that are unique among the runs of a machine; the only code that uses the machine's random source. */
import { randomBytes } from 'node:crypto';

/** Short and safe in names of files, databases and roles: `k3f9x2m7`. Starts with a letter. */
export function uniqueLabel(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz';
  const all = `${letters}23456789`;
  const bytes = randomBytes(8);
  return [...bytes]
    .map((byte, index) => (index === 0 ? letters[byte % letters.length] : all[byte % all.length]))
    .join('');
}

/** A run's id sorts by time: `20261115-032655-k3f9`. */
export function runId(nowMs: number): string {
  const time = new Date(nowMs).toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${time}-${uniqueLabel().slice(0, 4)}`;
}

export function isRunId(value: unknown): value is string {
  return typeof value === 'string' && /^\d{8}-\d{6}-[a-z0-9]{4}$/.test(value);
}

/** A seed for a run without one. */
export function freshSeed(): string {
  return randomBytes(4).toString('hex');
}

/** The given number of random bytes in hexadecimal, for values that must not be guessable. */
export function freshKey(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
