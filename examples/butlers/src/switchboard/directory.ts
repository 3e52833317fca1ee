/** Which butlers there are: the manifests say what they are for, `BUTLERS` (name=url,name=url) says where they are. */
import { log } from '../daemon/log.ts';
import type { Manifest, Transport } from '../manifest.ts';

export interface DirectoryEntry {
  readonly name: string;
  readonly description: string;
  readonly transport: Transport;
  readonly url: string;
}

export function readDirectory(butlers: string, roster: readonly Manifest[]): DirectoryEntry[] {
  const addresses = butlers.split(',').filter((entry) => entry.trim() !== '');
  return addresses.flatMap((entry) => {
    const [name, url] = splitOnce(entry.trim());
    if (!URL.canParse(url)) throw new Error(`BUTLERS has "${entry}": write name=http://host:port`);
    const manifest = roster.find((butler) => butler.name === name);
    if (manifest === undefined) {
      log.warn(`butler ${name} is left out: it has no folder in the roster`);
      return [];
    }
    const { description, transport } = manifest;
    return [{ name, description, transport, url: url.replace(/\/+$/, '') }];
  });
}

function splitOnce(entry: string): [string, string] {
  const at = entry.indexOf('=');
  return [entry.slice(0, Math.max(at, 0)), entry.slice(at + 1)];
}
