/** The registry of gateways through which messages may come, kept in `gateways.json` over restarts. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from './refusal.ts';

export interface Gateway {
  readonly name: string;
  readonly linkedAt: string;
  /** Of a gateway that leads to the outside messenger. */
  readonly webhook?: Webhook;
}

export interface Webhook {
  /** The messenger's id of it. */
  readonly id: string;
  /** The messenger signs its deliveries with it. */
  readonly secret: string;
}

export interface Gateways {
  link(name: string): Gateway;
  /** Linked when `confirm` resolves with the webhook; until then the name is taken, and no message may come through it. */
  linkOnce(name: string, confirm: () => Promise<Webhook>): Promise<Gateway>;
  /** Returns what was linked until now. */
  unlink(name: string): Gateway;
  list(): readonly Gateway[];
  has(name: string): boolean;
  /** Waits for a link that is being confirmed. */
  find(name: string): Promise<Gateway | undefined>;
}

/** The file of the registry; when it does not exist, the registry is empty. */
export interface Shelf {
  read(): readonly Gateway[];
  write(gateways: readonly Gateway[]): void;
}

const mostGateways = 32;

export function createGateways(shelf: Shelf): Gateways {
  const gateways = new Map(shelf.read().map((gateway) => [gateway.name, gateway]));
  const unconfirmed = new Map<string, Promise<unknown>>();

  const refuseTaken = (name: string) => {
    if (!/^[a-z0-9][\w.-]{0,63}$/.test(name))
      throw new Refusal('bad-name', `${name} is no name of a gateway`);
    if (gateways.has(name) || unconfirmed.has(name))
      throw new Refusal('already-linked', `${name} is linked already`);
    if (gateways.size + unconfirmed.size >= mostGateways)
      throw new Refusal('too-many', `${mostGateways} gateways are linked`);
  };
  const keep = (gateway: Gateway): Gateway => {
    gateways.set(gateway.name, gateway);
    shelf.write([...gateways.values()]);
    return gateway;
  };

  return {
    link(name) {
      refuseTaken(name);
      return keep({ name, linkedAt: new Date().toISOString() });
    },
    async linkOnce(name, confirm) {
      refuseTaken(name);
      const linked = confirm().then((webhook) => keep({ name, linkedAt: new Date().toISOString(), webhook }));
      unconfirmed.set(name, linked);
      try {
        return await linked;
      } finally {
        unconfirmed.delete(name);
      }
    },
    unlink(name) {
      const gateway = gateways.get(name);
      if (!gateway) throw new Refusal('gateway-not-linked', `there is no gateway ${name}`);
      gateways.delete(name);
      shelf.write([...gateways.values()]);
      return gateway;
    },
    list: () => [...gateways.values()],
    has: (name) => gateways.has(name),
    async find(name) {
      await unconfirmed.get(name)?.catch(() => undefined); // the caller that links it gets the reason
      return gateways.get(name);
    },
  };
}

/** Written beside and renamed, so that a crash leaves the old registry or the new one. */
export function fileShelf(folder: string): Shelf {
  const file = join(folder, 'gateways.json');
  return {
    read: () => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Gateway[]) : []),
    write(gateways) {
      writeFileSync(`${file}.new`, `${JSON.stringify(gateways, null, 2)}\n`, { mode: 0o600 });
      renameSync(`${file}.new`, file);
    },
  };
}
