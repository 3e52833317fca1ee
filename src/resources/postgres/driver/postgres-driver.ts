/** PostgreSQL as a resource: a server, and in it a place for every consumer. */
import { Problems, problemsIn } from '../../../kernel/problem.ts';
import type { Random } from '../../../kernel/random.ts';
import type { PostgresSpec } from '../../../system/system.ts';
import type { ProvisionedResource, ResourceContext, ResourceDriver } from '../../resource.ts';
import { startContainerServer } from '../container/container-server.ts';
import { startEmbeddedServer } from '../embedded/embedded-server.ts';
import { connectExternalServer, sweepExternalServer } from '../external/external-server.ts';
import { layoutStatements, type Verifiers } from '../layout-statements.ts';
import { type Layout, madeNames, ownPlaces, planLayout } from '../plan-layout.ts';
import type { PostgresServer, SnapshotContents } from '../postgres-server.ts';
import { dataPlaces, type ReferenceSource, referencesOf } from '../references-of.ts';
import { scramVerifier } from '../scram-verifier.ts';
import { openCopy, openSnapshots } from '../snapshots/open-snapshots.ts';
import { quoteName, quoteText, snapshotName } from '../sql-names.ts';

export const postgresDriver: ResourceDriver<PostgresSpec> = {
  kind: 'postgres',
  provision: async (spec, context) => {
    const { server, layout } = await openFurnished(spec, context);
    const { summary, died, admin, urlParameters } = server;
    const source: ReferenceSource = { layout, admin, urlParameters };
    return {
      // Both change when the data is set aside.
      get endpoint() {
        return server.endpoint;
      },
      get pid() {
        return server.pid;
      },
      summary,
      died,
      references: (consumer, address) => referencesOf(source, consumer, address),
      places: () => dataPlaces(source, server.endpoint),
      isReused: server.stored !== undefined,
      stop: () => server.stop(),
      ...(context.snapshots ? withSnapshots(server, layout, spec, context) : {}),
    };
  },
  sweep: sweepExternalServer,
};

function withSnapshots(
  server: PostgresServer,
  layout: Layout,
  spec: PostgresSpec,
  { clock }: ResourceContext,
): Pick<ProvisionedResource, 'snapshot' | 'restore' | 'keep' | 'stop'> {
  const snapshots = openSnapshots({ server, layout, clock, where: `resource ${spec.name}` });
  return {
    snapshot: snapshots.take,
    restore: snapshots.restore,
    stop: async () => {
      await snapshots.close();
      await server.stop();
    },
    keep: async (signal) => void (await snapshots.keep(signal).catch(() => undefined)), // the next run makes it again
  };
}

interface Furnished {
  readonly server: PostgresServer;
  readonly layout: Layout;
}

/** What an earlier run stored and cannot be used is dropped, and everything is made again. */
async function openFurnished(
  spec: PostgresSpec,
  context: ResourceContext,
  useStored = true,
): Promise<Furnished> {
  const server = await openServer(spec, context, useStored);
  try {
    return { server, layout: await furnish(server, spec, context) };
  } catch (error) {
    if (!server.stored || context.signal.aborted) throw error;
    await server.forgetStored?.();
    return openFurnished(spec, context, false);
  }
}

function openServer(
  spec: PostgresSpec,
  context: ResourceContext,
  useStored: boolean,
): Promise<PostgresServer> {
  if (spec.image !== undefined) return startContainerServer(spec, spec.image, context);
  return spec.url === undefined
    ? startEmbeddedServer(spec, context, useStored)
    : connectExternalServer(spec, spec.url, context);
}

/** Makes every consumer's place; when that fails, the server and what was made on it are removed again. */
async function furnish(
  server: PostgresServer,
  spec: PostgresSpec,
  context: ResourceContext,
): Promise<Layout> {
  const { consumers, random, signal } = context;
  const layout = planLayout({
    share: spec.share,
    prefix: server.prefix,
    consumers,
    random: random.fork('places'),
    login: spec.login,
  });
  const copies = context.snapshots ? madeNames(layout).databases.map(snapshotName) : [];
  try {
    signal.throwIfAborted();
    if (server.stored) await adoptLayout(server, server.stored, layout, random.fork('salts'));
    else await makeLayout(server, layout, random.fork('salts'), copies);
    signal.throwIfAborted();
    return layout;
  } catch (error) {
    const failure = signal.aborted ? error : server.explain(error);
    await server.stop().catch((left: unknown) => {
      throw new Problems([...problemsIn(failure), ...problemsIn(left)]);
    });
    throw failure;
  } finally {
    await server.session.end().catch(() => undefined); // the server has gone first
  }
}

/** `alsoClaimed` are databases that will be made later. */
async function makeLayout(
  server: PostgresServer,
  layout: Layout,
  random: Random,
  alsoClaimed: readonly string[] = [],
): Promise<void> {
  const statements = layoutStatements(layout, server, await verifiersOf(layout, random));
  const made = madeNames(layout);
  await server.claim({ ...made, databases: [...made.databases, ...alsoClaimed] });
  await server.session.query(statements.roles);
  for (const statement of statements.databases) await server.session.query(statement);
  if (statements.inMain === '') return;
  if (server.mainIsMade) {
    await server.session.query(statements.inMain);
    return;
  }
  const inMain = await server.connect(layout.owner.database);
  try {
    await inMain.query(statements.inMain);
  } finally {
    await inMain.end();
  }
}

/** The roles are there, with passwords that are no longer known; the databases are there as copies. */
async function adoptLayout(
  server: PostgresServer,
  stored: SnapshotContents,
  layout: Layout,
  random: Random,
): Promise<void> {
  const verifiers = await verifiersOf(layout, random);
  const passwords = [...verifiers].map(
    ([user, verifier]) => `ALTER ROLE ${quoteName(user)} PASSWORD ${quoteText(verifier)}`,
  );
  await server.session.query(passwords.join(';\n'));
  for (const database of stored.databases) await openCopy(server.session, server, database);
}

async function verifiersOf(layout: Layout, random: Random): Promise<Verifiers> {
  const places = [layout.owner, ...ownPlaces(layout)];
  return new Map(
    await Promise.all(
      places.map(
        async ({ user, password }) => [user, await scramVerifier(password, random.fork(user))] as const,
      ),
    ),
  );
}
