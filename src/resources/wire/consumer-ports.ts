/** A port for each consumer of a scripted peer, all with the same handler: the port identifies the caller. */
import type { Clock } from '../../kernel/clock.ts';
import type { Consumer } from '../resource.ts';
import { openWireServer, type WireReply, type WireRequest, type WireServer } from './wire-server.ts';

export interface ConsumerPortsOptions {
  readonly clock: Clock;
  readonly consumers: readonly Consumer[];
  readonly onRequest: (caller: string, request: WireRequest, reply: WireReply) => void | Promise<void>;
}

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

export interface ConsumerPorts {
  /** For callers that are not consumers. */
  readonly outside: Endpoint;
  endpointFor(consumer: string): Endpoint | undefined;
  close(): Promise<void>;
}

const host = '127.0.0.1';
export const outsider = 'outside';

export async function openConsumerPorts(options: ConsumerPortsOptions): Promise<ConsumerPorts> {
  const { clock, consumers, onRequest } = options;
  const servers = new Map<string, WireServer>();
  const close = async (): Promise<void> => {
    await Promise.all([...servers.values()].map((server) => server.close()));
  };
  try {
    for (const caller of new Set([outsider, ...consumers.map(({ name }) => name)])) {
      const answer = (request: WireRequest, reply: WireReply): void | Promise<void> =>
        onRequest(caller, request, reply);
      servers.set(caller, await openWireServer({ host, clock, onRequest: answer }));
    }
  } catch (error) {
    await close();
    throw error;
  }
  const endpointFor = (consumer: string): Endpoint | undefined => {
    const server = servers.get(consumer);
    return server && { host, port: server.port };
  };
  return { outside: endpointFor(outsider) as Endpoint, endpointFor, close };
}
