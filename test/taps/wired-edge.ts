/** A real edge for the tests of taps: a provider that hands over its sockets, a tap before it, and what the tap recorded. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { ConnectionEnd, JournalEventBody } from '../../src/journal/event.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { openTap } from '../../src/taps/open-tap.ts';
import type { Tap, TapOptions } from '../../src/taps/tap.ts';
import { type Peer, watchPeer } from './peer.ts';

export interface WiredEdge {
  readonly tap: Tap;
  readonly providerPort: number;
  readonly events: JournalEventBody[];
  /** A new connection through the tap, both ends of it. */
  join(): Promise<{ readonly consumer: Peer; readonly provider: Peer }>;
  /** A new connection to the tap that is not waited for. */
  knock(): Peer;
  /** The next socket that the provider gets. */
  nextAtProvider(): Promise<Peer>;
  closedEvents(): ClosedEvent[];
  ends(): ConnectionEnd[];
  /** Stops the provider: its port refuses, what is open goes on. */
  stopProvider(): void;
  close(): Promise<void>;
}

export type ClosedEvent = Extract<JournalEventBody, { type: 'connection.closed' }>;

export async function wiredEdge(options: Partial<TapOptions> = {}): Promise<WiredEdge> {
  const events: JournalEventBody[] = [];
  const sockets = new Set<Socket>();
  const arrived: Peer[] = [];
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
    sockets.add(socket);
    arrived.push(watchPeer(socket));
    server.emit('arrived');
  });
  server.setMaxListeners(0);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const providerPort = (server.address() as AddressInfo).port;
  const target = (): { host: string; port: number } => ({ host: '127.0.0.1', port: providerPort });
  const emit = (event: JournalEventBody): void => void events.push(event);
  const tap = await openTap({ from: 'app', to: 'store', target, emit, clock: systemClock, ...options });
  const knock = (): Peer => {
    const socket = connect({ host: tap.host, port: tap.port, allowHalfOpen: true });
    sockets.add(socket);
    return watchPeer(socket);
  };
  const nextAtProvider = async (): Promise<Peer> => {
    while (arrived.length === 0) await once(server, 'arrived');
    return arrived.shift() as Peer;
  };
  const closedEvents = (): ClosedEvent[] => events.filter((event) => event.type === 'connection.closed');
  return {
    tap,
    providerPort,
    events,
    knock,
    nextAtProvider,
    join: async () => ({ consumer: knock(), provider: await nextAtProvider() }),
    closedEvents,
    ends: () => closedEvents().map(({ end }) => end),
    stopProvider: () => void server.close(),
    close: async () => {
      await tap.close();
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
