/** Makes a database as the copy of another, with all that belongs to it. */
import type { Client } from 'pg';
import type { Clock } from '../../../kernel/clock.ts';
import { waitFor } from '../../../kernel/deadline.ts';
import { limits } from '../../../kernel/limits.ts';
import { quoteName, quoteText } from '../sql-names.ts';

interface CopyOptions {
  /** Added to `CREATE DATABASE`. */
  readonly createWith: string;
  /** False: no client can connect, so that the copy stays as it is. */
  readonly open: boolean;
}

/** No client may be connected to the database that is copied. */
export async function copyDatabase(
  session: Client,
  from: string,
  to: string,
  options: CopyOptions,
): Promise<void> {
  const traits = await readTraits(session, from);
  await session.query(
    `CREATE DATABASE ${quoteName(to)} TEMPLATE ${quoteName(from)} OWNER ${quoteName(traits.owner)} ALLOW_CONNECTIONS ${options.open} ${options.createWith}`,
  );
  const statements = traitStatements(to, traits);
  if (statements.length > 0) await session.query(statements.join(';\n'));
}

/** Terminates open connections, and waits until they are gone: the server itself checks only ten times a second. */
export async function disconnectAll(session: Client, database: string, clock: Clock): Promise<void> {
  const others = 'FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()';
  await waitFor(clock, { withinMs: limits.stopWithinMs, firstMs: 2, mostMs: 25 }, async () => {
    const { rows } = await session.query<{ asked: boolean }>(
      `SELECT pg_terminate_backend(pid) AS asked ${others} AND backend_type = 'client backend'`,
      [database],
    );
    return rows.length === 0 ? true : undefined;
  });
}

interface DatabaseTraits {
  readonly owner: string;
  /** -1 for no limit. */
  readonly connectionLimit: number;
  /** Undefined where the default is unchanged. */
  readonly grants: readonly Grant[] | undefined;
  readonly settings: readonly Setting[];
}

interface Grant {
  /** Null for PUBLIC. */
  readonly to: string | null;
  readonly privilege: string;
  readonly grantable: boolean;
}

interface Setting {
  /** Null where it holds for every role. */
  readonly role: string | null;
  /** `search_path=health, public` */
  readonly text: string;
}

async function readTraits(session: Client, database: string): Promise<DatabaseTraits> {
  const { rows } = await session.query<DatabaseTraits & { grants: readonly Grant[] | null }>(
    `SELECT pg_get_userbyid(d.datdba) AS owner, d.datconnlimit AS "connectionLimit",
            CASE WHEN d.datacl IS NOT NULL THEN coalesce(
              (SELECT json_agg(json_build_object('to', pg_get_userbyid(nullif(acl.grantee, 0)), 'privilege', acl.privilege_type,
                                                 'grantable', acl.is_grantable))
                 FROM aclexplode(d.datacl) acl), '[]') END AS grants,
            coalesce((SELECT json_agg(json_build_object('role', pg_get_userbyid(nullif(s.setrole, 0)), 'text', item))
               FROM pg_db_role_setting s, unnest(s.setconfig) item WHERE s.setdatabase = d.oid), '[]') AS settings
       FROM pg_database d WHERE d.datname = $1`,
    [database],
  );
  const [traits] = rows;
  if (!traits) throw new Error(`there is no database ${database}`);
  return { ...traits, grants: traits.grants ?? undefined };
}

/** The statements that give a database the traits of another. */
export function traitStatements(database: string, traits: DatabaseTraits): readonly string[] {
  return [
    ...(traits.connectionLimit === -1
      ? []
      : [`ALTER DATABASE ${quoteName(database)} CONNECTION LIMIT ${traits.connectionLimit}`]),
    ...grantStatements(database, traits),
    ...traits.settings.map((setting) => settingStatement(database, setting)),
  ];
}

function grantStatements(database: string, { owner, grants }: DatabaseTraits): readonly string[] {
  if (grants === undefined) return [];
  const on = `ON DATABASE ${quoteName(database)}`;
  return [
    `REVOKE ALL ${on} FROM PUBLIC, ${quoteName(owner)}`,
    ...grants.map(
      ({ to, privilege, grantable }) =>
        `GRANT ${privilege} ${on} TO ${to === null ? 'PUBLIC' : quoteName(to)}${grantable ? ' WITH GRANT OPTION' : ''}`,
    ),
  ];
}

/** Stored as a list of quoted names, which a statement takes as it is; every other value is one text. */
const lists = [
  'search_path',
  'temp_tablespaces',
  'local_preload_libraries',
  'session_preload_libraries',
  'shared_preload_libraries',
  'unix_socket_directories',
];

function settingStatement(database: string, { role, text }: Setting): string {
  const at = text.indexOf('=');
  const name = text.slice(0, at);
  const value = text.slice(at + 1);
  const subject =
    role === null
      ? `DATABASE ${quoteName(database)}`
      : `ROLE ${quoteName(role)} IN DATABASE ${quoteName(database)}`;
  return `ALTER ${subject} SET ${name.split('.').map(quoteName).join('.')} TO ${
    lists.includes(name.toLowerCase()) ? listText(value) : quoteText(value)
  }`;
}

/** An empty list is one empty text; so is an empty name in a list, which must not be between double quotes. */
function listText(value: string): string {
  return value.trim() === '' ? "''" : value.replaceAll(/(^|,\s*)""(?=\s*(?:,|$))/g, "$1''");
}
