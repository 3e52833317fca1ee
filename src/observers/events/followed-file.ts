/** Follows one file of events from its mark on, through truncation and rotation. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { absentOn } from '../../kernel/system-error.ts';
import { createLineReader, type LineReader, type RawLine } from '../line-reader.ts';
import { observerLimits } from '../observer-limits.ts';
import { bytesBefore, type FileMark, isSameFile } from './file-marks.ts';
import { isWholeEvent } from './read-event.ts';

export interface FollowedFile {
  /** The file under this other name is the one that was read here last. */
  isNow(file: string, inode: number): Promise<boolean>;
  /** Hands over each line that was finished since the last time, and `rotated` where the file began anew. */
  readOn(take: (line: RawLine | 'rotated') => void): Promise<void>;
  /** The last line, when only its end is missing. */
  unfinished(): RawLine | undefined;
}

export function followFile(mark: FileMark, signal: AbortSignal): FollowedFile {
  const { file } = mark;
  const readerFrom = (from: number): LineReader =>
    createLineReader({ from, lineBytes: observerLimits.eventBytes, signal });
  let reader = readerFrom(mark.offset);
  let inode = mark.inode;
  let before = mark.before;
  const isAnother = async (now: { readonly ino: number; readonly size: number }): Promise<boolean> => {
    if (now.ino !== inode || now.size < reader.offset()) return true;
    const there = await bytesBefore(file, reader.offset(), before.length);
    return there !== undefined && !there.equals(before);
  };
  const unfinished = (): RawLine | undefined => {
    const line = reader.unfinished();
    return isWholeEvent(line) ? line : undefined;
  };
  return {
    unfinished,
    isNow: (other, otherInode) =>
      isSameFile({ file, inode, offset: reader.offset(), before }, other, otherInode),
    readOn: async (take) => {
      const now = await stat(file).catch(absentOn('ENOENT'));
      if (!now) return;
      if (await isAnother(now)) {
        // What was written last is often still there, under another name.
        const moved = now.ino === inode ? undefined : await findInode(path.dirname(file), inode);
        if (moved !== undefined) await reader.readOn(moved, take);
        const last = unfinished();
        if (last) take(last);
        take('rotated');
        reader = readerFrom(0);
        inode = now.ino;
      }
      await reader.readOn(file, take);
      before = (await bytesBefore(file, reader.offset())) ?? before;
    },
  };
}

async function findInode(folder: string, inode: number): Promise<string | undefined> {
  const names = (await readdir(folder).catch(absentOn('ENOENT', 'ENOTDIR'))) ?? [];
  for (const name of names.slice(0, observerLimits.files)) {
    const file = path.join(folder, name);
    const stats = await stat(file).catch(absentOn('ENOENT', 'ELOOP', 'EACCES'));
    if (stats?.ino === inode && stats.isFile()) return file;
  }
  return undefined;
}
