/** Peers that misbehave as real ones do: nobody there, silence, an early end, and bytes that mean nothing. */
import { createServer, type Socket } from 'node:net';

export interface OddPeer {
  readonly port: number;
  close(): Promise<void>;
}

const behaviours: Readonly<Record<string, (socket: Socket) => void>> = {
  'refuses connections': () => undefined,
  'accepts and says nothing': () => undefined,
  'closes at once': (socket) => void socket.end(),
  'sends bytes that mean nothing': (socket) => void socket.end(Buffer.alloc(4_096, 0xfe)),
};

export const oddPeers: readonly string[] = Object.keys(behaviours);

export async function openOddPeer(name: string): Promise<OddPeer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    behaviours[name]?.(socket);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { readonly port: number };
  const close = (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => void server.close(() => resolve()));
  };
  if (name !== 'refuses connections') return { port, close };
  await close();
  return { port, close: async () => undefined };
}
