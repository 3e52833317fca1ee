/** A real server on a socket that a test controls, and that counts what reaches it. */
import { createServer, type Socket } from 'node:net';
import type { Ground } from './driver-subject.ts';

export interface PeerServer {
  readonly port: number;
  heardBytes(): number;
  heard(): string;
  /** One line for each connection that is still open. */
  left(): readonly string[];
  /** Does this to every connection that is open. */
  each(work: (socket: Socket) => void): void;
}

export interface PeerManners {
  onConnect?(socket: Socket): void;
  /** When the first bytes have come. */
  onHear?(socket: Socket): void;
}

export async function listen(ground: Ground, manners: PeerManners = {}): Promise<PeerServer> {
  const open = new Set<Socket>();
  const chunks: Buffer[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    let first = true;
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.on('end', () => socket.end());
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (first) manners.onHear?.(socket);
      first = false;
    });
    manners.onConnect?.(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ground.afterwards(() => {
    for (const socket of open) socket.destroy();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    heardBytes: () => Buffer.concat(chunks).length,
    heard: () => Buffer.concat(chunks).toString(),
    left: () => [...open].map((socket) => `a connection from port ${socket.remotePort}`),
    each: (work) => [...open].forEach(work),
  };
}

/** A port without a listener: one that was free a moment ago. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return typeof address === 'object' && address ? address.port : 0;
}
