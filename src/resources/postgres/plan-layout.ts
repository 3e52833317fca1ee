/** Plans which databases, schemas and roles a resource has and which consumer gets which. Pure. */
import type { Random } from '../../kernel/random.ts';
import type { PostgresSpec } from '../../system/system.ts';
import type { Consumer } from '../resource.ts';
import type { MadeNames, PostgresLogin } from './postgres-server.ts';
import { roleNames, schemaNames, sqlName } from './sql-names.ts';

/** Where a consumer's data is, and as which role it connects. */
export interface Place {
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly schema: string;
}

export interface Layout {
  readonly share: PostgresSpec['share'];
  /** Jobs come as the owner, to the main database. */
  readonly owner: Place;
  /** By name of the service. */
  readonly services: ReadonlyMap<string, Place>;
}

export interface LayoutNeeds {
  readonly share: PostgresSpec['share'];
  readonly prefix: string;
  readonly consumers: readonly Consumer[];
  readonly random: Random;
  /** The owner's, where consumers have it built in. */
  readonly login?: PostgresLogin | undefined;
}

export function planLayout({ share, prefix, consumers, random, login }: LayoutNeeds): Layout {
  const password = (): string => random.hex(32);
  const main = sqlName(`${prefix}main`);
  const own: PostgresLogin = { user: sqlName(`${prefix}owner`), password: password(), database: main };
  const owner: Place = { ...(login ?? own), schema: 'public' };
  const names = consumers.filter((consumer) => consumer.kind === 'service').map((consumer) => consumer.name);
  const services = [...new Set(names)].sort();
  if (share === 'database') return { share, owner, services: new Map(services.map((name) => [name, owner])) };

  const roles = roleNames(prefix, services);
  const schemas = schemaNames(services);
  const placeOf = (service: string): Place => {
    const role = roles.get(service) as string;
    return share === 'schema-per-service'
      ? { user: role, password: password(), database: main, schema: schemas.get(service) as string }
      : { user: role, password: password(), database: role, schema: 'public' };
  };
  return { share, owner, services: new Map(services.map((name) => [name, placeOf(name)])) };
}

/** The place of this consumer; the owner's for a consumer without its own. */
export function placeOf(layout: Layout, consumer: Consumer): Place {
  return (consumer.kind === 'service' ? layout.services.get(consumer.name) : undefined) ?? layout.owner;
}

/** The places with a role of their own: none when all share the owner's. */
export function ownPlaces(layout: Layout): readonly Place[] {
  return [...layout.services.values()].filter((place) => place.user !== layout.owner.user);
}

export function madeNames(layout: Layout): MadeNames {
  const places = [...ownPlaces(layout), layout.owner];
  return {
    databases: [...new Set(places.map((place) => place.database))],
    roles: places.map((place) => place.user),
  };
}
