/** A folder of data that goes back to what the jobs left in it. */
import { constants } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { makeFolderBelow, moveBelow } from '../../kernel/folders/entries-below.ts';
import { removeWhole } from '../../kernel/folders/remove-tree.ts';
import { Problem } from '../../kernel/problem.ts';
import type { ProvisionedResource, ResourceContext } from '../resource.ts';

export interface KeptFolder {
  readonly path: string;
  /** The part of the resource that is about its snapshot. */
  readonly snapshots: Pick<ProvisionedResource, 'snapshot' | 'restore'>;
}

export function openKeptFolder(
  { folder, snapshots }: Pick<ResourceContext, 'folder' | 'snapshots'>,
  where: string,
): KeptFolder {
  const [data, kept, aside] = ['data', 'snapshot', 'aside'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  const below = path.dirname(path.dirname(folder));
  const drop = (part: string): Promise<void> => removeWhole(part, { below, owners: 'everybody' });
  makeFolderBelow(below, data, 0o700);
  return {
    path: data,
    snapshots: snapshots
      ? {
          snapshot: () => attempt(where, 'taken', () => copyWhole(data, kept)),
          restore: () =>
            attempt(where, 'restored', async () => {
              await drop(aside);
              // Whoever still has a file of it open writes to the old one.
              moveBelow(below, data, aside);
              await copyWhole(kept, data);
              await drop(aside);
            }),
        }
      : {},
  };
}

function copyWhole(from: string, to: string): Promise<void> {
  const how = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true };
  return cp(from, to, { ...how, mode: constants.COPYFILE_FICLONE });
}

async function attempt(where: string, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new Problem({
      code: 'boot.resource-failed',
      where: `${where}, snapshot`,
      what: `the snapshot of its files could not be ${what}: ${error instanceof Error ? error.message : String(error)}`,
      allowed: 'files, folders and links that can be copied, and room for a copy',
      next: 'look at what jobs left there; or use `isolation: restart` for these trials',
      cause: error,
    });
  }
}
