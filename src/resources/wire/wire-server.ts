/** A bare HTTP/1.1 server for scripted peers: fast, and able to answer as no proper server would. */
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { Clock } from '../../kernel/clock.ts';
import { type OnRequest, WireConnection } from './wire-connection.ts';
import { type WireLimits, wireLimits } from './wire-limits.ts';

export type { WireReply } from './wire-reply.ts';
export type { WireRequest } from './wire-request.ts';

export interface WireServerOptions {
  readonly host: string;
  readonly clock: Clock;
  /** Called when a request is there as a whole, for each connection one at a time. Several servers may share one. */
  readonly onRequest: OnRequest;
  /** Where they differ from the usual. */
  readonly limits?: Partial<WireLimits>;
}

export interface WireServer {
  readonly port: number;
  /** Ends every connection at once; resolves when all of them, and the port, are gone. */
  close(): Promise<void>;
}

const backlog = 4_096;

export async function openWireServer(options: WireServerOptions): Promise<WireServer> {
  const { clock, onRequest } = options;
  const limits = { ...wireLimits, ...options.limits };
  const open = new Set<WireConnection>();
  const server = createServer({ allowHalfOpen: true, noDelay: true });
  server.maxConnections = limits.connections;
  let count = 0;
  server.on('connection', (socket) => {
    count += 1;
    const connection = new WireConnection({ socket, id: count, clock, limits, onRequest });
    open.add(connection);
    socket.on('close', () => open.delete(connection));
  });
  await listen(server, options.host);
  const { port } = server.address() as AddressInfo;
  return { port, close: () => closeAll(server, open) };
}

/** Later errors are of single connections that could not be accepted: their consumers get it from the kernel. */
async function listen(server: Server, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port: 0, backlog }, resolve);
  });
  server.removeAllListeners('error').on('error', () => undefined);
}

async function closeAll(server: Server, open: ReadonlySet<WireConnection>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const { socket } of open) socket.destroy();
  await closed;
}
