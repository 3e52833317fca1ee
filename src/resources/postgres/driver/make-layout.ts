/** Makes the databases, schemas and roles of a layout on a server, or takes over those that a snapshot holds. */
import type { Random } from '../../../kernel/random.ts';
import { layoutStatements, type Verifiers } from '../layout-statements.ts';
import { type Layout, madeNames, ownPlaces } from '../plan-layout.ts';
import type { PostgresServer, SnapshotContents } from '../postgres-server.ts';
import { scramVerifier } from '../scram-verifier.ts';
import { openCopy } from '../snapshots/open-snapshots.ts';
import { quoteName, quoteText } from '../sql-names.ts';

/** `alsoClaimed` are databases that will be made later. */
export async function makeLayout(
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
export async function adoptLayout(
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
