/** Searches a growing log file for a line, reading each byte once. */
import { readSync } from 'node:fs';
import { readingPlainFile } from '../../kernel/folders/own-file.ts';
import { createRegexTester } from '../../patterns/bounded-regex.ts';

/** Lines longer than this are cut. */
const longestLine = 64 * 1024;
const chunkBytes = 256 * 1024;

/** Starts at a byte offset, so that output of an earlier process of the same service is not matched. */
export function searchLog(file: string, pattern: string, from = 0) {
  const tester = createRegexTester();
  const regex = new RegExp(pattern);
  // The test with a time limit comes first: an expression that never ends must not block the keeper.
  const match = (latin1: string): RegExpExecArray | undefined => {
    const line = Buffer.from(latin1, 'latin1').toString('utf8');
    return tester.test(pattern, '', line) ? (regex.exec(line) ?? undefined) : undefined;
  };
  let offset = from;
  let partial = '';
  let found: RegExpExecArray | undefined;
  const buffer = Buffer.alloc(chunkBytes);
  const readMore = (): boolean | undefined =>
    readingPlainFile(file, ({ descriptor }) => {
      const read = readSync(descriptor, buffer, 0, buffer.length, offset);
      offset += read;
      const lines = (partial + buffer.toString('latin1', 0, read)).split('\n');
      partial = (lines.pop() ?? '').slice(-longestLine);
      for (const line of lines) found ??= match(line);
      // A prompt without a newline counts too: the unfinished line is searched each time.
      found ??= match(partial);
      return read === buffer.length;
    });
  return {
    /** The first match in what has been written so far; undefined when there is none yet. */
    look: (): RegExpExecArray | undefined => {
      while (found === undefined && readMore());
      return found;
    },
  };
}
