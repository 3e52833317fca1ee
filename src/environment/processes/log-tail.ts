/** The last lines of a log file, however large the file is. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { limits } from '../../kernel/limits.ts';
import { errorCode } from '../../kernel/system-error.ts';

export function logTail(file: string, lines: number = limits.logTailLines): readonly string[] {
  const all = lastBytes(file, limits.logTailBytes).split('\n');
  if (all.at(-1) === '') all.pop();
  return all.slice(-lines);
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
    const text = buffer.toString('utf8', 0, read);
    // Half a line is left out, unless there is nothing else.
    const newline = size > buffer.length ? text.indexOf('\n') : -1;
    return newline < text.length - 1 ? text.slice(newline + 1) : text;
  } finally {
    closeSync(descriptor);
  }
}
