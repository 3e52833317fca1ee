/** The last lines of a log file, however large the file is. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { limits } from '../../kernel/limits.ts';
import { errorCode } from '../../kernel/system-error.ts';

export function logTail(file: string, lines: number = limits.logTailLines): readonly string[] {
  const text = lastBytes(file, limits.logTailBytes);
  return text
    .split('\n')
    .filter((line, index, all) => line !== '' || index < all.length - 1)
    .slice(-lines);
}

function lastBytes(file: string, bytes: number): string {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  }
  try {
    const size = fstatSync(descriptor).size;
    const buffer = Buffer.alloc(Math.min(bytes, size));
    const read = readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString('utf8', 0, read);
  } finally {
    closeSync(descriptor);
  }
}
