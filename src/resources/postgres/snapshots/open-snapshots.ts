/** The snapshot of a server's databases: taken once, restored any number of times. */
import type { Client } from 'pg';
import type { Clock } from '../../../kernel/clock.ts';
import { Problem } from '../../../kernel/problem.ts';
import { type Layout, madeNames } from '../plan-layout.ts';
import type { PostgresServer, SnapshotContents } from '../postgres-server.ts';
import { quoteName, snapshotName } from '../sql-names.ts';
import { copyDatabase, disconnectAll } from './copy-database.ts';

interface Snapshots {
  /** Nothing to do where the server began with a snapshot. */
  take(): Promise<void>;
  restore(): Promise<void>;
  keep(signal: AbortSignal): Promise<void>;
  /** Before the server is stopped. */
  close(): Promise<void>;
}

interface SnapshotNeeds {
  readonly server: PostgresServer;
  readonly layout: Layout;
  readonly clock: Clock;
  /** `resource db` */
  readonly where: string;
}

export function openSnapshots(needs: SnapshotNeeds): Snapshots {
  const { server, where } = needs;
  const line = openLine(server);
  let contents = server.stored;
  const attempt = async <T>(what: string, work: (session: Client) => Promise<T>): Promise<T> => {
    try {
      return await line.use(work);
    } catch (error) {
      throw failed(where, what, error);
    }
  };
  const restore = (): Promise<void> =>
    attempt('be restored', async (session) => {
      if (!contents) throw new Error('none was taken');
      await bringBack(session, server, contents);
    });
  /** A change outside the databases would affect every later run as well. */
  const isUnchanged = async (taken: SnapshotContents): Promise<boolean> => {
    const fingerprint = await line.use(async (session) => {
      await dropAllElse(session, server, taken, []);
      return serverFingerprint(session);
    });
    await line.close();
    return fingerprint === taken.fingerprint;
  };
  return {
    take: async () => {
      if (contents) return;
      const taken = await attempt('be taken', (session) => take(session, needs));
      contents = taken;
      if (!server.setAside) return;
      await attempt('be taken', (session) => dropAllElse(session, server, taken, []));
      await line.close();
      await server.setAside();
      await restore();
    },
    restore,
    keep: async (signal) => {
      if (!contents || server.stored || !server.keep) return;
      if (!server.setAside && !(await isUnchanged(contents))) return;
      await server.keep(contents, signal);
    },
    close: line.close,
  };
}

/** One session that stays open between two uses: to log in takes as long as to copy a small database. */
interface Line {
  use<T>(work: (session: Client) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

function openLine(server: PostgresServer): Line {
  let session: Promise<Client> | undefined;
  const close = async (): Promise<void> => {
    const open = session;
    session = undefined;
    await open?.then((client) => client.end()).catch(() => undefined); // the server has gone first
  };
  const useNew = async <T>(work: (session: Client) => Promise<T>): Promise<T> => {
    session = server.connect(server.maintenanceDatabase);
    try {
      return await work(await session);
    } catch (error) {
      await close();
      throw error;
    }
  };
  return {
    close,
    use: async (work) => {
      if (!session) return useNew(work);
      try {
        return await work(await session);
      } catch {
        // A system may terminate all connections to its server, ours too: a new session shows whether that was all.
        await close();
        return useNew(work);
      }
    },
  };
}

async function take(session: Client, { server, layout, clock }: SnapshotNeeds): Promise<SnapshotContents> {
  const there = server.isOwn ? await serverContents(session, server) : undefined;
  const live = there?.databases ?? madeNames(layout).databases;
  const databases = live.map((name) => ({ live: name, copy: snapshotName(name) }));
  for (const { live: from, copy } of databases) {
    await disconnectAll(session, from, clock);
    await copyDatabase(session, from, copy, { createWith: server.createDatabaseWith, open: false });
  }
  return {
    databases,
    roles: there?.roles ?? [],
    fingerprint: server.isOwn ? await serverFingerprint(session) : '',
  };
}

async function bringBack(session: Client, server: PostgresServer, contents: SnapshotContents): Promise<void> {
  await dropAllElse(
    session,
    server,
    contents,
    contents.databases.map(({ live }) => live),
  );
  for (const database of contents.databases) {
    await session.query(`DROP DATABASE IF EXISTS ${quoteName(database.live)} WITH (FORCE)`);
    await openCopy(session, server, database);
  }
}

/** A database from its copy, open to all its users. */
export async function openCopy(
  session: Client,
  server: PostgresServer,
  { live, copy }: SnapshotContents['databases'][number],
): Promise<void> {
  await copyDatabase(session, copy, live, { createWith: server.createDatabaseWith, open: true });
}

/** On our own server: databases and roles that were created since, and no others. */
async function dropAllElse(
  session: Client,
  server: PostgresServer,
  contents: SnapshotContents,
  spared: readonly string[],
): Promise<void> {
  if (!server.isOwn) return;
  const kept = new Set([...contents.databases.map(({ copy }) => copy), ...spared]);
  const { databases, roles } = await serverContents(session, server);
  for (const name of databases) {
    if (!kept.has(name)) await session.query(`DROP DATABASE IF EXISTS ${quoteName(name)} WITH (FORCE)`);
  }
  for (const role of roles) {
    if (contents.roles.includes(role)) continue;
    await session.query(`DROP OWNED BY ${quoteName(role)} CASCADE; DROP ROLE ${quoteName(role)}`);
  }
}

function failed(where: string, what: string, error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem({
    code: 'boot.resource-failed',
    where: `${where}, snapshot`,
    what: `the snapshot of its databases could not ${what}: ${error instanceof Error ? error.message : String(error)}`,
    allowed:
      'databases that can be copied and dropped: no prepared transaction, no subscription, no slot in use',
    next: 'remove what holds the database, or use `isolation: restart` for these trials',
    cause: error,
  });
}

interface ServerContents {
  readonly databases: readonly string[];
  readonly roles: readonly string[];
}

/** Without what belongs to PostgreSQL itself. */
async function serverContents(
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
async function serverFingerprint(session: Client): Promise<string> {
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
