/** PostgreSQL as a resource: a server, and in it a place for every consumer. */
import { Problems, problemsIn } from '../../../kernel/problem.ts';
import type { PostgresSpec } from '../../../system/system.ts';
import type { ProvisionedResource, ResourceContext, ResourceDriver } from '../../resource.ts';
import { startEmbeddedServer } from '../embedded/embedded-server.ts';
import { connectExternalServer, sweepExternalServer } from '../external/external-server.ts';
import { type Layout, madeNames, planLayout } from '../plan-layout.ts';
import type { PostgresServer } from '../postgres-server.ts';
import { dataPlaces, type ReferenceSource, referencesOf } from '../references-of.ts';
import { openSnapshots } from '../snapshots/open-snapshots.ts';
import { snapshotName } from '../snapshots/snapshot-name.ts';
import { adoptLayout, makeLayout } from './make-layout.ts';

export const postgresDriver: ResourceDriver<PostgresSpec> = {
  kind: 'postgres',
  provision: async (spec, context) => {
    const { server, layout } = await openFurnished(spec, context);
    const { endpoint, pid, summary, died, admin, urlParameters } = server;
    const source: ReferenceSource = { layout, admin, urlParameters };
    return {
      endpoint,
      ...(pid === undefined ? {} : { pid }),
      summary,
      died,
      references: (consumer, address) => referencesOf(source, consumer, address),
      places: () => dataPlaces(source, endpoint),
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
  { clock, snapshots: wishes }: ResourceContext,
): Pick<ProvisionedResource, 'snapshot' | 'restore' | 'keep' | 'stop'> {
  const snapshots = openSnapshots({ server, layout, clock, where: `resource ${spec.name}` });
  return {
    snapshot: snapshots.take,
    restore: snapshots.restore,
    stop: async () => {
      await snapshots.close();
      await server.stop();
    },
    ...(wishes?.key === undefined
      ? {}
      : {
          keep: async (signal) => void (await snapshots.keep(signal).catch(() => undefined)), // the next run makes it again
        }),
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
