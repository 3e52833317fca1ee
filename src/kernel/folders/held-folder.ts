/** A folder held by its descriptor: operations reach this folder and no other, even when its path is replaced. */
import {
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { absentOn } from '../system-error.ts';

export interface HeldFolder {
  /** The path by which it was reached, for display. */
  readonly path: string;
  readonly stats: BigIntStats;
  /** Distinguishes mounts, also two of the same device. */
  readonly mount: string;
  /** The folder itself, and an entry of it, for calls that take a path. No link on the way is followed. */
  self(): string;
  at(name: Buffer | string): Buffer;
  close(): void;
}

/** O_PATH, for which Node has no constant: a descriptor of a location that needs no read permission. */
const placeOnly = 0o10000000;

const hasDescriptorPaths = process.platform === 'linux' && existsSync('/proc/self/fd');

/** Follows links in the folder's own path: only for folders that other users cannot replace. */
export function holdFolder(folder: string): HeldFolder {
  return hasDescriptorPaths
    ? byDescriptor(Buffer.from(folder), folder, 0)
    : byPath(folder, statSync(folder, { bigint: true }));
}

/** A direct child folder of a held one. Throws ENOTDIR for a link. */
export function holdInside(outer: HeldFolder, name: Buffer | string): HeldFolder {
  const shown = pathInside(outer, name);
  return hasDescriptorPaths
    ? byDescriptor(outer.at(name), shown, constants.O_NOFOLLOW)
    : byPath(shown, lstatSync(outer.at(name), { bigint: true }));
}

/**
 * A folder at any depth below another: no link between the two is followed. With a mode, missing folders are created.
 */
export function holdBelow(below: string, folder: string, makeWith?: number): HeldFolder {
  const parts = path
    .relative(below, folder)
    .split(path.sep)
    .filter((part) => part !== '');
  if (parts[0] === '..') throw new Error(`${folder} is not below ${below}`);
  let held = holdFolder(below);
  for (const part of parts) {
    try {
      const inner = makeAndHold(held, part, makeWith);
      held.close();
      held = inner;
    } catch (error) {
      held.close();
      throw error;
    }
  }
  return held;
}

/** For display; a very long path is cut in the middle where it is not needed to reach the folder. */
export function pathInside(outer: HeldFolder, name: Buffer | string): string {
  const shown = `${outer.path}${path.sep}${name}`;
  return shown.length <= 600 || !hasDescriptorPaths ? shown : `${shown.slice(0, 300)}…${shown.slice(-280)}`;
}

function makeAndHold(outer: HeldFolder, name: string, makeWith: number | undefined): HeldFolder {
  if (makeWith !== undefined) {
    try {
      mkdirSync(outer.at(name), { mode: makeWith });
    } catch (error) {
      absentOn('EEXIST')(error);
    }
  }
  return holdInside(outer, name);
}

function byDescriptor(place: Buffer, shown: string, flags: number): HeldFolder {
  const descriptor = openSync(place, placeOnly | constants.O_DIRECTORY | flags);
  const self = `/proc/self/fd/${descriptor}`;
  const facts = readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1');
  return {
    path: shown,
    stats: fstatSync(descriptor, { bigint: true }),
    mount: /^mnt_id:\s*(\d+)/m.exec(facts)?.[1] ?? '',
    self: () => self,
    at: (name) => Buffer.concat([Buffer.from(`${self}/`), Buffer.from(name as string)]),
    close: () => closeSync(descriptor),
  };
}

/** Without descriptor paths, the folder is checked before each use: it must still be the one that was opened. */
function byPath(folder: string, stats: BigIntStats): HeldFolder {
  const check = (): string => {
    const now = lstatSync(folder, { bigint: true });
    if (now.ino !== stats.ino || now.dev !== stats.dev) throw replaced(folder);
    return folder;
  };
  if (!stats.isDirectory()) throw replaced(folder);
  return {
    path: folder,
    stats,
    mount: '',
    self: check,
    at: (name) => Buffer.concat([Buffer.from(`${check()}${path.sep}`), Buffer.from(name as string)]),
    close: () => undefined,
  };
}

function replaced(folder: string): Error {
  return Object.assign(new Error(`ENOTDIR: the folder was replaced, '${folder}'`), { code: 'ENOTDIR' });
}
