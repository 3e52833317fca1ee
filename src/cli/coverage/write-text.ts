/** Writes a file that somebody named on the command line; where that cannot be, says so. */
import path from 'node:path';
import { writeShared } from '../../journal/write-redacted.ts';
import { Problem } from '../../kernel/problem.ts';
import { errorCode } from '../../kernel/system-error.ts';

/** `option` is the one that named it, such as `--html`. */
export function writeText(file: string, text: string, option: string): void {
  try {
    writeShared(file, text);
  } catch (error) {
    throw new Problem({
      code: 'world.not-writable',
      where: file,
      what: `the file of \`${option}\` cannot be written: ${errorCode(error) ?? String(error)}`,
      allowed: 'a file in a folder that is there, and in which you may write',
      next: `look at the folder: ls -ld ${path.dirname(file)}`,
      cause: error,
    });
  }
}
