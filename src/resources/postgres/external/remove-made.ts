/** Removes databases and roles from the user's own server, and makes sure that they are gone. */
import type { Client } from 'pg';
import { Problem } from '../../../kernel/problem.ts';
import type { MadeNames } from '../postgres-server.ts';
import { quoteName } from '../sql-names.ts';

/** The beginning of every name that we make on the user's own server; nothing else is ever dropped. */
export const ownMark = 'shk_';

export async function removeMade(session: Client, names: MadeNames, where: string): Promise<void> {
  const databases = names.databases.filter((name) => name.startsWith(ownMark));
  const roles = names.roles.filter((name) => name.startsWith(ownMark));
  const complaints: string[] = [];
  const attempt = async (statement: string): Promise<void> => {
    await session.query(statement).catch((error: Error & { detail?: string }) => {
      complaints.push([statement, error.message, error.detail ?? ''].join(': '));
    });
  };
  for (const name of databases) await attempt(`DROP DATABASE IF EXISTS ${quoteName(name)} WITH (FORCE)`);
  for (const name of roles) await attempt(`DROP ROLE IF EXISTS ${quoteName(name)}`);
  const left = await stillThere(session, databases, roles);
  if (left.length > 0) throw leftBehind(where, left, complaints);
}

/** Each as the statement that would drop it. */
async function stillThere(
  session: Client,
  databases: readonly string[],
  roles: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await session.query<{ statement: string }>(
    `SELECT format('DROP DATABASE %I WITH (FORCE);', datname) AS statement FROM pg_database WHERE datname = ANY ($1)
     UNION ALL SELECT format('DROP ROLE %I;', rolname) FROM pg_roles WHERE rolname = ANY ($2)`,
    [databases, roles],
  );
  return rows.map(({ statement }) => statement);
}

function leftBehind(where: string, left: readonly string[], complaints: readonly string[]): Problem {
  return new Problem({
    code: 'left.behind',
    where,
    what: `${left.length} of the databases and roles that were created on your server are still there`,
    allowed: 'nothing is left on your own server',
    next: `remove them by hand:\n${left.join('\n')}`,
    evidence: complaints,
  });
}
