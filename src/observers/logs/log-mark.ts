/** The position of a log when an attempt began; later shows whether all that was written since is still there. */
import { statfsSync } from 'node:fs';
import path from 'node:path';
import type { Redactor } from '../../journal/redaction.ts';
import { readingPlainFile } from '../../kernel/folders/own-file.ts';
import { readBefore } from '../events/file-marks.ts';
import { createLogScan, type LogScan, type LogScanOptions } from './log-scan.ts';

export interface LogMark {
  readonly file: string;
  readonly inode: number;
  readonly offset: number;
  /** What was right before the offset. */
  readonly before: Buffer;
}

const leastBefore = 64;

export function markLog(file: string, redactor: Redactor): LogMark {
  return (
    readingPlainFile(file, ({ descriptor, stats: { ino, size } }) => {
      const before = readBefore(descriptor, size, Math.max(leastBefore, redactor.reachBytes));
      return { file, inode: ino, offset: size, before };
    }) ?? { file, inode: 0, offset: 0, before: Buffer.alloc(0) }
  );
}

/** Why it is unknown what was written since; undefined when it is all there. */
export function lossOf({ file, inode, offset, before }: LogMark): string | undefined {
  const loss = readingPlainFile(file, ({ descriptor, stats: { ino, size } }) => {
    if (ino !== inode) return 'another file has taken its place';
    const isSame = size >= offset && readBefore(descriptor, offset, before.length).equals(before);
    return isSame ? '' : 'it was emptied or rewritten';
  });
  return (
    (loss ?? 'it is gone, or is no longer a plain file') || (isFull(file) ? 'its disk is full' : undefined)
  );
}

/** What a service prints then is lost; some file systems do not report their size. */
function isFull(file: string): boolean {
  const { blocks, bavail, bfree } = statfsSync(path.dirname(file));
  return blocks > 0 && (process.geteuid?.() === 0 ? bfree : bavail) === 0;
}

/** What was written since, which could not have been read before. */
export function scanSince(
  mark: LogMark,
  redactor: Redactor,
  options: Pick<LogScanOptions, 'signal' | 'expression' | 'most'>,
): LogScan {
  return createLogScan({ ...options, file: mark.file, from: mark.offset, joined: joinedAt(mark, redactor) });
}

/** For a line that began before the mark: where a secret spans the mark, the line is shown from its beginning. */
function joinedAt({ before }: LogMark, redactor: Redactor): (text: string) => string {
  const begun = before.toString('utf8', before.lastIndexOf('\n') + 1);
  return (text) => {
    const whole = redactor.redact(begun + text);
    return whole.endsWith(redactor.redact(text)) ? text : whole;
  };
}
