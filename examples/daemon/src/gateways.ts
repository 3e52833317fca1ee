/** The registry of gateways through which messages may come, kept in `gateways.json` over restarts. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from './refusal.ts';

export interface Gateway {
  readonly name: string;
  readonly linkedAt: string;
}

export interface Gateways {
  link(name: string): Gateway;
  unlink(name: string): void;
  list(): readonly Gateway[];
  has(name: string): boolean;
}

/** Where the registry is kept; what is not there any more is nothing to read. */
export interface Shelf {
  read(): readonly Gateway[];
  write(gateways: readonly Gateway[]): void;
}

const mostGateways = 32;

export function createGateways(shelf: Shelf): Gateways {
  const gateways = new Map(shelf.read().map((gateway) => [gateway.name, gateway]));
  return {
    link(name) {
      if (!/^[a-z0-9][\w.-]{0,63}$/.test(name))
        throw new Refusal('bad-name', `${name} is no name of a gateway`);
      if (gateways.has(name)) throw new Refusal('already-linked', `${name} is linked already`);
      if (gateways.size >= mostGateways) throw new Refusal('too-many', `${mostGateways} gateways are linked`);
      const gateway = { name, linkedAt: new Date().toISOString() };
      gateways.set(name, gateway);
      shelf.write([...gateways.values()]);
      return gateway;
    },
    unlink(name) {
      if (!gateways.delete(name)) throw new Refusal('gateway-not-linked', `there is no gateway ${name}`);
      shelf.write([...gateways.values()]);
    },
    list: () => [...gateways.values()],
    has: (name) => gateways.has(name),
  };
}

/** Written beside and renamed, so that a crash leaves the old registry or the new one. */
export function fileShelf(folder: string): Shelf {
  const file = join(folder, 'gateways.json');
  return {
    read: () => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Gateway[]) : []),
    write(gateways) {
      writeFileSync(`${file}.new`, `${JSON.stringify(gateways, null, 2)}\n`);
      renameSync(`${file}.new`, file);
    },
  };
}
