/** The embedded form of PostgreSQL: a server of the environment's own, from an npm package, without docker and without an account. */
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
import { dropSnapshot, keepSnapshot, setAside } from './data-cache.ts';
import { type EmbeddedForm, prepareForm } from './embedded-form.ts';
import { endRemains } from './end-remains.ts';
import { host, inFirstSession, sessionFailed } from './first-session.ts';
import { mainDatabase, maintenanceDatabase, superuser } from './make-template.ts';
import { dropTemplate, type PreparedData, prepareData } from './prepare-data.ts';
import { type RunningServer, runServer } from './run-server.ts';
import { openLife, type ServerLife } from './server-life.ts';

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
  const { admin, session, dataFolder, stored } = server;
  const life = openLife(form, { dataFolder, settings: spec.settings, step: false }, server);
  return {
    get endpoint() {
      return { host, port: life.running.port };
    },
    get pid() {
      return life.running.process.pid;
    },
    summary: `PostgreSQL ${form.binaries.version}, embedded`,
    died: life.died,
    admin: { ...admin, database: spec.login?.database ?? admin.database },
    session,
    maintenanceDatabase: spareDatabase(spec),
    isOwn: true,
    ...(stored ? { stored } : {}),
    prefix: '',
    mainIsMade: [undefined, mainDatabase, maintenanceDatabase].includes(spec.login?.database),
    // The user of a database that it stands in for may do everything there.
    ownerRights: spec.login ? 'SUPERUSER' : 'CREATEDB CREATEROLE',
    createDatabaseWith: 'STRATEGY FILE_COPY',
    adminJoinsRoles: false,
    databaseSettings: {},
    urlParameters: {},
    connect: (database) => openSession({ host, port: life.running.port, ...admin, database, ssl: false }),
    claim: async () => {},
    ...(context.snapshots?.key === undefined ? {} : keeping(form, server, life)),
    forgetStored: () => dropSnapshot(form),
    explain: (error) => sessionFailed(form.where, error, []),
    stop: async () => {
      await life.end();
      await endRemains(form, dataFolder);
    },
  };
}

/** The database that no consumer has: the other of the two that are there, where consumers know one by its name. */
function spareDatabase({ login }: PostgresSpec): string {
  return login?.database === maintenanceDatabase ? mainDatabase : maintenanceDatabase;
}

/**
 * What a service writes leaves traces outside of its rows: names, a write-ahead log. Where it may be secret, only a copy of
 * before is kept; elsewhere the data itself is, which takes less time.
 */
function keeping(
  form: EmbeddedForm,
  { dataFolder, admin }: OwnServer,
  life: ServerLife,
): Pick<PostgresServer, 'setAside' | 'keep'> {
  const { context } = form;
  const store = (folder: string, contents: SnapshotContents, signal: AbortSignal): Promise<void> =>
    // The boot's own signal is given up by now.
    keepSnapshot(
      { ...form, context: { ...context, signal } },
      { dataFolder: folder, password: admin.password, contents },
    );
  if (!Object.values(context.secrets).some(Boolean))
    return {
      keep: async (contents, signal) => {
        if (await life.shutDown()) await store(dataFolder, contents, signal);
      },
    };
  let aside: string | undefined;
  return {
    setAside: () =>
      life.pause(async () => {
        aside = await setAside(form, dataFolder);
      }),
    keep: async (contents, signal) => {
      if (aside !== undefined) await store(aside, contents, signal);
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
    const database = data.contents ? spareDatabase(spec) : admin.database;
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
