/** PostgreSQL as a resource: a server, and in it a place for every consumer. */
import { Problems, problemsIn } from '../../kernel/problem.ts';
import type { PostgresSpec } from '../../system/system.ts';
import type { ResourceContext, ResourceDriver } from '../resource.ts';
import { startEmbeddedServer } from './embedded/embedded-server.ts';
import { connectExternalServer, sweepExternalServer } from './external/external-server.ts';
import { makeLayout } from './make-layout.ts';
import { type Layout, planLayout } from './plan-layout.ts';
import type { PostgresServer } from './postgres-server.ts';
import { postgresReferenceNames, referencesOf } from './references-of.ts';

export const postgresDriver: ResourceDriver<PostgresSpec> = {
  kind: 'postgres',
  referenceNames: postgresReferenceNames,
  provision: async (spec, context) => {
    const server = await openServer(spec, context);
    const layout = await furnish(server, spec, context);
    const { endpoint, pid, summary, died, admin, urlParameters } = server;
    return {
      endpoint,
      ...(pid === undefined ? {} : { pid }),
      summary,
      died,
      references: (consumer, address) => referencesOf({ layout, admin, urlParameters }, consumer, address),
      stop: () => server.stop(),
    };
  },
  sweep: sweepExternalServer,
};

function openServer(spec: PostgresSpec, context: ResourceContext): Promise<PostgresServer> {
  return spec.url === undefined
    ? startEmbeddedServer(spec, context)
    : connectExternalServer(spec, spec.url, context);
}

/** Makes every consumer's place; when that fails, the server and what was made on it go again. */
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
  try {
    signal.throwIfAborted();
    await makeLayout(server, layout, random.fork('salts'));
    signal.throwIfAborted();
    return layout;
  } catch (error) {
    const failure = signal.aborted ? error : server.explain(error);
    await server.stop().catch((left: unknown) => {
      throw new Problems([...problemsIn(failure), ...problemsIn(left)]);
    });
    throw failure;
  } finally {
    await server.session.end().catch(() => 'the server has gone first');
  }
}
