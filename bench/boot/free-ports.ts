/** Ports one after the other that nobody listens on. */
import { createServer } from 'node:net';

/** Below the range from which the kernel chooses for others. */
const lowest = 20_000;
const highest = 30_000;

export async function freePorts(count: number): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const base = lowest + Math.floor(Math.random() * (highest - lowest - count));
    const ports = Array.from({ length: count }, (_, index) => base + index);
    const free = await Promise.all(ports.map(isFree));
    if (free.every(Boolean)) return base;
  }
  throw new Error(`no ${count} free ports in a row between ${lowest} and ${highest}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
