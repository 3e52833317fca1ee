/** A lock on a port number that all runs of a machine respect and that the kernel releases with its holder. */
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { errorCode } from '../../kernel/system-error.ts';

export interface PortLock {
  readonly port: number;
  release(): void;
}

/** Undefined when another run holds it. */
export function lockPort(port: number): Promise<PortLock | undefined> {
  return process.platform === 'linux' ? lockByName(port) : lockByDatagram(port);
}

/** An abstract unix socket has a name, no file, and dies with its owner. */
function lockByName(port: number): Promise<PortLock | undefined> {
  const server = createServer();
  server.unref();
  return new Promise((resolve, reject) => {
    server.once('error', (error) => (errorCode(error) === 'EADDRINUSE' ? resolve(undefined) : reject(error)));
    server.listen(`\0shakedown-port-${port}`, () => resolve({ port, release: () => void server.close() }));
  });
}

/** Elsewhere the datagram port of the same number stands for it. */
function lockByDatagram(port: number): Promise<PortLock | undefined> {
  const socket = createSocket('udp4');
  socket.unref();
  return new Promise((resolve, reject) => {
    socket.once('error', (error) => (errorCode(error) === 'EADDRINUSE' ? resolve(undefined) : reject(error)));
    socket.bind(port, '127.0.0.1', () => resolve({ port, release: () => void socket.close() }));
  });
}
