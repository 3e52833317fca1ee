/** The volumes of an environment: named ones, and copies of the project's folders that containers may write to. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeFolderBelow } from '../../../kernel/folders/entries-below.ts';
import { realPath } from '../../../kernel/folders/real-path.ts';
import { Problem } from '../../../kernel/problem.ts';
import { formatSize } from '../../../kernel/size.ts';
import type { MountSpec } from '../../../system/container-spec.ts';
import { folderEntries } from '../archive/folder-entries.ts';
import { writeTar } from '../archive/tar.ts';
import { getArchive, putArchive } from '../engine/container-calls.ts';
import { engineLimits } from '../engine/engine-limits.ts';
import { labelsOf, nameAtEngine } from '../engine/names.ts';
import type { Engine } from '../engine/open-engine.ts';
import { createVolume, removeVolume } from '../engine/volume-calls.ts';
import type { Makings } from '../makings.ts';

interface VolumeNeeds {
  readonly engine: Engine;
  readonly label: string;
  readonly workspace: string;
  readonly makings: Makings;
}

/** A mount that is a volume of the environment, and the folder whose content it begins with. */
export interface VolumeMount {
  readonly name: string;
  readonly target: string;
  readonly readOnly: boolean;
  readonly source?: string;
  readonly noCopy: boolean;
  readonly driver?: string | undefined;
  readonly driverOptions?: Readonly<Record<string, string>> | undefined;
}

export interface Volumes {
  /** Makes those that are not there yet. */
  make(mounts: readonly VolumeMount[], signal: AbortSignal): Promise<void>;
  /** Before a container that mounts them is started for the first time. */
  fill(container: string, mounts: readonly VolumeMount[], signal: AbortSignal): Promise<void>;
  /** Keeps what a container that has ended left there, as their first content from now on. */
  keep(container: string, mounts: readonly VolumeMount[]): Promise<void>;
  /** When no container has them any more: the next that wants one gets it anew. */
  drop(mounts: readonly VolumeMount[]): Promise<void>;
}

/** The mounts of a container that are volumes; the copy of a single file is none. */
export function volumeMounts(label: string, mounts: readonly MountSpec[]): readonly VolumeMount[] {
  return mounts.flatMap((mount): VolumeMount[] => {
    if (mount.kind === 'volume' && mount.name !== undefined) {
      const { target, readOnly, noCopy = false, driver, driverOptions } = mount;
      const name = nameAtEngine(label, 'v', mount.name);
      return [{ name, target, readOnly, noCopy, driver, driverOptions }];
    }
    if (mount.kind !== 'bind' || !isCopied(mount) || isFile(mount.source)) return [];
    const { source, target } = mount;
    const digest = createHash('sha256').update(source).digest('hex').slice(0, 12);
    return [{ name: nameAtEngine(label, 'copy', digest), source, target, readOnly: false, noCopy: true }];
  });
}

type BindSpec = Extract<MountSpec, { kind: 'bind' }>;

/** Writable, but not into the project. */
export function isCopied({ readOnly, direct = false }: BindSpec): boolean {
  return !readOnly && !direct;
}

export function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}

export function openVolumes({ engine, label, workspace, makings }: VolumeNeeds): Volumes {
  const made = new Map<string, Promise<void>>();
  const filled = new Map<string, Promise<void>>();
  const kept = (name: string): string => path.join(workspace, '.volumes', `${name}.tar`); // no service has such a name
  const makeOne = ({ name, driver, driverOptions }: VolumeMount, signal: AbortSignal): Promise<void> => {
    const wish = { name, labels: labelsOf(label), driver, driverOptions };
    return makings.make('volume', name, () => createVolume(engine, wish), signal);
  };
  const fillOne = async (container: string, mount: VolumeMount, signal: AbortSignal): Promise<void> => {
    const { name, target, source } = mount;
    const archive = existsSync(kept(name))
      ? createReadStream(kept(name))
      : source === undefined || !existsSync(source)
        ? undefined
        : writeTar(
            folderEntries({
              folder: realPath(source),
              as: path.posix.basename(target),
              where: `mount ${target}`,
            }),
          );
    if (archive) await putArchive(engine, container, path.posix.dirname(target), archive, signal);
  };
  return {
    make: async (mounts, signal) =>
      void (await Promise.all(mounts.map((mount) => once(made, mount, () => makeOne(mount, signal))))),
    fill: async (container, mounts, signal) => {
      for (const mount of mounts) await once(filled, mount, () => fillOne(container, mount, signal));
    },
    keep: async (container, mounts) => {
      makeFolderBelow(path.dirname(workspace), path.join(workspace, '.volumes'), 0o700);
      for (const { name, target } of mounts)
        await pipeline(
          await getArchive(engine, container, target),
          sizeLimit(target),
          createWriteStream(kept(name)),
        );
    },
    drop: async (mounts) => {
      for (const { name } of mounts) {
        made.delete(name);
        filled.delete(name);
        await removeVolume(engine, name);
      }
    },
  };
}

/** Whoever comes second waits for the first; what has failed is tried again. */
async function once(
  done: Map<string, Promise<void>>,
  { name }: VolumeMount,
  work: () => Promise<void>,
): Promise<void> {
  const running = done.get(name) ?? work();
  done.set(name, running);
  try {
    await running;
  } catch (error) {
    done.delete(name);
    throw error;
  }
}

function sizeLimit(target: string) {
  return async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for await (const piece of source) {
      bytes += piece.length;
      if (bytes > engineLimits.contextBytes) throw tooLarge(target);
      yield piece;
    }
  };
}

function tooLarge(target: string): Problem {
  return new Problem({
    code: 'config.no-snapshot',
    where: `volume at ${target}`,
    what: `jobs left more than ${formatSize(engineLimits.contextBytes)} in it, which is too much to restore for each trial`,
    allowed: `volumes of at most ${formatSize(engineLimits.contextBytes)}`,
    next: 'use `isolation: restart` for these trials',
  });
}
