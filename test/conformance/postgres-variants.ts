/** The variants of the postgres resource that the conformance suite runs on, each with a real server. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { postgresDriver } from '../../src/resources/postgres/driver/postgres-driver.ts';
import { prepareForm } from '../../src/resources/postgres/embedded/embedded-form.ts';
import { makeTemplate, superuser } from '../../src/resources/postgres/embedded/make-template.ts';
import { runServer } from '../../src/resources/postgres/embedded/run-server.ts';
import type { PostgresSpec } from '../../src/system/system.ts';
import { type ConformanceVariant, listens, type Provisioned } from './postgres-conformance.ts';
import { createTestContext, type TestContext } from './resource-context.ts';

export const plainSpec: PostgresSpec = { kind: 'postgres', name: 'db', share: 'database', settings: {} };

export async function embeddedVariant(): Promise<ConformanceVariant> {
  const cacheFolder = mkdtempSync(path.join(tmpdir(), 'shakedown-cache-'));
  const contexts: TestContext[] = [];
  const provisioned: Provisioned[] = [];
  return {
    provision: async ({ share = 'database', consumers = [], settings = {} }) => {
      const context = createTestContext({ consumers, cacheFolder });
      contexts.push(context);
      const resource = await postgresDriver.provision({ ...plainSpec, share, settings }, context);
      provisioned.push({ resource, context });
      return { resource, context };
    },
    leftovers: async () => {
      const processes = contexts.flatMap((context) => context.processesLeft().map((pid) => `process ${pid}`));
      const open = await Promise.all(
        provisioned.map(async ({ resource }) =>
          (await listens(resource.endpoint.port)) ? [`port ${resource.endpoint.port}`] : [],
        ),
      );
      return [...processes, ...open.flat()];
    },
    clear: async () => {
      await Promise.all(provisioned.splice(0).map(({ resource }) => resource.stop()));
      for (const context of contexts.splice(0)) context.clear();
    },
    close: async () => rmSync(cacheFolder, { recursive: true, force: true }),
  };
}

/** A server in the role of the user's own. */
export interface UsersServer {
  /** As a superuser. */
  readonly url: string;
  query(statement: string): Promise<readonly Record<string, unknown>[]>;
  /** Databases and roles that Shakedown made. */
  marked(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface UsersServerOptions {
  /** Instead of the embedded package. */
  readonly installation?: { readonly bin: string; readonly version: string };
  /** Made when the data folder is there, whose owner the server runs as. */
  readonly settings?: (folder: string, dataFolder: string) => Readonly<Record<string, string>>;
}

export async function startUsersServer({
  installation,
  settings,
}: UsersServerOptions = {}): Promise<UsersServer> {
  const context = createTestContext();
  chmodSync(context.folder, 0o755);
  const found = await prepareForm(plainSpec, context);
  const binaries = installation
    ? {
        name: 'installed',
        version: installation.version,
        native: installation.bin,
        initdb: path.join(installation.bin, 'initdb'),
        postgres: path.join(installation.bin, 'postgres'),
      }
    : found.binaries;
  const form = { ...found, binaries };
  const password = 'p@ss/w:rd?ü';
  const { dataFolder } = await makeTemplate(form, path.join(context.folder, 'theirs'), password);
  const running = await runServer(form, {
    dataFolder,
    settings: settings?.(context.folder, dataFolder) ?? {},
    step: false,
  });
  const url = `postgresql://${superuser}:${encodeURIComponent(password)}@127.0.0.1:${running.port}/postgres`;
  const client = new Client({ connectionString: url });
  await client.connect();
  const query = async (statement: string): Promise<readonly Record<string, unknown>[]> =>
    (await client.query(statement)).rows;
  return {
    url,
    query,
    marked: async () => {
      const rows = await query(
        "SELECT 'database ' || datname AS made FROM pg_database WHERE datname LIKE 'shk%' UNION ALL SELECT 'role ' || rolname FROM pg_roles WHERE rolname LIKE 'shk%'",
      );
      return rows.map(({ made }) => String(made));
    },
    close: async () => {
      await client.end();
      await running.process.stop('SIGQUIT', 5_000);
      context.clear();
    },
  };
}

/** The same server, entered by a role that may make databases and roles and nothing else. */
export async function asOrdinaryAdmin(server: UsersServer): Promise<string> {
  await server.query("CREATE ROLE tenant_admin LOGIN CREATEDB CREATEROLE PASSWORD 'modest'");
  const url = new URL(server.url);
  url.username = 'tenant_admin';
  url.password = 'modest';
  return url.href;
}

export async function externalVariant(server: UsersServer, url: string): Promise<ConformanceVariant> {
  const contexts: TestContext[] = [];
  const provisioned: Provisioned[] = [];
  return {
    provision: async ({ share = 'database', consumers = [], settings = {} }) => {
      const context = createTestContext({ consumers });
      contexts.push(context);
      const resource = await postgresDriver.provision({ ...plainSpec, url, share, settings }, context);
      provisioned.push({ resource, context });
      return { resource, context };
    },
    leftovers: () => server.marked(),
    clear: async () => {
      for (const { resource } of provisioned.splice(0)) await resource.stop();
      for (const context of contexts.splice(0)) context.clear();
    },
    close: () => server.close(),
  };
}

/** Debian and Ubuntu keep theirs here; the newest one that is installed. */
export function installedPostgres(): { bin: string; version: string } | undefined {
  const versions = ['17', '16', '15', '14', '13'];
  return versions
    .map((version) => ({ bin: `/usr/lib/postgresql/${version}/bin`, version }))
    .find(({ bin }) => existsSync(`${bin}/initdb`));
}

export function readLog(context: { readonly logFile: string }): string {
  return existsSync(context.logFile) ? readFileSync(context.logFile, 'utf8') : '';
}
