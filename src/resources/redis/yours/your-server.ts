/** The user's own server: the environment has a database of its own there, which was empty, and is empty again afterwards. */
import type { RedisSpec } from '../../../system/system.ts';
import type { ResourceContext } from '../../resource.ts';
import { openRedisLink, type RedisLink } from '../client/redis-link.ts';
import { withLink } from '../client/with-link.ts';
import { nameOf } from '../own/run-server.ts';
import { redisLimits } from '../redis-limits.ts';
import type { RedisServer } from '../redis-server.ts';
import { type RedisTarget, redisTarget } from '../redis-target.ts';
import { chooseDatabase } from './choose-database.ts';
import { copyKeys, type KeyCopy, layBackKeys } from './database-copy.ts';
import { emptyDatabase, markAgain } from './database-mark.ts';
import { keepMark } from './keep-mark.ts';
import { linkProblem } from './link-problem.ts';
import { onServer, whereOf } from './sweep-database.ts';

export async function claimOnYours(
  spec: RedisSpec,
  url: string,
  context: ResourceContext,
): Promise<RedisServer> {
  const { clock, label } = context;
  const where = whereOf(spec);
  const named = redisTarget(where, url);
  const { link, target, version } = await claim(named, where, spec, context).catch((error: unknown) => {
    throw linkProblem(error, where, named);
  });
  const stopKeeping = keepMark(link, label, clock);
  let copies: readonly KeyCopy[] | undefined;
  const { host, port } = target.address;
  return {
    endpoint: target.address,
    summary: `${version}, yours at ${host}:${port}, database ${target.database}`,
    died: new Promise(() => {}),
    target,
    snapshot: () =>
      withLink(target, clock, async (own) => {
        copies = await copyKeys(own, clock.now);
      }),
    restore: () =>
      withLink(target, clock, async (own) => {
        await markAgain(own, label);
        if (!(await emptyDatabase(own, label, 'mark'))) throw new Error('another environment has taken it');
        await layBackKeys(own, copies ?? [], clock.now);
      }),
    stop: async () => {
      stopKeeping();
      link.close();
      await onServer(target, where, clock, async (own) => {
        await markAgain(own, label);
        await emptyDatabase(own, label, 'end');
      });
    },
  };
}

interface Claimed {
  readonly link: RedisLink;
  readonly target: RedisTarget;
  readonly version: string;
}

/** The connection stays, in the database that was chosen. */
async function claim(
  named: ReturnType<typeof redisTarget>,
  where: string,
  { name }: RedisSpec,
  { clock, label, signal, intend }: ResourceContext,
): Promise<Claimed> {
  const link = await openRedisLink({ ...named, database: 0 }, clock, redisLimits);
  try {
    const version = nameOf(String(await link.do('INFO', 'server')));
    const intended = (database: number): Promise<void> => {
      signal.throwIfAborted();
      const databases = [String(database)];
      return intend({ kind: 'redis', resource: name, databases, roles: [], environment: label });
    };
    const database = await chooseDatabase({ link, named, where, label, intended });
    return { link, target: { ...named, database }, version };
  } catch (error) {
    link.close();
    throw error;
  }
}
