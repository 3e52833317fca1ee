/** Prints a layout as SQL, in as few statements to send as PostgreSQL allows. Pure. */
import { type Layout, ownPlaces, type Place } from './plan-layout.ts';
import type { PostgresServer } from './postgres-server.ts';
import { quoteName, quoteText } from './sql-names.ts';

export interface LayoutStatements {
  /** One text for the administrator's session. */
  readonly roles: string;
  /** One at a time: `CREATE DATABASE` must be alone. */
  readonly databases: readonly string[];
  /** One text, sent inside the main database. Empty when there is nothing to do there. */
  readonly inMain: string;
}

/** By role, the verifier of its password. */
export type Verifiers = ReadonlyMap<string, string>;

type ServerTraits = Pick<
  PostgresServer,
  'ownerRights' | 'adminJoinsRoles' | 'mainIsMade' | 'createDatabaseWith' | 'databaseSettings'
>;

const grantedKinds = ['TABLES', 'SEQUENCES', 'ROUTINES', 'TYPES', 'SCHEMAS'];

export function layoutStatements(
  layout: Layout,
  server: ServerTraits,
  verifiers: Verifiers,
): LayoutStatements {
  const places = ownPlaces(layout);
  const owner = quoteName(layout.owner.user);
  const main = quoteName(layout.owner.database);
  const roles = [
    createRole(layout.owner, verifiers, server.ownerRights),
    ...places.map((place) => createRole(place, verifiers, membership(layout))),
    ...(server.adminJoinsRoles
      ? [
          `GRANT ${[layout.owner, ...places].map((place) => quoteName(place.user)).join(', ')} TO CURRENT_USER`,
        ]
      : []),
    ...(server.mainIsMade ? [`ALTER DATABASE ${main} OWNER TO ${owner}`] : []),
  ];
  const databases = [
    ...(server.mainIsMade ? [] : createDatabase(layout.owner, server)),
    ...(layout.share === 'database-per-service'
      ? places.flatMap((place) => createServiceDatabase(place, server))
      : []),
  ];
  const inMain =
    layout.share === 'schema-per-service' ? places.flatMap((place) => createSchema(place, owner)) : [];
  return { roles: roles.join(';\n'), databases, inMain: inMain.join(';\n') };
}

function createRole(place: Place, verifiers: Verifiers, clauses: string): string {
  const verifier = quoteText(verifiers.get(place.user) as string);
  return `CREATE ROLE ${quoteName(place.user)} LOGIN PASSWORD ${verifier} ${clauses}`;
}

/**
 * With schemas, jobs make tables as the owner and services use them: a service is a member of the owner.
 * With databases, jobs come to a service's database as that service, and the owner may look everywhere: it is a member of all.
 */
function membership(layout: Layout): string {
  const owner = quoteName(layout.owner.user);
  return layout.share === 'schema-per-service' ? `IN ROLE ${owner}` : `ROLE ${owner}`;
}

function createDatabase(place: Place, server: ServerTraits): readonly string[] {
  const database = quoteName(place.database);
  const settings = Object.entries(server.databaseSettings).map(
    ([name, value]) => `ALTER DATABASE ${database} SET ${settingName(name)} TO ${quoteText(value)}`,
  );
  return [
    `CREATE DATABASE ${database} OWNER ${quoteName(place.user)} ${server.createDatabaseWith}`,
    ...settings,
  ];
}

function createServiceDatabase(place: Place, server: ServerTraits): readonly string[] {
  return [
    ...createDatabase(place, server),
    `REVOKE CONNECT ON DATABASE ${quoteName(place.database)} FROM PUBLIC`,
  ];
}

/** The search path belongs to the role, so that every client in every language gets the right schema without a parameter. */
function createSchema(place: Place, owner: string): readonly string[] {
  const role = quoteName(place.user);
  const schema = quoteName(place.schema);
  return [
    `CREATE SCHEMA ${schema} AUTHORIZATION ${role}`,
    `GRANT ALL ON SCHEMA ${schema} TO ${owner}`,
    `ALTER ROLE ${role} IN DATABASE ${quoteName(place.database)} SET search_path TO ${schema}, public`,
    ...grantedKinds.map(
      (kind) => `ALTER DEFAULT PRIVILEGES FOR ROLE ${role} GRANT ALL ON ${kind} TO ${owner}`,
    ),
  ];
}

function settingName(name: string): string {
  return name.split('.').map(quoteName).join('.');
}
