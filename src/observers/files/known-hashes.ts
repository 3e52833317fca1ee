/** Remembers hashes of files between two looks, as long as the file's dates show that it is unchanged. */
import type { BigIntStats } from 'node:fs';
import type { Clock } from '../../kernel/clock.ts';

export interface KnownHash {
  readonly bytes: number;
  readonly sha256: string;
}

/** A file system keeps time in ticks: two changes in one tick leave one date. */
const tickMs = 100;

export function createKnownHashes(clock: Clock) {
  const known = new Map<string, { readonly mark: string; readonly hash: KnownHash }>();
  return {
    get: (file: string, stats: BigIntStats): KnownHash | undefined => {
      const found = known.get(file);
      return found?.mark === markOf(stats) ? found.hash : undefined;
    },
    /** `stats` were taken before the file was read. */
    put: (file: string, stats: BigIntStats, hash: KnownHash): void => {
      if (isSettled(stats, clock.now())) known.set(file, { mark: markOf(stats), hash });
    },
  };
}

export type KnownHashes = ReturnType<typeof createKnownHashes>;

/** Changes with everything that can happen to a file, but for two changes within one tick. */
export function markOf({ dev, ino, size, mode, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mode, mtimeNs, ctimeNs].join(' ');
}

/** So old that a later change would have another date. */
export function isSettled({ mtimeMs, ctimeMs }: BigIntStats, now: number): boolean {
  return now - Number(mtimeMs) > tickMs && now - Number(ctimeMs) > tickMs;
}
