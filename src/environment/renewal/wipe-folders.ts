/** Empties the folders of services: what was in them is moved aside at once, and removed when there is time. */
import { mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { errorCode } from '../../kernel/system-error.ts';
import { removeTree } from '../remove-tree.ts';
import { makeOwnFolders } from '../wiring/hermetic-env.ts';

/** Home, temporary and own folder, and what shims recorded. Gives what removes the old contents. */
export async function wipeFolders(workspace: string, names: readonly string[]): Promise<() => Promise<void>> {
  const aside = path.join(workspace, '.wiped'); // no service has such a name
  await removeTree(aside);
  mkdirSync(aside);
  for (const name of names) {
    await moveAway(path.join(workspace, name), path.join(aside, name));
    makeOwnFolders(workspace, name);
  }
  return () => removeTree(aside);
}

/** A folder may be gone, or its mode may forbid to move it: then it is removed where it stands. */
async function moveAway(folder: string, to: string): Promise<void> {
  try {
    renameSync(folder, to);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    await removeTree(folder);
  }
}
