/** How far each file had been written when the attempt began, and which files came later. */
import { readSync, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { EnvironmentFacts } from '../../journal/environment-facts.ts';
import { readingPlainFile } from '../../kernel/folders/own-file.ts';
import { absentOn } from '../../kernel/system-error.ts';
import { walkFolder } from '../files/walk-folder.ts';

/** Which file it is, whatever its name: inode numbers are reused, and a file that is written to keeps its birth. */
export interface FileIdentity {
  readonly ino: number;
  readonly birthtimeMs: number;
}

export interface Reach {
  readonly offset: number;
  readonly before: Buffer;
  /** Of the last write, when the file ended there. */
  readonly mtimeMs?: number;
}

/** A place in a file that can be found again. */
export interface FileMark {
  /** The name it had when it was first seen. */
  readonly file: string;
  readonly identity: FileIdentity;
  /** What is new begins here. */
  readonly offset: number;
  /** How far any check has read it, and the bytes right before: when they differ, the file has been rewritten. */
  reach: Reach;
}

const beforeBytes = 64;
/** The times of files may lag behind the clock by so much. */
const tickMs = 10;
const eventFile = /\.(?:jsonl|ndjson|log|json)$/i;

export interface MarkOptions {
  readonly facts: EnvironmentFacts;
  readonly systemFolder: string;
  /** Wall time. */
  readonly now: number;
  readonly signal: AbortSignal;
}

/** Looks through the services' folders, and for files of events through that of the config. */
export async function markFiles({ facts, systemFolder, now, signal }: MarkOptions) {
  const first = new Map<string, FileMark>();
  const whole: string[] = [];
  const note = async (
    root: string,
    walk: Pick<Parameters<typeof walkFolder>[0], 'keep' | 'enter'>,
  ): Promise<void> => {
    const { files, isPartial } = await walkFolder({ root, signal, ...walk });
    for (const { path: relative, kind } of files) {
      const file = path.join(root, relative);
      const mark = kind === 'file' ? await markOfFile(file) : undefined;
      if (mark) first.set(file, mark);
    }
    if (!isPartial) whole.push(`${root}${path.sep}`);
  };
  for (const { folders } of facts.services) for (const root of Object.values(folders)) await note(root, {});
  for (const { folder } of facts.volumes) await note(folder, {});
  await note(systemFolder, {
    keep: (relative) => /\.(?:jsonl|ndjson)$/i.test(relative),
    enter: (relative) => !/(?:^|\/)(?:\.|node_modules$)/.test(relative),
  });
  const marks = [...first.values()];
  const later = async (file: string): Promise<FileMark | undefined> => {
    const mark = await markLater(file, now, whole);
    if (mark) marks.push(mark);
    return mark;
  };
  return {
    /** Every file that had such a name when the attempt began, or when any check looked. */
    named: (isMeant: (file: string) => boolean): readonly FileMark[] =>
      marks.filter(({ file }) => isMeant(file)),
    /** Where what is new in this file begins; undefined when that cannot be known. */
    get: async (file: string, identity: FileIdentity): Promise<FileMark | undefined> =>
      (await findMark(marks, file, identity)) ?? later(file),
    /** Nothing was written to this file since the attempt began. */
    isUnchanged: async (file: string, stats: Stats): Promise<boolean> =>
      stats.mtimeMs < now - tickMs || (await findMark(marks, file, stats))?.offset === stats.size,
  };
}

export type FileMarks = Awaited<ReturnType<typeof markFiles>>;

/** The mark of the file that has this name now. What was read has to be the same still: otherwise the file was emptied. */
export async function findMark(
  marks: Iterable<FileMark>,
  file: string,
  { ino, birthtimeMs }: FileIdentity,
): Promise<FileMark | undefined> {
  for (const mark of marks) {
    if (mark.identity.ino !== ino || mark.identity.birthtimeMs !== birthtimeMs) continue;
    const { offset, before } = mark.reach;
    if (bytesBefore(file, offset, before.length)?.equals(before)) return mark;
  }
  return undefined;
}

/** A file that was not seen at the beginning is new, or was not touched since, or was in a place not searched. */
async function markLater(file: string, now: number, whole: readonly string[]): Promise<FileMark | undefined> {
  const stats = await stat(file).catch(absentOn('ENOENT'));
  if (!stats) return undefined;
  const isNew = stats.birthtimeMs >= now || whole.some((root) => file.startsWith(root));
  if (isNew) return markAt(file, stats, 0);
  return stats.mtimeMs < now - tickMs ? markOfFile(file) : undefined;
}

async function markOfFile(file: string): Promise<FileMark | undefined> {
  const stats = await stat(file).catch(absentOn('ENOENT'));
  if (!stats) return undefined;
  const before = eventFile.test(file) ? bytesBefore(file, stats.size) : undefined;
  return markAt(file, stats, stats.size, before);
}

function markAt(file: string, stats: Stats, offset: number, before: Buffer = Buffer.alloc(0)): FileMark {
  const { ino, birthtimeMs } = stats;
  return { file, identity: { ino, birthtimeMs }, offset, reach: reachAt(stats, offset, before) };
}

export function reachAt({ size, mtimeMs }: Stats, offset: number, before: Buffer): Reach {
  return { offset, before, ...(size === offset ? { mtimeMs } : {}) };
}

/** The bytes right before an offset; undefined when the file is gone. */
export function bytesBefore(file: string, offset: number, most = beforeBytes): Buffer | undefined {
  return readingPlainFile(file, ({ descriptor }) => readBefore(descriptor, offset, most), 'followed');
}

export function readBefore(descriptor: number, offset: number, most: number): Buffer {
  const wanted = Buffer.alloc(Math.min(most, offset));
  return wanted.subarray(0, readSync(descriptor, wanted, 0, wanted.length, offset - wanted.length));
}
