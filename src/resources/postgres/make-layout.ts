/** Makes the databases, schemas and roles of a layout on a server. */
import type { Random } from '../../kernel/random.ts';
import { layoutStatements, type Verifiers } from './layout-statements.ts';
import { type Layout, madeNames, ownPlaces } from './plan-layout.ts';
import type { PostgresServer } from './postgres-server.ts';
import { scramVerifier } from './scram-verifier.ts';

export async function makeLayout(server: PostgresServer, layout: Layout, random: Random): Promise<void> {
  const statements = layoutStatements(layout, server, await verifiersOf(layout, random));
  await server.claim(madeNames(layout));
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
