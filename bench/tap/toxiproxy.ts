/** Toxiproxy as a peer, where `toxiproxy-server` is on PATH. */
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { systemClock } from '../../src/kernel/clock.ts';
import { waitFor } from '../../src/kernel/deadline.ts';
import { type Actor, stopChild } from './actor.ts';

export const toxiproxyInstall =
  'toxiproxy: GOBIN=/tmp/gobin go install github.com/Shopify/toxiproxy/v2/cmd/server@latest && mv /tmp/gobin/server /tmp/gobin/toxiproxy-server && export PATH=/tmp/gobin:$PATH';

/** A proxy without toxics before the provider; undefined where Toxiproxy is not installed. */
export async function startToxiproxy(providerPort: number): Promise<Actor | undefined> {
  const binary = onPath('toxiproxy-server');
  if (binary === undefined) return undefined;
  const controlPort = await freePort();
  const child = spawn(binary, ['-host', '127.0.0.1', '-port', String(controlPort)], {
    stdio: 'ignore',
    env: { ...process.env, LOG_LEVEL: 'error' },
  });
  const listen = await waitFor(systemClock, { withinMs: 10_000 }, () =>
    createProxy(controlPort, providerPort),
  );
  if (listen === undefined) {
    await stopChild(child);
    throw new Error(`${binary} did not take a proxy within 10 s`);
  }
  return { port: Number(listen.split(':').at(-1)), pid: child.pid, stop: () => stopChild(child) };
}

async function createProxy(controlPort: number, providerPort: number): Promise<string | undefined> {
  const proxy = {
    name: 'bench',
    listen: '127.0.0.1:0',
    upstream: `127.0.0.1:${providerPort}`,
    enabled: true,
  };
  try {
    const answer = await fetch(`http://127.0.0.1:${controlPort}/proxies`, {
      method: 'POST',
      body: JSON.stringify(proxy),
    });
    return ((await answer.json()) as { listen: string }).listen;
  } catch {
    return undefined;
  }
}

function onPath(name: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
