/** Chooses ports for services: below the ephemeral range, free now, and locked against every other run. */
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { limits } from '../../kernel/limits.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Random } from '../../kernel/random.ts';
import { errorCode } from '../../kernel/system-error.ts';
import { ephemeralStart } from './ephemeral-range.ts';
import { portOwner } from './port-owner.ts';

const lowest = 15_000;

/** `procRoot` is where the owners of ports are looked up: the outer /proc inside a namespace. */
export function createPortChooser(random: Random, procRoot: string | undefined) {
  const locks = new Map<number, PortLock>();
  const highest = Math.max(ephemeralStart() - 1, lowest + 1_000);
  const tryPort = async (port: number): Promise<number | undefined> => {
    const lock = await lockPort(port);
    if (!lock) return undefined;
    if (await isFree(port)) {
      locks.set(port, lock);
      return port;
    }
    lock.release();
    return undefined;
  };
  return {
    choose: async (): Promise<number> => {
      for (let attempt = 0; attempt < limits.portAttempts; attempt += 1) {
        const port = random.integer(lowest, highest);
        if ((await tryPort(port)) !== undefined) return port;
        // Any user of the machine can hold our locks. After many locked ports go without a lock: a port that gets taken
        // is retried.
        if (attempt >= limits.portAttempts / 2 && !locks.has(port) && (await isFree(port))) return port;
      }
      throw noFreePort(highest);
    },
    /** Locks a fixed port; throws a problem that names its owner when it is taken. */
    take: async (port: number, where: string): Promise<number> => {
      const taken = await tryPort(port);
      if (taken === undefined) throw portTaken(port, where, procRoot);
      return taken;
    },
    /** Releases one port, or all. */
    release: (port?: number): void => {
      for (const held of port === undefined ? [...locks.keys()] : [port]) {
        locks.get(held)?.release();
        locks.delete(held);
      }
    },
  };
}

export type PortChooser = ReturnType<typeof createPortChooser>;

/** Nothing listens on it, on any address. */
export async function isFree(port: number): Promise<boolean> {
  return (await canListen(port, '0.0.0.0')) && (await canListen(port, '::1'));
}

function canListen(port: number, host: string): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const code = errorCode(error);
      if (code === 'EADDRINUSE' || code === 'EACCES') resolve(false);
      else if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')
        resolve(true); // a machine without IPv6
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

export function portTaken(port: number, where: string, procRoot: string | undefined): Problem {
  const owner = portOwner(port, procRoot);
  return new Problem({
    code: 'world.port-taken',
    where,
    what: `port ${port} is taken${owner ? ` by process ${owner.pid} (${owner.commandLine})` : ''}`,
    allowed: 'a port on which nothing listens',
    next: 'end that program, or let Shakedown choose: `listen: { env: PORT }`',
  });
}

function noFreePort(highest: number): Problem {
  return new Problem({
    code: 'world.no-free-port',
    where: 'choosing a port',
    what: `no free port was found in ${limits.portAttempts} tries`,
    allowed: `a free port between ${lowest} and ${highest}`,
    next: 'end programs that listen on many ports; `shakedown doctor` shows what earlier runs left',
  });
}

interface PortLock {
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

/** Elsewhere the UDP port of the same number serves as the lock. */
function lockByDatagram(port: number): Promise<PortLock | undefined> {
  const socket = createSocket('udp4');
  socket.unref();
  return new Promise((resolve, reject) => {
    socket.once('error', (error) => (errorCode(error) === 'EADDRINUSE' ? resolve(undefined) : reject(error)));
    socket.bind(port, '127.0.0.1', () => resolve({ port, release: () => void socket.close() }));
  });
}
