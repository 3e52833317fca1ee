/** Lists a folder as entries of an archive: files, folders and links, in the order of their names. */
import { createReadStream } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import path from 'node:path';
import { Problem } from '../../../kernel/problem.ts';
import { formatSize } from '../../../kernel/size.ts';
import { absentOn } from '../../../kernel/system-error.ts';
import { engineLimits } from '../engine/engine-limits.ts';
import type { TarEntry } from './tar.ts';

export interface FolderWish {
  /** Absolute. */
  readonly folder: string;
  /** Put before each name; with it, the folder itself is an entry, too. */
  readonly as?: string;
  readonly where: string;
  /** Of a path inside it: whether it is an entry, and whether to look for entries below it. */
  readonly keeps?: (name: string) => { readonly isIn: boolean; readonly isSearched: boolean };
  /** Everything belongs to root, as in a build. */
  readonly isRoots?: boolean;
}

export async function* folderEntries(wish: FolderWish): AsyncGenerator<TarEntry> {
  const sum = { entries: 0, bytes: 0 };
  const all = { isIn: true, isSearched: true };
  const walk = async function* (name: string): AsyncGenerator<TarEntry> {
    const file = path.join(wish.folder, name);
    const { isIn, isSearched } = name === '' ? all : (wish.keeps?.(name) ?? all);
    if (!isIn && !isSearched) return;
    const entry = await entryOf(wish, file, wish.as === undefined ? name : path.posix.join(wish.as, name));
    if (entry === undefined) return;
    if (isIn && entry.name !== '') {
      count(sum, entry, wish);
      yield entry;
    }
    if (entry.type !== 'folder' || !isSearched) return;
    for (const below of (await readdir(file)).sort()) yield* walk(path.posix.join(name, below));
  };
  yield* walk('');
}

/** Sockets, pipes and devices are no files to copy; nor is what is gone by now. */
export async function entryOf(
  { isRoots = false }: Pick<FolderWish, 'isRoots'>,
  file: string,
  name: string,
): Promise<TarEntry | undefined> {
  const stats = await lstat(file).catch(absentOn('ENOENT'));
  if (stats === undefined) return undefined;
  const { mode, mtimeMs, size } = stats;
  const common = {
    name,
    mode,
    mtimeMs,
    ...(isRoots ? { uid: 0, gid: 0 } : { uid: stats.uid, gid: stats.gid }),
  };
  if (stats.isDirectory()) return { ...common, type: 'folder' };
  if (stats.isSymbolicLink()) return { ...common, type: 'link', target: await readlink(file) };
  return stats.isFile()
    ? { ...common, type: 'file', size, content: () => createReadStream(file) }
    : undefined;
}

function count(sum: { entries: number; bytes: number }, { size = 0 }: TarEntry, wish: FolderWish): void {
  const { contextEntries, contextBytes } = engineLimits;
  sum.entries += 1;
  sum.bytes += size;
  if (sum.entries <= contextEntries && sum.bytes <= contextBytes) return;
  throw new Problem({
    code: 'config.bad-value',
    where: wish.where,
    what: `${wish.folder} is too large to be given to the engine: more than ${sum.entries > contextEntries ? `${contextEntries} entries` : formatSize(contextBytes)}`,
    allowed: `a folder of at most ${contextEntries} entries and ${formatSize(contextBytes)}`,
    next: 'name a smaller folder; of a build, leave out what it does not need in a .dockerignore',
  });
}
