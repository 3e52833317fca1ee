/** Writes a file that was named on the command line; throws a problem when that fails. */
import path from 'node:path';
import { writeShared } from '../../journal/write-redacted.ts';
import { Problem } from '../../kernel/problem.ts';
import { errorCode } from '../../kernel/system-error.ts';

/** `option` is the one that named the file, such as `--html`. */
export function writeText(file: string, text: string, option: string): void {
  try {
    writeShared(file, text);
  } catch (error) {
    throw new Problem({
      code: 'world.not-writable',
      where: file,
      what: `the file of \`${option}\` cannot be written: ${errorCode(error) ?? String(error)}`,
      allowed: 'a file in an existing folder that you may write to',
      next: `look at the folder: ls -ld ${path.dirname(file)}`,
      cause: error,
    });
  }
}
