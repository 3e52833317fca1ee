/** How far each file had been written when the attempt began. */
import { closeSync, readSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { EnvironmentFacts } from '../../journal/environment-facts.ts';
import { findPlainFile } from '../../kernel/folders/own-file.ts';
import { absentOn } from '../../kernel/system-error.ts';
import { walkFolder } from '../files/walk-folder.ts';

/** A place in a file that can be found again. */
export interface FileMark {
  readonly file: string;
  readonly inode: number;
  readonly offset: number;
  /** The last bytes before the offset: when others stand there, the file has been written anew. */
  readonly before: Buffer;
}

export interface FileMarks {
  /** Where what is new in this file begins; undefined when that cannot be known. */
  get(file: string, inode: number): Promise<FileMark | undefined>;
  /** The name that this file had when the attempt began. */
  oldName(file: string, inode: number): Promise<string | undefined>;
}

const beforeBytes = 64;
const eventFile = /\.(?:jsonl|ndjson|log|json)$/i;

export interface MarkOptions {
  readonly facts: EnvironmentFacts;
  readonly systemFolder: string;
  /** Wall time. */
  readonly now: number;
  readonly signal: AbortSignal;
}

/** Looks through the services' folders, and for files of events through that of the config. */
export async function markFiles({ facts, systemFolder, now, signal }: MarkOptions): Promise<FileMarks> {
  const marks = new Map<string, FileMark>();
  const whole: string[] = [];
  const note = async (
    root: string,
    walk: Pick<Parameters<typeof walkFolder>[0], 'keep' | 'enter'>,
  ): Promise<void> => {
    const { files, isPartial } = await walkFolder({ root, signal, ...walk });
    for (const { path: relative, kind } of files) {
      const file = path.join(root, relative);
      const mark = kind === 'file' ? await markOfFile(file) : undefined;
      if (mark) marks.set(file, mark);
    }
    if (!isPartial) whole.push(`${root}${path.sep}`);
  };
  for (const { folders } of facts.services) for (const root of Object.values(folders)) await note(root, {});
  await note(systemFolder, {
    keep: (relative) => /\.(?:jsonl|ndjson)$/i.test(relative),
    enter: (relative) => !/(?:^|\/)(?:\.|node_modules$)/.test(relative),
  });
  const oldMark = async (file: string, inode: number): Promise<FileMark | undefined> => {
    const old = [...marks.values()].find((mark) => mark.inode === inode && mark.file !== file);
    return old && (await isSameFile(old, file, inode)) ? old : undefined;
  };
  return {
    get: async (file, inode) =>
      marks.get(file) ?? (await oldMark(file, inode)) ?? (await markLater(file, now, whole)),
    oldName: async (file, inode) => (await oldMark(file, inode))?.file,
  };
}

/** Numbers of files are used again, so what stands before the mark has to be the same, too. */
export async function isSameFile(mark: FileMark, file: string, inode: number): Promise<boolean> {
  if (inode !== mark.inode) return false;
  const there = await bytesBefore(file, mark.offset, mark.before.length);
  return there?.equals(mark.before) ?? false;
}

/** A file that was not seen at the beginning is new, or nobody has touched it since, or it lay where nobody looked. */
async function markLater(file: string, now: number, whole: readonly string[]): Promise<FileMark | undefined> {
  const stats = await stat(file).catch(absentOn('ENOENT'));
  if (!stats) return undefined;
  const isNew = stats.birthtimeMs >= now || whole.some((root) => file.startsWith(root));
  if (isNew) return { file, inode: stats.ino, offset: 0, before: Buffer.alloc(0) };
  return stats.mtimeMs < now ? markOfFile(file) : undefined;
}

async function markOfFile(file: string): Promise<FileMark | undefined> {
  const { ino, size } = (await stat(file).catch(absentOn('ENOENT'))) ?? { ino: 0, size: -1 };
  if (size < 0) return undefined;
  const before = eventFile.test(file) ? await bytesBefore(file, size) : undefined;
  return { file, inode: ino, offset: size, before: before ?? Buffer.alloc(0) };
}

/** The bytes that stand right before an offset; undefined when the file is gone. */
export async function bytesBefore(
  file: string,
  offset: number,
  most = beforeBytes,
): Promise<Buffer | undefined> {
  const descriptor = findPlainFile(file, 'followed')?.descriptor;
  if (descriptor === undefined) return undefined;
  try {
    return readBefore(descriptor, offset, most);
  } finally {
    closeSync(descriptor);
  }
}

export function readBefore(descriptor: number, offset: number, most: number): Buffer {
  const wanted = Buffer.alloc(Math.min(most, offset));
  return wanted.subarray(0, readSync(descriptor, wanted, 0, wanted.length, offset - wanted.length));
}
