/** The first session of a server that has just started; what goes wrong in it is explained with the end of the server’s log. */
import type { Client } from 'pg';
import { Problem } from '../../../kernel/problem.ts';
import type { ProblemCode } from '../../../kernel/problem-codes.ts';
import { errorCode } from '../../../kernel/system-error.ts';
import { logSince, markLog } from '../../log-since.ts';
import { openSession } from '../open-session.ts';
import type { PostgresLogin } from '../postgres-server.ts';
import type { EmbeddedForm } from './embedded-form.ts';

export const host = '127.0.0.1';

export async function inFirstSession<T>(
  { context, where }: EmbeddedForm,
  port: number,
  login: PostgresLogin,
  work: (session: Client) => Promise<T>,
): Promise<T> {
  const mark = await markLog(context.logFile);
  try {
    return await work(await openSession({ host, port, ...login, ssl: false }));
  } catch (error) {
    context.signal.throwIfAborted();
    throw sessionFailed(where, error, await logSince(context.logFile, mark));
  }
}

export function sessionFailed(where: string, error: unknown, said: readonly string[]): Problem {
  if (error instanceof Problem) return error;
  const unforked = said.find((line) => line.includes('could not fork'));
  const told = unforked ?? (error instanceof Error ? error.message : String(error));
  const [code, allowed, next] = meaningOf(errorCode(error), unforked !== undefined);
  const what = `PostgreSQL runs, but its first session failed: ${told}`;
  return new Problem({ code, where, what, allowed, next, evidence: said, cause: error });
}

function meaningOf(
  state: string | undefined,
  isUnforked: boolean,
): readonly [code: ProblemCode, allowed: string, next: string] {
  if (isUnforked)
    return [
      'world.exhausted',
      'some 30 processes and threads in addition to those of the system',
      'raise the limit (ulimit -u, the limits of the container), or end other processes',
    ];
  if (state === '53100')
    return [
      'world.disk-full',
      'about 100 MB of free space in the temporary folder',
      'free some space, or point TMPDIR elsewhere, and start again',
    ];
  return [
    'boot.resource-failed',
    'settings under which a superuser can connect to 127.0.0.1',
    'look at `settings` of the resource; the lines below are the end of the server’s log',
  ];
}
