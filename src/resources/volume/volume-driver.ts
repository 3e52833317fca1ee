/** A folder that services share, as a resource. */
import { changeMode } from '../../kernel/folders/entries-below.ts';
import type { VolumeSpec } from '../../system/system.ts';
import { openKeptFolder } from '../folder/kept-folder.ts';
import { nowhere, type ResourceDriver } from '../resource.ts';

export const volumeDriver: ResourceDriver<VolumeSpec> = {
  kind: 'volume',
  provision: async ({ name, isMounted }, context) => {
    const { path, below, snapshots } = openKeptFolder(context, `volume ${name}`);
    if (isMounted) {
      // The users of containers are not ours; nobody else comes as far as the folder.
      changeMode(below, context.folder, 0o700);
      changeMode(below, path, 0o777);
    }
    return {
      endpoint: nowhere,
      summary: 'a folder that services share',
      // Nothing of it runs.
      died: new Promise<string>(() => {}),
      references: () => ({ path }),
      sharedFolder: path,
      ...snapshots,
      stop: async () => {},
    };
  },
  sweep: async () => {},
};
