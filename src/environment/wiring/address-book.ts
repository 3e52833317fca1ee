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

export interface AddressBookOptions {
  readonly system: System;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly at: (() => number) | undefined;
  /** For random choices of disturbances. */
  readonly random: Random;
  /** The real address of a provider; undefined while it does not listen. */
  readonly target: (edge: Edge) => Address | undefined;
}

export async function openAddressBook(options: AddressBookOptions): Promise<AddressBook> {
  const { system, clock, emit, at, random, target } = options;
  const openFiles = mostOpenFiles();
  const opened = await Promise.allSettled(
    findEdges(system).map(async (edge) => {
      const to = edgeEnd(system, edge.to, edge.listener);
      const scheme = schemeOf(system, edge);
      const tap = await openTap({
        from: edge.from,
        to,
        clock,
        emit,
        ...(at === undefined ? {} : { at }),
        ...defined({ watch: readAs(scheme) }),
        ...(listenerOf(system, edge)?.hostHeader === 'own' ? { hostHeader: 'own' } : {}),
        random: random.fork(edgeKey(edge)),
        target: () => target(edge),
        limits: { openFiles },
      });
      return { edge, tap, url: `${scheme}://${tap.host}:${tap.port}` };
    }),
  );
  const taps = opened.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const close = async (): Promise<void> => void (await Promise.all(taps.map(({ tap }) => tap.close())));
  const refused = opened.find((outcome) => outcome.status === 'rejected');
  if (refused) {
    await close();
    throw refused.reason;
  }
  for (const { tap, url } of taps) emit({ type: 'edge.listening', from: tap.from, to: tap.to, url });
  const byKey = new Map(taps.map((entry) => [edgeKey(entry.edge), entry.tap]));
  return {
    taps,
    addressFor: (edge) => {
      const tap = byKey.get(edgeKey(edge));
      if (!tap) throw new Error(`no tap was opened for ${edge.from} -> ${edge.to} (${edge.listener})`);
      return { host: tap.host, port: tap.port };
    },
    close,
  };
}
