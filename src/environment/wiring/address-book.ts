/** The taps of an environment: one listener per edge, opened before anything boots and kept until the end. */

import type { Emit } from '../../journal/event.ts';
import type { Clock } from '../../kernel/clock.ts';
import { defined } from '../../kernel/defined.ts';
import { mostOpenFiles } from '../../kernel/open-files.ts';
import type { Random } from '../../kernel/random.ts';
import type { System } from '../../system/system.ts';
import { openTap } from '../../taps/open-tap.ts';
import type { Tap } from '../../taps/tap.ts';
import { type Edge, edgeEnd, edgeKey, findEdges, listenerOf, readAs, schemeOf } from './edges.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
  /** What it is called in `Host`, where that is another name. */
  readonly authority?: string;
}

export interface AddressBook {
  readonly taps: ReadonlyArray<{ readonly edge: Edge; readonly tap: Tap; readonly url: string }>;
  /** Where this consumer reaches that provider. */
  addressFor(edge: Edge): Address;
  close(): Promise<void>;
}

/** Before the taps are open. */
export const emptyAddressBook: AddressBook = {
  taps: [],
  addressFor: ({ from, to }) => {
    throw new Error(`no tap is open yet, but ${from} -> ${to} was requested`);
  },
  close: async () => undefined,
};

export interface TapPlace {
  readonly host: string;
  /** Where the consumer has the port built in. */
  readonly port?: number;
  /** The name of `host` for the consumer, where that is another. */
  readonly shown?: string;
}

interface OpenedTap {
  readonly edge: Edge;
  readonly tap: Tap;
  readonly host: string;
  readonly url: string;
}

export interface AddressBookOptions {
  readonly system: System;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly at: ((moment?: number) => number) | undefined;
  /** For random choices of disturbances. */
  readonly random: Random;
  /** Where the tap of a container's edge listens, and as what the container knows that place. */
  readonly placeOf?: (edge: Edge) => TapPlace | undefined;
  /** The real address of a provider; undefined while it does not listen. */
  readonly target: (edge: Edge) => Address | undefined;
}

export async function openAddressBook(options: AddressBookOptions): Promise<AddressBook> {
  const { system, clock, emit, at, random, target, placeOf = () => undefined } = options;
  const openFiles = mostOpenFiles();
  const open = async ({ edge, place }: { edge: Edge; place: TapPlace | undefined }): Promise<OpenedTap> => {
    const to = edgeEnd(system, edge.to, edge.listener);
    const scheme = schemeOf(system, edge);
    const tap = await openTap({
      from: edge.from,
      to,
      clock,
      emit,
      ...defined({ host: place?.host, port: place?.port, watch: readAs(scheme) }),
      ...(at === undefined ? {} : { at }),
      ...(listenerOf(system, edge)?.hostHeader === 'own' ? { hostHeader: 'own' } : {}),
      random: random.fork(edgeKey(edge)),
      target: () => target(edge),
      limits: { openFiles },
    });
    const host = place?.shown ?? tap.host;
    return { edge, tap, host, url: `${scheme}://${host}:${tap.port}` };
  };
  const edges = findEdges(system).map((edge) => ({ edge, place: placeOf(edge) }));
  // Those with a port first: the kernel could choose the same port for another.
  const fixedFirst = Map.groupBy(edges, ({ place }) => place?.port !== undefined);
  const opened: PromiseSettledResult<OpenedTap>[] = [];
  for (const wave of [fixedFirst.get(true) ?? [], fixedFirst.get(false) ?? []])
    opened.push(...(await Promise.allSettled(wave.map(open))));

  const taps = opened.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const close = async (): Promise<void> => void (await Promise.all(taps.map(({ tap }) => tap.close())));
  const refused = opened.find((outcome) => outcome.status === 'rejected');
  if (refused) {
    await close();
    throw refused.reason;
  }
  for (const { tap, url } of taps) emit({ type: 'edge.listening', from: tap.from, to: tap.to, url });
  const byKey = new Map(taps.map((entry) => [edgeKey(entry.edge), entry]));
  return {
    taps,
    addressFor: (edge) => {
      const opened = byKey.get(edgeKey(edge));
      if (!opened) throw new Error(`no tap was opened for ${edge.from} -> ${edge.to} (${edge.listener})`);
      return { host: opened.host, port: opened.tap.port };
    },
    close,
  };
}
