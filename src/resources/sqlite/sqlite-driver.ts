/** SQLite as a resource: a place for a file, which its consumers make and open themselves. */
import path from 'node:path';
import type { SqliteSpec } from '../../system/system.ts';
import { openKeptFolder } from '../folder/kept-folder.ts';
import { nowhere, type ResourceDriver } from '../resource.ts';
import { sqliteUrl } from './sqlite-url.ts';

export const sqliteDriver: ResourceDriver<SqliteSpec> = {
  kind: 'sqlite',
  provision: async ({ name }, context) => {
    const folder = openKeptFolder(context, `resource ${name}`);
    const file = path.join(folder.path, `${name}.sqlite`);
    return {
      endpoint: nowhere,
      summary: 'a file, made by whoever opens it first',
      // Nothing of it runs.
      died: new Promise<string>(() => {}),
      references: () => ({ path: file, url: sqliteUrl(file) }),
      places: () => [{ service: null, url: sqliteUrl(file), schema: 'main' }],
      ...folder.snapshots,
      stop: async () => {},
    };
  },
  sweep: async () => {},
};
