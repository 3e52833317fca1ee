/** What a trial needs from the machine and does not find: the reason why it is skipped. */
import { accessSync, constants } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import type { Need } from '../../trials/trial.ts';

export type HostEnv = Readonly<Record<string, string | undefined>>;

/** Undefined if every need is met. */
export async function unmetNeed(needs: readonly Need[], env: HostEnv): Promise<string | undefined> {
  for (const need of needs) {
    const reason = await whyUnmet(need, env);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

async function whyUnmet(need: Need, env: HostEnv): Promise<string | undefined> {
  switch (need.kind) {
    case 'env':
      return env[need.name] ? undefined : `needs the environment variable ${need.name}`;
    case 'binary':
      return isOnPath(need.name, env.PATH ?? '')
        ? undefined
        : `needs the program ${need.name}, which is not on PATH`;
    case 'docker':
      return isOnPath('docker', env.PATH ?? '') ? undefined : 'needs docker, which is not on PATH';
    case 'platform':
      return process.platform === need.platform
        ? undefined
        : `needs ${need.platform}, this is ${process.platform}`;
    case 'port':
      return (await isFree(need.port)) ? undefined : `needs port ${need.port}, which is taken`;
  }
}

function isOnPath(program: string, searched: string): boolean {
  return searched.split(path.delimiter).some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false; // not in this folder
    }
  });
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
