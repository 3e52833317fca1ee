/** Chooses ports for services: below the ephemeral range, free now, and locked against every other run. */
import { createServer } from 'node:net';
import { limits } from '../../kernel/limits.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Random } from '../../kernel/random.ts';
import { errorCode } from '../../kernel/system-error.ts';
import { ephemeralStart } from './ephemeral-range.ts';
import { lockPort, type PortLock } from './port-lock.ts';
import { portOwner } from './port-owner.ts';

export interface PortChooser {
  choose(): Promise<number>;
  /** A port that the user fixed: locked, or a problem that names who has it. */
  take(port: number, where: string): Promise<number>;
  /** Lets go of one port, or of all. */
  release(port?: number): void;
}

const lowest = 15_000;

/** `procRoot` is where the owners of ports can be looked up: the outer /proc when we live in a namespace. */
export function createPortChooser(random: Random, procRoot: string | undefined): PortChooser {
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
    choose: async () => {
      for (let attempt = 0; attempt < limits.portAttempts; attempt += 1) {
        const port = random.integer(lowest, highest);
        if ((await tryPort(port)) !== undefined) return port;
        // Any user of the machine can hold our locks. Who meets so many does without: a port that is lost to somebody is retried.
        if (attempt >= limits.portAttempts / 2 && !locks.has(port) && (await isFree(port))) return port;
      }
      throw noFreePort(highest);
    },
    take: async (port, where) => {
      const taken = await tryPort(port);
      if (taken === undefined) throw portTaken(port, where, procRoot);
      return taken;
    },
    release: (port) => {
      for (const held of port === undefined ? [...locks.keys()] : [port]) {
        locks.get(held)?.release();
        locks.delete(held);
      }
    },
  };
}

/** Nobody listens on it, on any address. */
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
    allowed: 'a port on which nobody listens',
    next: 'end that program, or let us choose: `listen: { env: PORT }`',
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
