/** What belongs to a database but is not copied with it: its owner's grants, its limits, its settings. */
import type { Client } from 'pg';
import { quoteName, quoteText } from '../sql-names.ts';

export interface DatabaseTraits {
  readonly owner: string;
  /** -1 for no limit. */
  readonly connectionLimit: number;
  /** Undefined where the default is unchanged. */
  readonly grants: readonly Grant[] | undefined;
  readonly settings: readonly Setting[];
}

export interface Grant {
  /** Null for PUBLIC. */
  readonly to: string | null;
  readonly privilege: string;
  readonly grantable: boolean;
}

export interface Setting {
  /** Null where it holds for every role. */
  readonly role: string | null;
  /** `search_path=health, public` */
  readonly text: string;
}

export async function readTraits(session: Client, database: string): Promise<DatabaseTraits> {
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
