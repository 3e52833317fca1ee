/** What is on our own server: databases, roles, and all that is outside databases. */
import type { Client } from 'pg';
import type { PostgresServer } from '../postgres-server.ts';

export interface ServerContents {
  readonly databases: readonly string[];
  readonly roles: readonly string[];
}

/** Without what belongs to PostgreSQL itself. */
export async function serverContents(
  session: Client,
  { maintenanceDatabase }: PostgresServer,
): Promise<ServerContents> {
  const { rows } = await session.query<ServerContents>(
    `SELECT ARRAY(SELECT datname::text FROM pg_database WHERE NOT datistemplate AND datname <> $1 ORDER BY 1) AS databases,
            ARRAY(SELECT rolname::text FROM pg_roles WHERE rolname !~ '^pg_' ORDER BY 1) AS roles`,
    [maintenanceDatabase],
  );
  return rows[0] as ServerContents;
}

/** Of roles with their rights and memberships, of settings for a whole server or role. */
export async function serverFingerprint(session: Client): Promise<string> {
  const { rows } = await session.query<{ fingerprint: string }>(
    `SELECT md5(string_agg(line, E'\\n' ORDER BY line)) AS fingerprint FROM (
       SELECT a::text AS line FROM pg_authid a
       UNION ALL SELECT m::text FROM pg_auth_members m
       UNION ALL SELECT s::text FROM pg_db_role_setting s WHERE s.setdatabase = 0
       UNION ALL SELECT t::text FROM pg_tablespace t
       UNION ALL SELECT f.name || '=' || f.setting FROM pg_file_settings f
     ) lines`,
  );
  return rows[0]?.fingerprint ?? '';
}
