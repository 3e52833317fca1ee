/** Redis, or Valkey, as a resource: a server of the environment's own, or a database on one of the user's. */
import { Problem } from '../../../kernel/problem.ts';
import type { RedisSpec } from '../../../system/system.ts';
import type { ResourceDriver } from '../../resource.ts';
import { startOwnServer } from '../own/own-server.ts';
import { redisUrl } from '../redis-target.ts';
import { sweepYours } from '../yours/sweep-database.ts';
import { claimOnYours } from '../yours/your-server.ts';

export const redisDriver: ResourceDriver<RedisSpec> = {
  kind: 'redis',
  provision: async (spec, context) => {
    const { url } = spec;
    const server = await (url === undefined
      ? startOwnServer(spec, context)
      : claimOnYours(spec, url, context));
    const { target, summary, died, stop } = server;
    const { user, password, database } = target;
    return {
      endpoint: server.endpoint,
      get pid() {
        return server.pid;
      },
      summary,
      died,
      stop,
      references: (_consumer, address) => ({
        url: redisUrl({ ...target, address }),
        host: address.host,
        port: String(address.port),
        user,
        password,
        database: String(database),
      }),
      stores: () => [{ url: redisUrl(target), isWhole: url === undefined }],
      ...(context.snapshots ? withSnapshots(server, spec) : {}),
    };
  },
  sweep: sweepYours,
};

function withSnapshots(server: Snapshots, { name }: RedisSpec): Snapshots {
  const attempt = async (what: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      throw failed(name, what, error);
    }
  };
  return {
    snapshot: () => attempt('taken', server.snapshot),
    restore: () => attempt('restored', server.restore),
  };
}

interface Snapshots {
  snapshot(): Promise<void>;
  restore(): Promise<void>;
}

function failed(name: string, what: string, error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem({
    code: 'boot.resource-failed',
    where: `resource ${name}, snapshot`,
    what: `the snapshot of its data could not be ${what}: ${error instanceof Error ? error.message : String(error)}`,
    allowed: 'data that can be copied, in a server that answers',
    next: 'look at what the server says: shakedown logs; or use `isolation: restart` for these trials',
    cause: error,
  });
}
