/** The embedded form of PostgreSQL: a server of the environment's own, from an npm package, without docker and without an account. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Client } from 'pg';
import { limits } from '../../../kernel/limits.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { PostgresSpec } from '../../../system/system.ts';
import type { ResourceContext } from '../../resource.ts';
import { openSession } from '../open-session.ts';
import type { PostgresLogin, PostgresServer, SnapshotContents } from '../postgres-server.ts';
import { scramVerifier } from '../scram-verifier.ts';
import { quoteText } from '../sql-names.ts';
import { removeData } from './copy-folder.ts';
import { dropSnapshot, keepSnapshot } from './data-cache.ts';
import { type EmbeddedForm, prepareForm } from './embedded-form.ts';
import { endRemains } from './end-remains.ts';
import { host, inFirstSession, sessionFailed } from './first-session.ts';
import { mainDatabase, maintenanceDatabase, superuser } from './make-template.ts';
import { dropTemplate, type PreparedData, prepareData } from './prepare-data.ts';
import { type RunningServer, runServer } from './run-server.ts';

/** A server whose administrator's password is known only here. */
interface OwnServer extends RunningServer {
  readonly session: Client;
  readonly admin: PostgresLogin;
  readonly dataFolder: string;
  readonly stored?: SnapshotContents;
}

export async function startEmbeddedServer(
  spec: PostgresSpec,
  context: ResourceContext,
  useStored = false,
): Promise<PostgresServer> {
  const form = await prepareForm(spec, context);
  const server = await bringUp(form, spec, useStored);
  const { port, admin, session, dataFolder, stored } = server;
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
    maintenanceDatabase,
    isOwn: true,
    ...(stored ? { stored } : {}),
    prefix: '',
    mainIsMade: true,
    ownerRights: 'CREATEDB CREATEROLE',
    createDatabaseWith: 'STRATEGY FILE_COPY',
    adminJoinsRoles: false,
    databaseSettings: {},
    urlParameters: {},
    connect: (database) => openSession({ host, port, ...admin, database, ssl: false }),
    claim: async () => {},
    keep: async (contents, signal) => {
      stopping = true;
      // A clean shutdown: a server started from this data needs no recovery.
      await server.process.stop('SIGINT', limits.stopWithinMs);
      if (existsSync(path.join(dataFolder, 'postmaster.pid'))) return; // it had to be killed
      // The boot's own signal is given up by now.
      const unhurried = { ...form, context: { ...context, signal } };
      await keepSnapshot(unhurried, { dataFolder, password: admin.password, contents });
    },
    forgetStored: () => dropSnapshot(form),
    explain: (error) => sessionFailed(form.where, error, []),
    stop: async () => {
      stopping = true;
      // Immediate: the data is thrown away, so nothing is gained by writing it down.
      await server.process.stop('SIGQUIT', limits.stopWithinMs);
      await endRemains(form, dataFolder);
    },
  };
}

/** Data from the cache that no server runs on is made again: first without the snapshot, then without the template. */
async function bringUp(
  form: EmbeddedForm,
  spec: PostgresSpec,
  useStored: boolean,
  triesLeft = 2,
): Promise<OwnServer> {
  const data = await prepareData(form, useStored);
  try {
    return await openServer(form, spec, data);
  } catch (error) {
    const hopeless = error instanceof Problem && error.code !== 'boot.resource-failed';
    if (data.from === 'nothing' || hopeless || triesLeft === 0 || form.context.signal.aborted) throw error;
    await (data.from === 'snapshot' ? dropSnapshot(form) : dropTemplate(form));
    await removeData(form, data.dataFolder);
    return bringUp(form, spec, false, triesLeft - 1);
  }
}

async function openServer(form: EmbeddedForm, spec: PostgresSpec, data: PreparedData): Promise<OwnServer> {
  const { context } = form;
  const running = await runServer(form, {
    dataFolder: data.dataFolder,
    settings: spec.settings,
    step: false,
  });
  const random = context.random.fork('superuser');
  const admin = { user: superuser, password: random.hex(32), database: mainDatabase };
  try {
    const database = data.contents ? maintenanceDatabase : admin.database;
    const login = { ...admin, database, password: data.password };
    const session = await inFirstSession(form, running.port, login, async (opened) => {
      const verifier = await scramVerifier(admin.password, random);
      await opened.query(`ALTER ROLE ${superuser} PASSWORD ${quoteText(verifier)}`);
      return opened;
    });
    const stored = data.contents ? { stored: data.contents } : {};
    return { ...running, session, admin, dataFolder: data.dataFolder, ...stored };
  } catch (error) {
    await running.process.stop('SIGQUIT', limits.stopWithinMs);
    throw error;
  }
}
