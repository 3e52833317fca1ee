/** Removes a folder with its contents: follows no link, enters no mount, touches no entry of another user. */
import { chmodSync, lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { limits } from '../limits.ts';
import { Problem } from '../problem.ts';
import { errorCode } from '../system-error.ts';
import { type HeldFolder, holdBelow, holdInside, pathInside } from './held-folder.ts';

export interface RemovalOptions {
  /** A folder that other users cannot replace: no link below it is followed. Default: the parent of the target. */
  readonly below?: string;
  /** Other users whose entries may be removed; `everybody` for a workspace, which is disposable. */
  readonly owners?: readonly number[] | 'everybody';
  /** A direct child that is removed after all others, and stays when one of them stays. */
  readonly last?: string;
}

/** Returns a line for each entry that stays, with the reason. A missing target counts as removed. */
export async function removeTree(target: string, options: RemovalOptions = {}): Promise<readonly string[]> {
  const { below = path.dirname(target) } = options;
  let outer: HeldFolder;
  try {
    outer = holdBelow(below, path.dirname(target));
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? [] : [`${target}: ${reasonOf(error)}`];
  }
  try {
    for (let pass = 1; ; pass += 1) {
      const removal = new Removal(target, options);
      await removal.perform(outer, path.basename(target));
      if (!removal.hasChanged || pass === mostPasses) return removal.lines();
    }
  } finally {
    outer.close();
  }
}

/** Like `removeTree`; throws when an entry stays. */
export async function removeWhole(target: string, options: RemovalOptions = {}): Promise<void> {
  const stays = await removeTree(target, options);
  if (stays.length === 0) return;
  throw new Problem({
    code: 'left.behind',
    where: target,
    what: `it cannot be removed: ${stays[0]}`,
    allowed: 'entries that belong to us, on one file system, and that may be removed',
    next: 'remove them by hand, then start again',
    evidence: stays,
  });
}

/** A process may still create entries: repeat, then report what stays. */
const mostPasses = 4;

/** This many levels stay open; from deeper ones, the parent is reopened through `..`. */
const heldLevels = 8;

/** A folder on the way down. */
interface Level {
  readonly name: Buffer;
  readonly seen: HeldFolder;
  readonly names: Buffer[];
  isHeld: boolean;
  stays: boolean;
}

class Removal {
  hasChanged = false;
  readonly #target: string;
  readonly #last: string | undefined;
  readonly #owners: readonly number[] | undefined;
  readonly #stays: string[] = [];
  #staying = 0;
  #entries = 0;

  constructor(target: string, { last, owners = [] }: RemovalOptions) {
    this.#target = target;
    this.#last = last;
    const own = process.geteuid?.();
    this.#owners = own === undefined || owners === 'everybody' ? undefined : [own, ...owners];
  }

  lines(): readonly string[] {
    const more = this.#staying - this.#stays.length;
    return more > 0 ? [...this.#stays, `${this.#target}: and ${more} more entries`] : this.#stays;
  }

  async perform(outer: HeldFolder, name: string): Promise<void> {
    const levels: Level[] = [];
    try {
      this.#goInto(levels, outer, Buffer.from(name));
      for (let level = levels.at(-1); level; level = levels.at(-1)) {
        this.#entries += 1;
        if (this.#entries % 128 === 0) await nextTurn();
        if (this.#entries > limits.removedEntries)
          return this.#keep(this.#target, `more than ${limits.removedEntries} entries`);
        const next = this.#nextOf(level, levels.length === 1);
        if (next === undefined) this.#leave(levels, level, outer);
        else this.#goInto(levels, level.seen, next);
      }
    } finally {
      for (const { seen, isHeld } of levels) if (isHeld) seen.close();
    }
  }

  #nextOf(level: Level, isTop: boolean): Buffer | undefined {
    const next = level.names.pop();
    if (!isTop || this.#last === undefined || next?.toString() !== this.#last) return next;
    if (level.names.length > 0) {
      level.names.unshift(next);
      return level.names.pop();
    }
    return level.stays ? undefined : next;
  }

  /** Removes one entry; a folder becomes the next level. */
  #goInto(levels: Level[], outer: HeldFolder, name: Buffer): void {
    const above = levels.at(-1);
    const shown = pathInside(outer, name);
    try {
      const entry = outer.at(name);
      const stats = lstatSync(entry);
      const stranger = this.#owners?.includes(stats.uid) === false;
      if (stranger) throw new Stays(`it belongs to user ${stats.uid}, not to us`);
      if (stats.isDirectory()) {
        levels.push(openLevel(outer, name));
        if (above && levels.length > heldLevels + 1) release(above);
      } else unlinkSync(entry);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return;
      this.hasChanged ||= isPassing(error);
      if (above) above.stays = true;
      this.#keep(shown, reasonOf(error));
    }
  }

  /** The level is empty, or its entries stay. */
  #leave(levels: Level[], level: Level, outer: HeldFolder): void {
    levels.pop();
    const above = levels.at(-1);
    try {
      const holder = above ? holdAgain(above, level.seen) : outer;
      if (above) levels[levels.length - 1] = { ...above, seen: holder, isHeld: true };
      if (!level.stays) rmdirSync(holder.at(level.name));
      else if (above) (levels.at(-1) as Level).stays = true;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return;
      this.hasChanged ||= isPassing(error);
      this.#keep(level.seen.path, reasonOf(error));
      if (error instanceof Moved) for (const lost of levels.splice(0)) if (lost.isHeld) lost.seen.close();
      const now = levels.at(-1);
      if (now) now.stays = true;
    } finally {
      level.seen.close();
    }
  }

  #keep(shown: string, because: string): void {
    this.#staying += 1;
    if (this.#stays.length < limits.namedRemains) this.#stays.push(`${shown}: ${because}`);
  }
}

/** A folder that became a link, got a new entry or is briefly in use: the next pass may succeed. */
function isPassing(error: unknown): boolean {
  return error instanceof Moved || ['ENOTDIR', 'ENOTEMPTY', 'EBUSY'].includes(errorCode(error) ?? '');
}

/** Why an entry stays, where there is no system error to report. */
class Stays extends Error {}

/** The level above is not the one that we came from. */
class Moved extends Stays {}

function openLevel(outer: HeldFolder, name: Buffer): Level {
  const seen = holdInside(outer, name);
  try {
    if (seen.mount !== outer.mount || seen.stats.dev !== outer.stats.dev)
      throw new Stays('something is mounted there; unmount it (umount), then call `shakedown down` again');
    // The owner may have removed its own permission, so restore it; if that is refused, the next call reports why.
    if ((seen.stats.mode & 0o700n) !== 0o700n) attempt(() => chmodSync(seen.self(), 0o700));
    return {
      name,
      seen,
      names: readdirSync(seen.self(), { encoding: 'buffer' }),
      isHeld: true,
      stays: false,
    };
  } catch (error) {
    seen.close();
    throw error;
  }
}

function release(level: Level): void {
  level.seen.close();
  level.isHeld = false;
}

/** Through `..` of a child folder, which may have been moved elsewhere. */
function holdAgain(level: Level, inner: HeldFolder): HeldFolder {
  if (level.isHeld) return level.seen;
  const { seen } = level;
  let found: HeldFolder;
  try {
    found = holdInside(inner, '..');
  } catch (error) {
    throw new Moved(reasonOf(error));
  }
  const isSame = found.stats.ino === seen.stats.ino && found.stats.dev === seen.stats.dev;
  if (isSame && found.mount === seen.mount) return { ...found, path: seen.path };
  found.close();
  throw new Moved('it was moved during the removal');
}

function attempt(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}

/** `EPERM: operation not permitted`, without the internal path. */
function reasonOf(error: unknown): string {
  const code = errorCode(error);
  if (error instanceof Stays) return error.message;
  if (code === undefined) throw error;
  const [said = ''] = (error as Error).message.split(', ');
  const hint = hints[code];
  return hint === undefined ? said : `${said}; ${hint}`;
}

const hints: Readonly<Record<string, string>> = {
  EPERM: 'it may be immutable (lsattr shows it)',
  EBUSY: 'something is mounted there',
  ENOTDIR: 'a link, or another entry that is not a folder, is in the way',
  ELOOP: 'a link is in the way',
};
