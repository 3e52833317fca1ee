/** What an environment has at the container engine: its networks, its images, its volumes, and the addresses between them. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Clock } from '../../kernel/clock.ts';
import { absentOn } from '../../kernel/system-error.ts';
import type { System } from '../../system/system.ts';
import type { Ledger } from '../containment/ledger.ts';
import type { TapPlace } from '../wiring/address-book.ts';
import type { Edge } from '../wiring/edges.ts';
import { engineLimits } from './engine/engine-limits.ts';
import { findEngineSocket } from './engine/engine-socket.ts';
import { labelsOf, nameAtEngine } from './engine/names.ts';
import { createNetwork } from './engine/network-calls.ts';
import { type Engine, openEngine } from './engine/open-engine.ts';
import { type Turns, turns } from './engine/turns.ts';
import { type Images, openImages } from './images.ts';
import { type Makings, openMakings } from './makings.ts';
import { type MadeNetwork, makeNetwork } from './networks.ts';
import { type ConsumerPlaces, planPlaces, tapPlace } from './plan-places.ts';
import { openVolumes, type Volumes } from './volumes/volumes.ts';

export interface ContainerHostNeeds {
  readonly system: System;
  readonly clock: Clock;
  readonly ledger: Ledger;
  /** The id of the environment. */
  readonly label: string;
  readonly workspace: string;
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
}

export interface ContainerNetworks {
  readonly networks: readonly string[];
  /** The one that it shares with others whose ports nobody knows. */
  readonly plain?: { readonly name: string; readonly aliases: readonly string[] };
  /** Lines for its `/etc/hosts`. */
  readonly hosts: readonly string[];
}

export interface ContainerHost {
  readonly engine: Engine;
  readonly images: Images;
  readonly volumes: Volumes;
  /** The addresses of containers answer on this machine, and gateways are addresses of it. */
  readonly isDirect: boolean;
  /** Where the tap of an edge from a container listens; undefined for every other edge. */
  placeOf(edge: Edge): TapPlace | undefined;
  networksOf(name: string): ContainerNetworks;
  readonly makings: Makings;
  /** Only so many at a time. */
  readonly inTurn: Turns;
  close(): Promise<void>;
}

export async function openContainerHost(needs: ContainerHostNeeds): Promise<ContainerHost> {
  const { system, ledger, clock, label, hostEnv } = needs;
  const places = planPlaces(system);
  const engine = await openEngine(findEngineSocket(hostEnv));
  const makings = openMakings(engine.socket, ledger, clock);
  const inTurn = turns(engineLimits.startsAtOnce);
  const network = async (...parts: readonly (string | number)[]): Promise<MadeNetwork> => {
    const name = nameAtEngine(label, ...parts);
    return makeNetwork({ engine, clock, makings, labels: labelsOf(label) }, name);
  };
  const close = async (): Promise<void> => {
    await makings.answered(Math.min(engineLimits.lateAnswerMs, system.teardown.withinMs / 2));
    await engine.close();
  };
  try {
    const plain = [...places.values()].some(({ isInPlain }) => isInPlain)
      ? await plainNetwork(engine, label, makings)
      : undefined;
    const networks = new Map<string, readonly MadeNetwork[]>();
    await Promise.all(
      [...places].map(async ([name, { networks: count }]) => {
        const own = Array.from({ length: sharesNetwork(system, name) ? 0 : count }, (_, at) => at);
        networks.set(name, await Promise.all(own.map((at) => inTurn(() => network(name, at)))));
      }),
    );
    const [some] = [...networks.values()].flat();
    const isDirect = some === undefined || (await isLocal(some.gateway));
    return {
      ...{ engine, isDirect, makings, inTurn, close },
      images: openImages(engine),
      volumes: openVolumes({ engine, label, makings, workspace: needs.workspace }),
      placeOf: (edge) => placeOf(edge, places, networks, { isDirect, isPodman: engine.isPodman }),
      networksOf: (name) => {
        const own = networksOf(places.get(name), networks.get(name) ?? [], plain, isDirect);
        return isDirect || engine.isPodman
          ? own
          : { ...own, hosts: [...own.hosts, `${machine}:host-gateway`] };
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function plainNetwork(engine: Engine, label: string, makings: Makings): Promise<string> {
  const name = nameAtEngine(label, 'plain');
  await makings.make('network', name, () => createNetwork(engine, { name, labels: labelsOf(label) }));
  return name;
}

/** It is at the addresses of this machine itself. */
export function sharesNetwork({ jobs, services }: System, name: string): boolean {
  const program = [...jobs, ...services].find((one) => one.name === name);
  return program?.container?.hostNamespaces?.includes('network') ?? false;
}

/** Not where the engine runs in a virtual machine, as on macOS. A bridge without containers is on no list of addresses. */
async function isLocal(gateway: string): Promise<boolean> {
  const server = createServer();
  try {
    server.listen({ host: gateway, port: 0 });
    await once(server, 'listening');
    return true;
  } catch (error) {
    absentOn('EADDRNOTAVAIL', 'EINVAL')(error);
    return false;
  } finally {
    server.close();
  }
}

/** The name of this machine inside of a container. */
const machine = 'host.docker.internal';

function placeOf(
  edge: Edge,
  places: ReadonlyMap<string, ConsumerPlaces>,
  networks: ReadonlyMap<string, readonly MadeNetwork[]>,
  { isDirect, isPodman }: { readonly isDirect: boolean; readonly isPodman: boolean },
): TapPlace | undefined {
  const own = places.get(edge.from);
  const { network, port } = own ? tapPlace(own, edge) : { network: 0, port: undefined };
  const gateway = networks.get(edge.from)?.[network]?.gateway;
  if (gateway === undefined) return undefined;
  const shown = isPodman ? 'host.containers.internal' : machine;
  const place = isDirect ? { host: gateway } : { host: '127.0.0.1', shown };
  return { ...place, ...(port === undefined ? {} : { port }) };
}

function networksOf(
  places: ConsumerPlaces | undefined,
  networks: readonly MadeNetwork[],
  plain: string | undefined,
  isDirect: boolean,
): ContainerNetworks {
  const shared =
    places?.isInPlain && plain !== undefined ? { name: plain, aliases: places.aliases } : undefined;
  return {
    networks: networks.map(({ name }) => name),
    ...(shared ? { plain: shared } : {}),
    hosts: (places?.hosts ?? []).map(({ name, network }) => {
      const gateway = networks[network]?.gateway ?? '127.0.0.1'; // it shares the network of this machine
      return `${name}:${isDirect ? gateway : 'host-gateway'}`;
    }),
  };
}
