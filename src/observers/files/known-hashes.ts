/** Remembers hashes of files between two looks, as long as the file's dates show that it is unchanged. */
import type { BigIntStats } from 'node:fs';
import type { Clock } from '../../kernel/clock.ts';

export interface KnownHash {
  readonly bytes: number;
  readonly sha256: string;
}

export interface KnownHashes {
  get(file: string, stats: BigIntStats): KnownHash | undefined;
  /** `stats` were taken before the file was read. */
  put(file: string, stats: BigIntStats, hash: KnownHash): void;
}

/** A file system keeps time in ticks: two changes in one tick leave one date. */
const tickMs = 100;

export function createKnownHashes(clock: Clock): KnownHashes {
  const known = new Map<string, { readonly mark: string; readonly hash: KnownHash }>();
  return {
    get: (file, stats) => {
      const found = known.get(file);
      return found?.mark === markOf(stats) ? found.hash : undefined;
    },
    put: (file, stats, hash) => {
      if (isSettled(stats, clock.now())) known.set(file, { mark: markOf(stats), hash });
    },
  };
}

/** Changes with everything that can happen to a file, but for two changes within one tick. */
export function markOf({ dev, ino, size, mode, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mode, mtimeNs, ctimeNs].join(' ');
}

/** So old that a later change would have another date. */
export function isSettled({ mtimeMs, ctimeMs }: BigIntStats, now: number): boolean {
  return now - Number(mtimeMs) > tickMs && now - Number(ctimeMs) > tickMs;
}
