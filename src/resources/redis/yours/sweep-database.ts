/** Gives back, after a crash, what an environment has used on the user's server. */
import type { Clock } from '../../../kernel/clock.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { RedisSpec } from '../../../system/system.ts';
import type { OutsideThing, Variables } from '../../resource.ts';
import type { RedisLink } from '../client/redis-link.ts';
import { withLink } from '../client/with-link.ts';
import { type RedisTarget, redisTarget } from '../redis-target.ts';
import { databasesOf } from './choose-database.ts';
import { emptyDatabase, markIn } from './database-mark.ts';
import { linkProblem } from './link-problem.ts';

export function whereOf({ name }: RedisSpec): string {
  return `resource ${name}, a Redis of your own`;
}

/** The ledger knows the database, the config knows the server; without a ledger, the mark says which it was. */
export async function sweepYours(
  { databases, environment = '' }: OutsideThing,
  spec: RedisSpec,
  _hostEnv: Variables,
  clock: Clock,
): Promise<void> {
  const where = whereOf(spec);
  if (spec.url === undefined) throw serverUnknown(where, databases);
  const target = redisTarget(where, spec.url);
  const numbers = databases.length > 0 ? databases.map(Number) : await allDatabases(target, where, clock);
  for (const database of numbers) {
    const one = { ...target, database };
    await onServer(one, where, clock, async (link) => {
      if (await emptyDatabase(link, environment, 'end')) return;
      const isKnown = databases.length > 0 && (await markIn(link)) === undefined;
      if (isKnown && Number(await link.do('DBSIZE')) > 0) throw markGone(where, one);
    });
  }
}

async function allDatabases(target: RedisTarget, where: string, clock: Clock): Promise<readonly number[]> {
  return onServer({ ...target, database: 0 }, where, clock, async (link) =>
    Array.from({ length: await databasesOf(link) }, (_, index) => index),
  );
}

export async function onServer<T>(
  target: RedisTarget,
  where: string,
  clock: Clock,
  ask: (link: RedisLink) => Promise<T>,
): Promise<T> {
  return withLink(target, clock, ask).catch((error: unknown) => {
    throw linkProblem(error, where, target);
  });
}

function markGone(where: string, { address, database }: RedisTarget): Problem {
  return new Problem({
    code: 'left.behind',
    where,
    what: `database ${database} was used, has lost the mark of its environment in a crash, and holds something: it was not emptied`,
    allowed: 'a database with the key `shakedown:environment` that names the environment',
    next: `look at it, and empty it by hand: redis-cli -h ${address.host} -p ${address.port} -n ${database} FLUSHDB`,
  });
}

function serverUnknown(where: string, databases: readonly string[]): Problem {
  return new Problem({
    code: 'left.behind',
    where,
    what: `database ${databases.join(', ')} was used on a server whose \`url\` is no longer in the config`,
    allowed: 'the same `url` until what was made there has been removed',
    next: 'put the `url` back and run `shakedown down`, or empty it by hand',
  });
}
