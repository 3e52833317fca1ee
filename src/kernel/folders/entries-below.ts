/** Creates, writes, chowns and removes single entries without following any link below the given folder. */
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { absentOn } from '../system-error.ts';
import { type HeldFolder, holdBelow, holdInside } from './held-folder.ts';

/** Also creates missing parent folders. */
export function makeFolderBelow(below: string, folder: string, mode: number): void {
  holdBelow(below, folder, mode).close();
}

/** Must not exist yet; gets this mode whatever the umask. */
export function makeNewFolder(folder: string, mode: number): void {
  within(path.dirname(folder), folder, (holder, name) => {
    mkdirSync(holder.at(name), { mode: 0o700 });
    chmodFolder(holder, name, mode);
  });
}

export function changeMode(below: string, folder: string, mode: number): void {
  within(below, folder, (holder, name) => chmodFolder(holder, name, mode));
}

export function handOver(
  below: string,
  entry: string,
  to: { readonly uid: number; readonly gid: number },
): void {
  within(below, entry, (holder, name) => lchownSync(holder.at(name), to.uid, to.gid));
}

/** Replaces the entry atomically, also when it is a link. */
export function writeFileBelow(below: string, file: string, text: string, mode: number): void {
  makeFolderBelow(below, path.dirname(file), 0o755);
  within(below, file, (holder, name) => {
    const draft = `.${process.pid}.draft`; // a name of its own: that of the file may be as long as one can be
    ifThere(() => unlinkSync(holder.at(draft)));
    const descriptor = openSync(holder.at(draft), 'wx', mode);
    try {
      writeFileSync(descriptor, text);
      fchmodSync(descriptor, mode);
    } finally {
      closeSync(descriptor);
    }
    renameSync(holder.at(draft), holder.at(name));
  });
}

/** Fails where an entry of that name exists, a dangling link included. */
export function createFileBelow(below: string, file: string, text: string, mode: number): void {
  makeFolderBelow(below, path.dirname(file), 0o755);
  within(below, file, (holder, name) => {
    const descriptor = openSync(holder.at(name), 'wx', mode);
    try {
      writeFileSync(descriptor, text);
    } finally {
      closeSync(descriptor);
    }
  });
}

/** Creates an empty file, open for writing, in place of any entry of that name. */
export function openNewFile(file: string): number {
  removeFile(file);
  return openSync(file, 'wx', 0o600);
}

/** Appends to a regular file with a single link; any other entry is replaced by a new file. */
export function openToAppend(file: string): number {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats && !(stats.isFile() && stats.nlink === 1)) removeFile(file);
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  return openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
}

/** Rewrites a file from chunks of its old content; on failure it stays unchanged. */
export async function rewriteFile(file: string, pieces: AsyncIterable<Buffer>): Promise<void> {
  const draft = `${file}.draft`;
  const descriptor = openNewFile(draft);
  try {
    for await (const piece of pieces) writeFileSync(descriptor, piece);
    renameSync(draft, file);
  } finally {
    closeSync(descriptor);
    removeFile(draft);
  }
}

/** Removes one directory entry; the target of a link stays. */
export function removeFile(file: string, below = path.dirname(file)): void {
  ifThere(() => within(below, file, (holder, name) => unlinkSync(holder.at(name))), 'ENOTDIR');
}

/** An entry of a held folder, with any bytes in its name. */
export function removeFileIn(holder: HeldFolder, name: Buffer): void {
  ifThere(() => unlinkSync(holder.at(name)));
}

/** A folder that is not empty stays. */
export function removeEmptyFolder(folder: string, below = path.dirname(folder)): void {
  ifThere(() => within(below, folder, (holder, name) => rmdirSync(holder.at(name))), 'ENOTEMPTY', 'ENOTDIR');
}

/** Moves an entry; both paths are below the same folder. */
export function moveBelow(below: string, from: string, to: string): void {
  within(below, from, (holder, name) =>
    within(below, to, (other, newName) => renameSync(holder.at(name), other.at(newName))),
  );
}

function chmodFolder(holder: HeldFolder, name: string, mode: number): void {
  const folder = holdInside(holder, name);
  try {
    chmodSync(folder.self(), mode);
  } finally {
    folder.close();
  }
}

function within(below: string, entry: string, work: (holder: HeldFolder, name: string) => void): void {
  const holder = holdBelow(below, path.dirname(entry));
  try {
    work(holder, path.basename(entry));
  } finally {
    holder.close();
  }
}

function ifThere(work: () => void, ...codes: readonly string[]): void {
  try {
    work();
  } catch (error) {
    absentOn('ENOENT', ...codes)(error);
  }
}
