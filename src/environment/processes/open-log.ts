/** Opens the log of a process that is about to start, at the beginning of a line. */
import { readSync, writeSync } from 'node:fs';
import { openToAppend } from '../../kernel/folders/entries-below.ts';
import { readingPlainFile } from '../../kernel/folders/own-file.ts';

/** A line that an earlier process left without its end would hide the first line of this one. */
export function openLog(file: string): number {
  const log = openToAppend(file);
  if (isInsideLine(file)) writeSync(log, '\n');
  return log;
}

function isInsideLine(file: string): boolean {
  const last = readingPlainFile(file, ({ descriptor, stats: { size } }) => {
    const byte = Buffer.alloc(1);
    return size > 0 && readSync(descriptor, byte, 0, 1, size - 1) === 1 ? byte.toString('latin1') : '\n';
  });
  return last !== undefined && last !== '\n';
}
