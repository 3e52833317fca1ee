/** The finished lines of a log that follow one of its lines, without colours. */
import { readSync } from 'node:fs';
import { readingPlainFile } from '../../kernel/folders/own-file.ts';
import { steeringSequence } from '../../kernel/printable.ts';
import { utf8Text } from '../../kernel/utf8-text.ts';
import { observerLimits } from '../observer-limits.ts';

/** Only near ones; none where the log is gone. */
export function linesBelow(file: string, offset: number): readonly string[] {
  const read = ({ descriptor }: { readonly descriptor: number }): string => {
    const buffer = Buffer.alloc(observerLimits.logMatchBytes);
    const bytes = buffer.subarray(0, readSync(descriptor, buffer, 0, buffer.length, offset));
    return utf8Text(bytes, true).replaceAll(steeringSequence, '');
  };
  const lines = (readingPlainFile(file, read, 'followed') ?? '').split(/\r?\n|\r/);
  // The last one may not be finished.
  return lines.slice(1, -1);
}
