import type { BigIntStats } from 'node:fs';
import { expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { createKnownHashes } from './known-hashes.ts';

const now = 1_750_000_000_000;
const clock = { ...systemClock, now: () => now };
const hash = { bytes: 1, sha256: 'x' };

function statsAt(changedMs: number, more: Partial<BigIntStats> = {}): BigIntStats {
  const ms = BigInt(changedMs);
  const times = { mtimeMs: ms, ctimeMs: ms, mtimeNs: ms * 1_000_000n, ctimeNs: ms * 1_000_000n };
  return { dev: 1n, ino: 2n, size: 1n, mode: 0o644n, ...times, ...more } as BigIntStats;
}

test('a hash is known again as long as nothing about the file differs', () => {
  const known = createKnownHashes(clock);
  known.put('a', statsAt(now - 5_000), hash);
  expect(known.get('a', statsAt(now - 5_000))).toEqual(hash);
  expect(known.get('b', statsAt(now - 5_000))).toBeUndefined();
  for (const other of [{ size: 2n }, { ino: 3n }, { mode: 0o600n }, { ctimeNs: 7n }])
    expect(known.get('a', statsAt(now - 5_000, other))).toBeUndefined();
});

test('a file that was changed just now may change again under the same date', () => {
  const known = createKnownHashes(clock);
  known.put('a', statsAt(now - 3), hash);
  expect(known.get('a', statsAt(now - 3))).toBeUndefined();
});
