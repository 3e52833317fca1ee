/** Empties the folders of services: the contents are moved aside at once, and removed later. */
import path from 'node:path';
import { makeFolderBelow, moveBelow } from '../../kernel/folders/entries-below.ts';
import { removeWhole } from '../../kernel/folders/remove-tree.ts';
import { errorCode } from '../../kernel/system-error.ts';
import { makeOwnFolders } from '../wiring/hermetic-env.ts';

/** Home, temporary and own folder, and the recordings of shims. Returns a function that removes the old contents. */
export async function wipeFolders(workspace: string, names: readonly string[]): Promise<() => Promise<void>> {
  const below = path.dirname(workspace);
  const options = { below, owners: 'everybody' } as const;
  const aside = path.join(workspace, '.wiped'); // no service has such a name
  await removeWhole(aside, options);
  makeFolderBelow(below, aside, 0o700);
  for (const name of names) {
    const folder = path.join(workspace, name);
    try {
      moveBelow(below, folder, path.join(aside, name));
    } catch (error) {
      // It may be gone, or its mode may prevent the move: then it is removed in place.
      if (errorCode(error) === undefined) throw error;
      await removeWhole(folder, options);
    }
    makeOwnFolders(workspace, name);
  }
  return () => removeWhole(aside, options);
}
