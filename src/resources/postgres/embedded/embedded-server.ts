/** The embedded form of PostgreSQL: a server of the environment's own, from an npm package, without docker and without an account. */
import { rm } from 'node:fs/promises';
import type { Client } from 'pg';
import { limits } from '../../../kernel/limits.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { PostgresSpec } from '../../../system/system.ts';
import type { ResourceContext } from '../../resource.ts';
import { openSession } from '../open-session.ts';
import type { PostgresLogin, PostgresServer } from '../postgres-server.ts';
import { scramVerifier } from '../scram-verifier.ts';
import { quoteText } from '../sql-names.ts';
import { type EmbeddedForm, prepareForm } from './embedded-form.ts';
import { endRemains } from './end-remains.ts';
import { mainDatabase, superuser } from './make-template.ts';
import { type PreparedData, prepareData } from './prepare-data.ts';
import { type RunningServer, runServer } from './run-server.ts';
import { logSince, markLog } from './run-step.ts';
import { dropTemplate } from './template-cache.ts';

/** A server whose administrator's password is known to nobody else. */
interface OwnServer extends RunningServer {
  readonly session: Client;
  readonly admin: PostgresLogin;
  readonly dataFolder: string;
}

const host = '127.0.0.1';

export async function startEmbeddedServer(
  spec: PostgresSpec,
  context: ResourceContext,
): Promise<PostgresServer> {
  const form = await prepareForm(spec, context);
  const server = await bringUp(form, spec);
  const { port, admin, session, dataFolder } = server;
  let stopping = false;
  const died = new Promise<string>((resolve) => {
    void server.process.exited.then(({ code, signal }) => {
      if (!stopping)
        resolve(
          signal === null ? `PostgreSQL ended with exit code ${code}` : `PostgreSQL was ended by ${signal}`,
        );
    });
  });
  return {
    endpoint: { host, port },
    pid: server.process.pid,
    summary: `PostgreSQL ${form.binaries.version}, embedded`,
    died,
    admin,
    session,
    prefix: '',
    mainIsMade: true,
    ownerRights: 'CREATEDB CREATEROLE',
    createDatabaseWith: 'STRATEGY FILE_COPY',
    adminJoinsRoles: false,
    databaseSettings: {},
    urlParameters: {},
    connect: (database) => openSession({ host, port, ...admin, database }),
    claim: async () => {},
    explain: (error) => sessionFailed(form.where, error, []),
    stop: async () => {
      stopping = true;
      // Immediate: the data is thrown away, so nothing is gained by writing it down.
      await server.process.stop('SIGQUIT', limits.stopWithinMs);
      await endRemains(context, form.where, dataFolder);
    },
  };
}

/** Data from the cache that no server runs on is made again, once. */
async function bringUp(form: EmbeddedForm, spec: PostgresSpec): Promise<OwnServer> {
  const data = await prepareData(form);
  try {
    return await openServer(form, spec, data);
  } catch (error) {
    const hopeless = error instanceof Problem && error.code !== 'boot.resource-failed';
    if (!data.fromCache || hopeless || form.context.signal.aborted) throw error;
    await dropTemplate(form);
    await rm(data.dataFolder, { recursive: true, force: true });
    return openServer(form, spec, await prepareData(form));
  }
}

async function openServer(form: EmbeddedForm, spec: PostgresSpec, data: PreparedData): Promise<OwnServer> {
  const { context } = form;
  const mark = await markLog(context.logFile);
  const running = await runServer(form, {
    dataFolder: data.dataFolder,
    settings: spec.settings,
    step: false,
  });
  const random = context.random.fork('superuser');
  const admin = { user: superuser, password: random.hex(32), database: mainDatabase };
  try {
    const session = await openSession({ host, port: running.port, ...admin, password: data.password });
    const verifier = await scramVerifier(admin.password, random);
    await session.query(`ALTER ROLE ${superuser} PASSWORD ${quoteText(verifier)}`);
    return { ...running, session, admin, dataFolder: data.dataFolder };
  } catch (error) {
    await running.process.stop('SIGQUIT', limits.stopWithinMs);
    context.signal.throwIfAborted();
    throw sessionFailed(form.where, error, await logSince(context.logFile, mark));
  }
}

function sessionFailed(where: string, error: unknown, said: readonly string[]): Problem {
  if (error instanceof Problem) return error;
  return new Problem({
    code: 'boot.resource-failed',
    where,
    what: `PostgreSQL runs, but its first session failed: ${error instanceof Error ? error.message : String(error)}`,
    allowed: 'settings under which a superuser can connect to 127.0.0.1',
    next: 'look at `settings` of the resource; the lines below are the end of the server’s log',
    evidence: said,
    cause: error,
  });
}
