/** Chooses an empty database on the user's server, and marks it: the last that is empty, or the one that the URL names. */
import { Problem } from '../../../kernel/problem.ts';
import type { RedisLink } from '../client/redis-link.ts';
import { bytesIn, listIn, Refused } from '../client/reply.ts';
import { redisLimits } from '../redis-limits.ts';
import type { redisTarget } from '../redis-target.ts';
import { claimDatabase } from './database-mark.ts';

interface Choice {
  /** Afterwards it is in the database that was chosen. */
  readonly link: RedisLink;
  readonly named: ReturnType<typeof redisTarget>;
  readonly where: string;
  readonly label: string;
  /** Called before anything is written. */
  readonly intended: (database: number) => Promise<void>;
}

export async function chooseDatabase({ link, named, where, label, intended }: Choice): Promise<number> {
  const { database, isNamed } = named;
  const candidates = isNamed ? [database] : await lastFirst(link);
  for (const candidate of candidates) {
    await link.do('SELECT', candidate);
    if (Number(await link.do('DBSIZE')) !== 0) continue;
    await intended(candidate);
    if (await claimDatabase(link, label)) return candidate;
  }
  throw noneEmpty(where, named, candidates.length);
}

/** Who says nothing about a database mostly means the first. */
async function lastFirst(link: RedisLink): Promise<readonly number[]> {
  const count = await databasesOf(link);
  return Array.from({ length: count }, (_, index) => count - 1 - index);
}

/** A server that does not say has as many as usual, or one. */
export async function databasesOf(link: RedisLink): Promise<number> {
  try {
    const [, count] = listIn(await link.do('CONFIG', 'GET', 'databases'));
    return Number(bytesIn(count).toString()) || redisLimits.databases;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const last = redisLimits.databases - 1;
    return link.do('SELECT', last).then(
      () => redisLimits.databases,
      () => 1,
    );
  }
}

function noneEmpty(where: string, { address, database, isNamed }: Choice['named'], tried: number): Problem {
  const server = `${address.host}:${address.port}`;
  return new Problem({
    code: 'world.not-permitted',
    where,
    what: isNamed
      ? `database ${database} of the server at ${server} is not empty, and what it holds is never removed`
      : `none of the ${tried} databases of the server at ${server} is empty, and what they hold is never removed`,
    allowed: isNamed ? 'a database that is empty' : 'a server with an empty database',
    next: isNamed
      ? 'leave the number out of `url`, so that an empty database is chosen, or name one'
      : 'raise `databases` of that server, empty one by hand (redis-cli -n NUMBER FLUSHDB), or leave `url` out for a server of the environment’s own',
  });
}
