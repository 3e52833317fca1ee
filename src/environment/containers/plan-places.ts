/** Plans where the taps of each container listen: on which of its networks, and on which port. Pure. */

import { Problem } from '../../kernel/problem.ts';
import type { ContainerSpec, PeerNameSpec } from '../../system/container-spec.ts';
import type { System } from '../../system/system.ts';
import { type Edge, edgeKey } from '../wiring/edges.ts';

export interface ConsumerPlaces {
  /** Each has a gateway of its own, where taps listen. */
  readonly networks: number;
  /** By edge; without a port, the kernel chooses one. */
  readonly taps: ReadonlyMap<string, { readonly network: number; readonly port?: number }>;
  /** Names that lead to the gateway of a network. */
  readonly hosts: ReadonlyArray<{ readonly name: string; readonly network: number }>;
  /** It shares a network with others, because nobody knows their ports. */
  readonly isInPlain: boolean;
  /** The names under which others look for it there. */
  readonly aliases: readonly string[];
}

/** For each container, whether it calls others or not. */
export function planPlaces({ jobs, services, resources }: System): ReadonlyMap<string, ConsumerPlaces> {
  const programs = [...jobs, ...services].flatMap(({ name, container }) =>
    container ? [{ name, container }] : [],
  );
  const portless = programs.flatMap(({ name, container }) =>
    container.peers.filter(({ ports }) => ports.length === 0).map((peer) => ({ ...peer, from: name })),
  );
  const boxes = resources.flatMap((spec) => (spec.kind === 'postgres' && spec.image ? [spec.name] : []));
  const places = (name: string, container: ContainerSpec | undefined): ConsumerPlaces => ({
    ...placePeers(name, container?.peers ?? []),
    isInPlain: portless.some(({ from, to }) => from === name || to === name),
    aliases: portless.flatMap((peer) => (peer.to === name ? [peer.name] : [])),
  });
  return new Map([
    ...programs.map(({ name, container }) => [name, places(name, container)] as const),
    ...boxes.map((name) => [name, places(name, undefined)] as const),
  ]);
}

type Placed = Pick<ConsumerPlaces, 'networks' | 'taps' | 'hosts'>;

/** Each name leads to one gateway, which has each port once. */
function placePeers(from: string, peers: readonly PeerNameSpec[]): Placed {
  const taps = new Map<string, { network: number; port: number }>();
  const hosts: { name: string; network: number }[] = [];
  let networks = 1;
  for (const { name, to, ports } of peers) {
    if (ports.length === 0) continue;
    const wanted = ports.map(({ port, listener }) => ({ port, key: edgeKey({ from, to, listener }) }));
    const twice = wanted.find(({ key, port }) => (taps.get(key)?.port ?? port) !== port);
    if (twice) throw twoPorts(from, `${name}:${twice.port}`, to, taps.get(twice.key)?.port ?? 0);
    const isFree = (network: number): boolean =>
      wanted.every(({ port, key }) =>
        taps.has(key)
          ? taps.get(key)?.network === network
          : [...taps.values()].every((other) => other.network !== network || other.port !== port),
      );
    let network = 0;
    while (network < networks && !isFree(network)) network += 1;
    networks = Math.max(networks, network + 1);
    for (const { port, key } of wanted) taps.set(key, { network, port });
    hosts.push({ name, network });
  }
  return { networks, taps, hosts };
}

/** Where the tap of an edge listens; of an edge that nothing has built in, on the first gateway. */
export function tapPlace(
  places: ConsumerPlaces,
  edge: Edge,
): { readonly network: number; readonly port?: number } {
  return places.taps.get(edgeKey(edge)) ?? { network: 0 };
}

function twoPorts(from: string, address: string, to: string, port: number): Problem {
  return new Problem({
    code: 'config.bad-value',
    where: `container ${from}, peers`,
    what: `${address} and port ${port} both mean the same listener of ${to}`,
    allowed: 'one port for each listener of a peer',
    next: `give ${to} a second listener, or use the same port everywhere`,
  });
}
