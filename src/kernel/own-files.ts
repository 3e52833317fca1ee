/** Where the modules of this package are: in the source tree, or in the build as bundles with shared chunks. */
import { existsSync } from 'node:fs';
import path from 'node:path';

const extension = path.extname(import.meta.filename);

export const packageFolder = folderWithManifest(import.meta.dirname);

/** `src/` in the source tree, `dist/` when built. */
export const ownFolder = path.join(packageFolder, extension === '.ts' ? 'src' : 'dist');

/** The file of a module that is an entry of the build, such as `environment/keeper/keeper-main`. */
export function ownEntry(name: string): string {
  return path.join(ownFolder, `${name}${extension}`);
}

/** For Node: a signal that any process of the same user can send would open a debugger to every user of the machine. */
export const noDebugger = '--disable-sigusr1';

function folderWithManifest(folder: string): string {
  if (existsSync(path.join(folder, 'package.json'))) return folder;
  const above = path.dirname(folder);
  if (above === folder) throw new Error(`no package.json above ${import.meta.dirname}`);
  return folderWithManifest(above);
}
