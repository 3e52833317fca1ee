/** The list of butlers: the manifests say what they are for, `BUTLERS` has their addresses. */
import { log } from '../daemon/log.ts';
import type { Manifest, Transport } from '../manifest.ts';

export interface DirectoryEntry {
  readonly name: string;
  readonly description: string;
  readonly transport: Transport;
  readonly url: string;
}

export function readDirectory(
  addresses: ReadonlyMap<string, string>,
  roster: readonly Manifest[],
): DirectoryEntry[] {
  return [...addresses].flatMap(([name, url]) => {
    const manifest = roster.find((butler) => butler.name === name);
    if (manifest === undefined) {
      log.warn(`butler ${name} is left out: it has no folder in the roster`);
      return [];
    }
    const { description, transport } = manifest;
    return [{ name, description, transport, url }];
  });
}
