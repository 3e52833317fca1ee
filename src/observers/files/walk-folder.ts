/** Lists what is below a folder, bounded, without following a link. */
import { type BigIntStats, type Dir, lstatSync, opendirSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { errorCode } from '../../kernel/system-error.ts';
import { observerLimits } from '../observer-limits.ts';
import { shownPath } from './shown-path.ts';

export interface FoundFile {
  /** Relative to the folder, with `/`, as it is shown. */
  readonly path: string;
  /** The whole path, byte by byte. */
  readonly file: Buffer;
  readonly kind: 'file' | 'link' | 'other';
  readonly stats: BigIntStats;
}

export interface FolderContents {
  /** In the order of their paths. */
  readonly files: readonly FoundFile[];
  /** There are more files than the limit, or deeper ones: what is listed is a part. */
  readonly isPartial: boolean;
  /** Folders that may not be read. */
  readonly closed: readonly string[];
}

export interface WalkOptions {
  readonly root: string;
  /** Begin here, relative to the root. */
  readonly below?: string;
  readonly signal: AbortSignal;
  readonly keep?: (relativePath: string) => boolean;
  readonly enter?: (relativePath: string) => boolean;
}

/** Entries between two turns of the event loop. */
const entriesPerTurn = 1_000;

export async function walkFolder(options: WalkOptions): Promise<FolderContents> {
  const { root, below = '', signal, keep = () => true, enter = () => true } = options;
  const files: FoundFile[] = [];
  const closed: string[] = [];
  const waiting = [Buffer.from(below).toString('latin1')];
  let entries = 0;
  let isPartial = false;
  for (let folder = waiting.pop(); folder !== undefined && !isPartial; folder = waiting.pop()) {
    for (const entry of entriesOf(bytesOf(root, folder), () => closed.push(shownPath(folder ?? '')))) {
      entries += 1;
      if (entries % entriesPerTurn === 0) await nextTurn();
      signal.throwIfAborted();
      const raw = path.posix.join(folder, entry.name);
      const relative = shownPath(raw);
      if (entry.isDirectory()) {
        if (!enter(relative)) continue;
        if (relative.split('/').length > observerLimits.folderDepth) isPartial = true;
        else waiting.push(raw);
      } else if (keep(relative)) {
        const found = describe(bytesOf(root, raw), relative);
        if (found) files.push(found);
      }
      if (files.length > observerLimits.elements || entries > observerLimits.elements * 10) isPartial = true;
      if (isPartial) break;
    }
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files: files.slice(0, observerLimits.elements), isPartial, closed };
}

/** One entry after the other, so that a folder with a million of them can be left early. */
function* entriesOf(folder: Buffer, onClosed: () => void): Generator<import('node:fs').Dirent> {
  const opened = openFolder(folder, onClosed);
  if (!opened) return;
  try {
    for (let entry = opened.readSync(); entry; entry = opened.readSync()) yield entry;
  } finally {
    opened.closeSync();
  }
}

/** A folder that is gone by now holds nothing. */
function openFolder(folder: Buffer, onClosed: () => void): Dir | undefined {
  try {
    return opendirSync(folder as unknown as string, { bufferSize: 256, encoding: 'latin1' });
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EACCES' || code === 'EPERM') onClosed();
    else if (!['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(code ?? '')) throw error;
    return undefined;
  }
}

/** The names below the root are bytes, each a character of Latin-1. */
function bytesOf(root: string, raw: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(raw, 'latin1')]);
}

function describe(file: Buffer, relative: string): FoundFile | undefined {
  const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  if (!stats) return undefined;
  const kind = stats.isFile() ? 'file' : stats.isSymbolicLink() ? 'link' : 'other';
  return { path: relative, file, kind, stats };
}
