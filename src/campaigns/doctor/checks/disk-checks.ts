/** Where a run writes: free space, and folders that may be written. */
import { access, constants, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { cacheFolder, checkStateFolder, stateFolder } from '../../../environment/run-folder.ts';
import { formatSize } from '../../../kernel/size.ts';
import { errorCode } from '../../../kernel/system-error.ts';
import type { Check } from './check.ts';

/** Enough for a database and the logs of a small system. */
const enoughBytes = 256 * 1024 ** 2;
const readOnly = 'its file system is read-only: mount it for writing, or work in a copy elsewhere';

/** Free space and write permission where a run writes. */
export function diskCheck({ name, folder, next }: Record<'name' | 'folder' | 'next', string>): Check {
  return {
    name,
    otherwise: 'missing',
    byHand: `df -h ${folder}`,
    look: async () => {
      const obstacle = await access(folder, constants.W_OK).then(
        () => undefined,
        (error: Error) => error,
      );
      if (obstacle)
        return {
          state: 'missing',
          detail: `nothing can be written: ${obstacle.message}`,
          next: errorCode(obstacle) === 'EROFS' ? readOnly : next,
        };
      const { bavail, bsize } = await statfs(folder);
      const isOpen = ((await stat(folder)).mode & 0o1002) === 0o002;
      const doubt = isOpen ? `; any user may replace your files in it: chmod +t ${folder}` : '';
      const free = `${formatSize(bavail * bsize)} free in ${folder}${doubt}`;
      if (bavail * bsize >= enoughBytes) return { state: 'ok', detail: free };
      return { state: 'missing', detail: `${free}; ${formatSize(enoughBytes)} are needed`, next };
    },
  };
}

/** `.shakedown`, where every run writes: one that another user made, perhaps with `sudo`, blocks the next run. */
export const stateFolderCheck: Check = {
  name: 'run folders',
  otherwise: 'missing',
  look: async ({ folder }) => {
    const state = stateFolder(folder);
    for (const place of [state, path.join(state, 'runs'), cacheFolder(folder)]) {
      const obstacle = await obstacleAt(place);
      if (obstacle)
        return {
          state: 'missing',
          detail: `no run can be stored: ${obstacle}`,
          next: obstacle.startsWith('EROFS')
            ? readOnly
            : `take it over: sudo chown -R "$(id -un)" ${state}; or remove it: nothing in it is needed`,
        };
    }
    checkStateFolder(folder);
    return { state: 'ok', detail: `${state} can be written` };
  },
};

/** Missing folders are created by the run, if the folder that they would be in permits. */
async function obstacleAt(place: string): Promise<string | undefined> {
  try {
    if (!(await stat(place)).isDirectory()) return `${place} is not a folder`;
    await access(place, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return obstacleAt(path.dirname(place));
    return error instanceof Error ? error.message : String(error);
  }
}
