/** PostgreSQL in a container of the environment's own: the official image, or one that behaves like it. */
import type { Client } from 'pg';
import { waitFor } from '../../../kernel/deadline.ts';
import { limits } from '../../../kernel/limits.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { PostgresSpec } from '../../../system/system.ts';
import type { ResourceContainer, ResourceContext } from '../../resource.ts';
import { mainDatabase, maintenanceDatabase, superuser } from '../embedded/make-template.ts';
import { containerSettings } from '../embedded/server-settings.ts';
import { openSession } from '../open-session.ts';
import type { PostgresServer } from '../postgres-server.ts';

const port = 5_432;

/** The image makes the data at its first start, which takes some seconds on a busy machine. */
const startWithinMs = 2 * limits.readyWithinMs;

export async function startContainerServer(
  spec: PostgresSpec,
  image: string,
  context: ResourceContext,
): Promise<PostgresServer> {
  const where = `resource ${spec.name}, container of ${image}`;
  const password = context.random.fork('superuser').hex(32);
  const admin = { user: superuser, password, database: mainDatabase };
  const container = await context.startContainer({
    image,
    port,
    command: ['postgres', ...containerSettings(where, spec.settings)],
    env: { POSTGRES_USER: superuser, POSTGRES_PASSWORD: password, POSTGRES_DB: mainDatabase },
  });
  let isStopping = false;
  const stop = async (): Promise<void> => {
    isStopping = true;
    await container.stop('SIGQUIT', limits.stopWithinMs);
    await container.remove();
  };
  const connect = (database: string): Promise<Client> =>
    openSession({ ...container.address, ...admin, database, ssl: false });
  try {
    const session = await firstSession(container, () => connect(mainDatabase), context, where);
    const { version, number } = await versionOf(session);
    return {
      endpoint: container.address,
      pid: container.pid,
      summary: `PostgreSQL ${version}, container of ${image}`,
      died: container.exited.then(({ code, signal }) =>
        isStopping ? new Promise<string>(() => {}) : `its container ended, ${signal ?? `with ${code}`}`,
      ),
      ...{ admin, session, maintenanceDatabase, connect, stop },
      isOwn: true,
      prefix: '',
      mainIsMade: true,
      ownerRights: 'CREATEDB CREATEROLE',
      createDatabaseWith: number >= withStrategies ? 'STRATEGY FILE_COPY' : '',
      adminJoinsRoles: false,
      databaseSettings: {},
      urlParameters: {},
      claim: async () => {},
      explain: (error) => failed(where, error instanceof Error ? error.message : String(error), container),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Version 15 is the first in which the way of copying can be chosen. */
const withStrategies = 150_000;

async function firstSession(
  container: ResourceContainer,
  connect: () => Promise<Client>,
  { clock, signal }: ResourceContext,
  where: string,
): Promise<Client> {
  let exit: { readonly code: number | null; readonly signal: string | null } | undefined;
  void container.exited.then((end) => {
    exit = end;
  });
  let last = 'no connection was tried';
  const session = await waitFor(clock, { withinMs: startWithinMs, mostMs: 200, signal }, async () => {
    if (exit) throw failed(where, endText(container, exit), container);
    return connect().catch((error: Error) => {
      last = error.message;
      return undefined;
    });
  });
  if (session) return session;
  throw failed(where, `no session could be opened within ${startWithinMs / 1_000} s: ${last}`, container);
}

function endText(
  container: ResourceContainer,
  { code, signal }: { readonly code: number | null; readonly signal: string | null },
): string {
  const fatal = container.lastLines().findLast((line) => line.includes('FATAL') || line.includes('Error:'));
  return `its container ended, ${signal ?? `with ${code}`}${fatal === undefined ? '' : `: ${fatal}`}`;
}

async function versionOf(session: Client): Promise<{ version: string; number: number }> {
  const { rows } = await session.query<{ version: string; number: number }>(
    "SELECT split_part(current_setting('server_version'), ' ', 1) AS version, current_setting('server_version_num')::int AS number",
  );
  return rows[0] as { version: string; number: number };
}

function failed(where: string, what: string, container: ResourceContainer): Problem {
  return new Problem({
    code: 'boot.resource-failed',
    where,
    what,
    allowed:
      'an image that starts PostgreSQL with POSTGRES_USER, POSTGRES_PASSWORD and POSTGRES_DB, as the official one does, and settings that it knows',
    next: 'look at `image` and `settings` of the resource; the lines below are the end of its log',
    evidence: container.lastLines(),
  });
}
