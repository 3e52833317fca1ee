/** Says in four parts why the user's own server cannot be used; the password is never part of it. */
import { Problem } from '../../../kernel/problem.ts';
import { errorCode } from '../../../kernel/system-error.ts';
import type { ServerTarget } from './server-target.ts';

/** SQLSTATE: wrong password, no such role or no entry in pg_hba.conf, no right. */
const refusals = ['28P01', '28000', '42501'];

export function connectionProblem(error: unknown, target: ServerTarget): Problem {
  if (error instanceof Problem) return error;
  const { host, port } = target.address;
  const server = `${host}:${port}`;
  const said = withoutPassword(messageOf(error), target.login.password);
  const code = errorCode(error) ?? '';
  if (code === '42501') return notAllowed(target, said);
  if (refusals.includes(code)) return refused(target, server, said);
  // Five characters are an SQLSTATE: the server answered, so it is there.
  if (/^[0-9A-Z]{5}$/.test(code) && code !== 'EPIPE') return failed(target, server, `${said} (${code})`);
  return new Problem({
    code: 'world.unreachable',
    where: target.where,
    what: `no PostgreSQL server answers at ${server}: ${said}`,
    allowed:
      'a server that can be reached from this machine, with `sslmode=require` in the url where it requires TLS',
    next: `check that it is running: pg_isready -h ${host} -p ${port}`,
  });
}

export function notAllowed(target: ServerTarget, said: string): Problem {
  const { user } = target.login;
  return new Problem({
    code: 'world.not-permitted',
    where: target.where,
    what: `user ${user} of the server may not create databases and roles: ${said}`,
    allowed: 'a role with CREATEDB and CREATEROLE, or a superuser',
    next: `as a superuser of that server: ALTER ROLE "${user}" CREATEDB CREATEROLE;`,
  });
}

function refused(target: ServerTarget, server: string, said: string): Problem {
  const { user, database } = target.login;
  const { host, port } = target.address;
  const wantsTls = said.includes('no encryption');
  return new Problem({
    code: 'world.not-permitted',
    where: target.where,
    what: `the server at ${server} rejects user ${user} for database ${database}: ${said}`,
    allowed: 'a user and a password that the server accepts from this machine',
    next: wantsTls
      ? 'add `?sslmode=require` to `url`'
      : `correct \`url\`; by hand: psql -h ${host} -p ${port} -U ${user} ${database}`,
  });
}

function failed(target: ServerTarget, server: string, said: string): Problem {
  return new Problem({
    code: 'boot.resource-failed',
    where: target.where,
    what: `the server at ${server} refused the request: ${said}`,
    allowed: 'PostgreSQL 13 or newer; `settings` that can be set for one database',
    next: 'correct `settings` or `url` of the resource, or leave `url` out to use the embedded server',
  });
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

function withoutPassword(text: string, password: string): string {
  return password === '' ? text : text.replaceAll(password, '‹password›');
}
