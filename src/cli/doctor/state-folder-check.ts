/** `.shakedown`, where every run writes: one that somebody else made, with `sudo` perhaps, stops the next run. */
import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import { cacheFolder, checkStateFolder, stateFolder } from '../../environment/run-folder.ts';
import { errorCode } from '../../kernel/system-error.ts';
import type { Check } from './check.ts';

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
          next: `take it over: sudo chown -R "$(id -un)" ${state}; or remove it: nothing in it is needed`,
        };
    }
    checkStateFolder(folder);
    return { state: 'ok', detail: `${state} can be written` };
  },
};

/** What is not there yet is made by the run, as far as its folder permits. */
async function obstacleAt(place: string): Promise<string | undefined> {
  try {
    if (!(await stat(place)).isDirectory()) return `${place} is not a folder`;
    await access(place, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    return error instanceof Error ? error.message : String(error);
  }
}
