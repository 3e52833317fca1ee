/** Every kind of resource that can be provisioned. */
import type { ResourceSpec } from '../system/system.ts';
import { postgresDriver } from './postgres/postgres-driver.ts';
import type { ResourceDriver } from './resource.ts';

const drivers: { readonly [Kind in ResourceSpec['kind']]: ResourceDriver } = { postgres: postgresDriver };

export function driverFor(spec: ResourceSpec): ResourceDriver {
  return drivers[spec.kind];
}
