/** A server of the environment's own: a program on PATH, its data gone with the environment. */
import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { removeFile } from '../../../kernel/folders/entries-below.ts';
import { limits } from '../../../kernel/limits.ts';
import type { RedisSpec } from '../../../system/system.ts';
import type { ResourceContext } from '../../resource.ts';
import type { RedisLink } from '../client/redis-link.ts';
import { withLink } from '../client/with-link.ts';
import type { RedisServer } from '../redis-server.ts';
import { findServer } from './find-server.ts';
import { configFile, type RunningServer, runAgain, runNewServer, type ServerForm } from './run-server.ts';
import { serverConfig } from './server-config.ts';

export async function startOwnServer(spec: RedisSpec, context: ResourceContext): Promise<RedisServer> {
  const where = `resource ${spec.name}, a Redis of the environment’s own`;
  const folder = path.join(context.folder, 'data');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { requirepass: password = '' } = spec.settings;
  const form: ServerForm = { context, where, program: findServer(where, context.hostEnv), folder, password };
  const config = (port: number): string => serverConfig({ where, port, folder, settings: spec.settings });
  const { promise: died, resolve } = Promise.withResolvers<string>();
  let isStopping = false;
  const attended = (server: RunningServer): RunningServer => {
    void server.process.exited.then(({ code, signal }) => {
      if (isStopping) return;
      resolve(signal === null ? `Redis ended with exit code ${code}` : `Redis was ended by ${signal}`);
    });
    return server;
  };
  let running = attended(await runNewServer(form, config));
  const { target, summary } = running;
  /** A server that hangs is killed when its time is over; what it holds is thrown away in any case. */
  const stop = async (): Promise<void> => {
    isStopping = true;
    await running.process.stop('SIGTERM', limits.stopWithinMs);
  };
  return {
    endpoint: target.address,
    get pid() {
      return running.process.pid;
    },
    summary: `${summary}, on this machine`,
    died,
    target,
    snapshot: () => takeCopy(form, running),
    restore: async () => {
      await stop();
      await layBack(form);
      context.signal.throwIfAborted();
      running = await runAgain(form, target.address.port);
      isStopping = false;
      attended(running);
    },
    stop,
  };
}

const data = 'dump.rdb';
const copied = 'snapshot';

/** Data and functions are in the dump; what a job has set, users included, is in the configuration. */
async function takeCopy({ context, folder }: ServerForm, { target }: RunningServer): Promise<void> {
  const save = async (link: RedisLink): Promise<void> => {
    await link.do('CONFIG', 'REWRITE');
    await link.do('SAVE');
  };
  await withLink(target, context.clock, save, limits.jobWithinMs);
  await mkdir(path.join(folder, copied), { recursive: true });
  for (const file of [path.join(folder, data), configFile(folder)])
    await copyFile(file, copyOf(folder, file));
}

async function layBack({ folder }: ServerForm): Promise<void> {
  for (const file of [path.join(folder, data), configFile(folder)]) {
    removeFile(file);
    await copyFile(copyOf(folder, file), file);
  }
}

function copyOf(folder: string, file: string): string {
  return path.join(folder, copied, path.basename(file));
}
