/** The last lines of a log file, however large the file is. */
import { readSync } from 'node:fs';
import { readingPlainFile } from '../kernel/folders/own-file.ts';
import { limits } from '../kernel/limits.ts';
import { logBeginning } from './run-folder.ts';

export function logTail(
  file: string,
  lines: number = limits.logTailLines,
  bytes: number = limits.logTailBytes,
): readonly string[] {
  const all = lastBytes(file, bytes)?.split('\n') ?? [''];
  if (all.at(-1) === '') all.pop();
  if (all[0] === logBeginning) all.shift();
  return all.slice(-lines);
}

function lastBytes(file: string, bytes: number): string | undefined {
  return readingPlainFile(file, ({ descriptor, stats: { size } }) => {
    const buffer = Buffer.alloc(Math.min(bytes, size));
    const read = readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
    const text = buffer.toString('utf8', 0, read);
    // Half a line is left out, unless there is nothing else.
    const newline = size > buffer.length ? text.indexOf('\n') : -1;
    return newline < text.length - 1 ? text.slice(newline + 1) : text;
  });
}
