/** A folder of data that goes back to what the jobs left in it. */
import path from 'node:path';
import { makeFolderBelow, moveBelow } from '../../kernel/folders/entries-below.ts';
import { removeWhole } from '../../kernel/folders/remove-tree.ts';
import { Problem } from '../../kernel/problem.ts';
import type { ProvisionedResource, ResourceContext } from '../resource.ts';
import { runTool } from '../run-step.ts';

export interface KeptFolder {
  readonly path: string;
  /** The environment's workspace is in there. */
  readonly below: string;
  /** The part of the resource that is about its snapshot. */
  readonly snapshots: Pick<ProvisionedResource, 'snapshot' | 'restore'>;
}

export function openKeptFolder(context: ResourceContext, where: string): KeptFolder {
  const at = (name: string): string => path.join(context.folder, name);
  const [data, kept, aside] = [at('data'), at('snapshot'), at('aside')];
  const below = path.dirname(path.dirname(context.folder));
  const drop = (part: string): Promise<void> => removeWhole(part, { below, owners: 'everybody' });
  makeFolderBelow(below, data, 0o700);
  const snapshot = (): Promise<void> => copyWhole(context, data, kept, where);
  const restore = async (): Promise<void> => {
    await drop(aside);
    // Whoever still has a file of it open writes to the old one.
    moveBelow(below, data, aside);
    await copyWhole(context, kept, data, where);
    await drop(aside);
  };
  return { path: data, below, snapshots: context.snapshots ? { snapshot, restore } : {} };
}

/** `cp` keeps owners, modes and links, and clones blocks where the file system shares them. */
async function copyWhole(context: ResourceContext, from: string, to: string, where: string): Promise<void> {
  const options = process.platform === 'linux' ? ['-a', '-T', '--reflink=auto'] : ['-Rp'];
  const { code, said } = await runTool(context, ['cp', ...options, from, to]);
  if (code === 0) return;
  throw new Problem({
    code: said.some((line) => line.includes('No space left')) ? 'world.disk-full' : 'boot.resource-failed',
    where: `${where}, snapshot`,
    what: 'its files could not be copied',
    allowed: 'files that may be read, and room for a copy of them',
    next: 'look at what jobs left there; or use `isolation: restart` for these trials',
    evidence: said,
  });
}
