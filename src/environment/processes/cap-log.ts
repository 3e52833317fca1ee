/** Keeps a log from growing without end: what lies between its beginning and its latest part is given back to the disk. */
import { execFile } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { promisify } from 'node:util';
import { limits } from '../../kernel/limits.ts';

/** Bytes of the file that are gone: they read as zeros, and everything else stays where it was, for whoever writes and reads. */
export interface Dropped {
  readonly from: number;
  readonly to: number;
}

/** Undefined when it is small enough. Rejects where the file system cannot do it. */
export async function capLog(
  file: string,
  mostBytes: number = limits.logBytes,
): Promise<Dropped | undefined> {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.blocks * 512 <= mostBytes) return undefined;
  if (stats.nlink > 1) throw new Error("it has another name elsewhere, and may be somebody else's file");
  const from = pageAt(mostBytes / 8);
  const to = pageAt(stats.size - mostBytes / 2);
  const range = ['--offset', String(from), '--length', String(to - from)];
  await promisify(execFile)('fallocate', ['--punch-hole', ...range, file]);
  return { from, to };
}

/** Parts of pages cannot be given back. */
function pageAt(bytes: number): number {
  return Math.ceil(bytes / 4_096) * 4_096;
}
