/** What a resource's process has written to its log since a moment. */
import { closeSync, readSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { findPlainFile } from '../kernel/folders/own-file.ts';
import { limits } from '../kernel/limits.ts';

/** Where the log ends now. */
export async function markLog(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

/** The last lines that were written after the mark. */
export async function logSince(file: string, mark: number): Promise<readonly string[]> {
  const opened = findPlainFile(file);
  if (!opened) return [];
  try {
    const { size } = opened.stats;
    const from = Math.max(mark, size - limits.logTailBytes);
    const buffer = Buffer.alloc(Math.max(0, size - from));
    const bytesRead = readSync(opened.descriptor, buffer, 0, buffer.length, from);
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n');
    return lines.filter((line) => line !== '').slice(-limits.logTailLines);
  } finally {
    closeSync(opened.descriptor);
  }
}
