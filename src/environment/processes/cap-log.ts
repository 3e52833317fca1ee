/** Limits the size of a log: the part between its beginning and its latest part is released to the disk. */
import { execFile } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { promisify } from 'node:util';
import { limits } from '../../kernel/limits.ts';

/**
 * Bytes of the file that are gone: they read as zeros, and all other bytes keep their offsets for writers and readers.
 */
export interface Dropped {
  readonly from: number;
  readonly to: number;
}

/** Undefined when it is small enough. Rejects where the file system does not support it. */
export async function capLog(
  file: string,
  mostBytes: number = limits.logBytes,
): Promise<Dropped | undefined> {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.blocks * 512 <= mostBytes) return undefined;
  if (stats.nlink > 1) throw new Error('it has another name elsewhere, and may be a file of another program');
  const from = pageAt(mostBytes / 8);
  const to = pageAt(stats.size - mostBytes / 2);
  const range = ['--offset', String(from), '--length', String(to - from)];
  await promisify(execFile)('fallocate', ['--punch-hole', ...range, file]);
  return { from, to };
}

/** Only whole pages can be released. */
function pageAt(bytes: number): number {
  return Math.ceil(bytes / 4_096) * 4_096;
}
