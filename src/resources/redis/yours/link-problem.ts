/** Says in four parts why the user's own server cannot be used; the password is never part of it. */
import { Problem } from '../../../kernel/problem.ts';
import { LinkError } from '../client/link-error.ts';
import { Refused } from '../client/reply.ts';
import type { RedisTarget } from '../redis-target.ts';

export function linkProblem(error: unknown, where: string, target: RedisTarget): Problem {
  if (error instanceof Problem) return error;
  const { host, port } = target.address;
  const server = `${host}:${port}`;
  const said = withoutPassword(error instanceof Error ? error.message : String(error), target.password);
  if (error instanceof Refused) return refused(where, server, said);
  const isOther = error instanceof LinkError && error.why === 'not-redis';
  return new Problem({
    code: 'world.unreachable',
    where,
    what: isOther
      ? `what answers at ${server} is not a Redis: ${said}`
      : `no Redis answers at ${server}: ${said}`,
    allowed: 'a Redis or a Valkey that can be reached from this machine, without TLS',
    next: `check that it is running: redis-cli -h ${host} -p ${port} PING`,
  });
}

function refused(where: string, server: string, said: string): Problem {
  const isLogin = /^(?:NOAUTH|WRONGPASS|NOPERM)\b|invalid (?:username|password)|without any password/i.test(
    said,
  );
  return new Problem({
    code: isLogin ? 'world.not-permitted' : 'boot.resource-failed',
    where,
    what: `the server at ${server} refuses: ${said}`,
    allowed: isLogin
      ? 'a user and a password that the server accepts, with the right to use all commands on an empty database'
      : 'a server that executes SELECT, DBSIZE, WATCH, MULTI, SET, GET and FLUSHDB',
    next: isLogin
      ? 'correct `url`: redis://user:password@host:6379'
      : 'see what is wrong with it, or leave `url` out for a server of the environment’s own',
  });
}

function withoutPassword(text: string, password: string): string {
  return password === '' ? text : text.replaceAll(password, '‹password›');
}
