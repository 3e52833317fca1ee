/** The user's own PostgreSQL server: databases and roles are created on it under our own names, and removed again. */
import type { Client } from 'pg';
import { Problem } from '../../../kernel/problem.ts';
import type { PostgresSpec } from '../../../system/system.ts';
import type { OutsideThing, ResourceContext, Variables } from '../../resource.ts';
import { openSession } from '../open-session.ts';
import type { MadeNames, PostgresServer } from '../postgres-server.ts';
import { quoteName, sqlName } from '../sql-names.ts';
import { connectionProblem, notAllowed } from './connection-problem.ts';
import { type ServerTarget, serverTarget } from './server-target.ts';

/** The first with `DROP DATABASE … WITH (FORCE)`. */
const oldestVersion = 130_000;

export async function connectExternalServer(
  spec: PostgresSpec,
  url: string,
  context: ResourceContext,
): Promise<PostgresServer> {
  const target = serverTarget(whereOf(spec), url, context.hostEnv);
  const session = await connectTo(target, target.login.database);
  const version = await examine(session, target).catch(async (error: unknown) => {
    await session.end();
    throw connectionProblem(error, target);
  });
  let claimed: MadeNames | undefined;
  return {
    endpoint: target.address,
    summary: `PostgreSQL ${version}, yours at ${target.address.host}:${target.address.port}`,
    died: new Promise(() => {}),
    admin: target.login,
    session,
    maintenanceDatabase: target.login.database,
    isOwn: false,
    prefix: sqlName(`${markOf(context.label)}${spec.name}_`),
    mainIsMade: false,
    ownerRights: '',
    createDatabaseWith: '',
    adminJoinsRoles: true,
    databaseSettings: spec.settings,
    urlParameters: target.urlParameters,
    connect: (database) => connectTo(target, database),
    claim: async (names) => {
      await context.intend({ kind: 'postgres', resource: spec.name, ...names });
      claimed = names;
    },
    explain: (error) => connectionProblem(error, target),
    stop: async () => {
      if (claimed) await removeFrom(target, claimed);
    },
  };
}

/** After a crash: the ledger knows the names, the config knows the server. */
export async function sweepExternalServer(
  thing: OutsideThing,
  spec: PostgresSpec,
  hostEnv: Variables,
): Promise<void> {
  if (spec.url === undefined) throw serverUnknown(thing, spec);
  await removeFrom(serverTarget(whereOf(spec), spec.url, hostEnv), thing);
}

function whereOf(spec: PostgresSpec): string {
  return `resource ${spec.name}, PostgreSQL server of your own`;
}

async function connectTo(target: ServerTarget, database: string): Promise<Client> {
  return openSession({ ...target.address, ...target.login, database, ssl: target.ssl }).catch(
    (error: unknown) => {
      throw connectionProblem(error, target);
    },
  );
}

async function removeFrom(
  target: ServerTarget,
  made: MadeNames & Pick<OutsideThing, 'environment'>,
): Promise<void> {
  const session = await connectTo(target, target.login.database);
  try {
    const names = made.environment === undefined ? made : await namesAfter(session, made.environment);
    await removeMade(session, names, target.where);
  } finally {
    await session.end();
  }
}

/** How the names begin of all that an environment makes. */
function markOf(environment: string): string {
  return `${ownMark}${environment}_`;
}

async function namesAfter(session: Client, environment: string): Promise<MadeNames> {
  const { rows } = await session.query<MadeNames>(
    `SELECT ARRAY(SELECT datname::text FROM pg_database WHERE starts_with(datname::text, $1)) AS databases,
            ARRAY(SELECT rolname::text FROM pg_roles WHERE starts_with(rolname::text, $1)) AS roles`,
    [markOf(environment)],
  );
  return rows[0] as MadeNames;
}

/** Gives the server's version, or says why it cannot be used. */
async function examine(session: Client, target: ServerTarget): Promise<string> {
  const { rows } = await session.query<{ version: string; number: number; able: boolean }>(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
            rolsuper OR (rolcreatedb AND rolcreaterole) AS able
       FROM pg_roles WHERE rolname = current_user`,
  );
  const [facts] = rows;
  if (!facts || facts.number < oldestVersion)
    throw new Error(`it is version ${facts?.version}, older than 13`);
  if (!facts.able) throw notAllowed(target, 'it lacks CREATEDB or CREATEROLE');
  return facts.version.split(' ')[0] ?? facts.version;
}

function serverUnknown(thing: OutsideThing, spec: PostgresSpec): Problem {
  return new Problem({
    code: 'left.behind',
    where: whereOf(spec),
    what: `${[...thing.databases, ...thing.roles].join(', ')} were created on a server whose \`url\` is no longer in the config`,
    allowed: 'the same `url` until everything that was made there has been removed',
    next: 'put the `url` back and run `shakedown down`, or drop them by hand',
  });
}

/** The beginning of every name that we make on the user's own server; nothing else is ever dropped. */
const ownMark = 'shk_';

async function removeMade(session: Client, names: MadeNames, where: string): Promise<void> {
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
