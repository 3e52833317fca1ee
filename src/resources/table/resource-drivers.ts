/** Every kind of resource that can be provisioned, each loaded when a system has one. */
import type { ResourceSpec } from '../../system/system.ts';
import type { ResourceDriver } from '../resource.ts';

const drivers: { readonly [Kind in ResourceSpec['kind']]: () => Promise<ResourceDriver> } = {
  model: async () => (await import('../model/driver/model-driver.ts')).modelDriver,
  http: async () => (await import('../http/driver/http-peer-driver.ts')).httpPeerDriver,
  telemetry: async () => (await import('../telemetry/telemetry-driver.ts')).telemetryDriver,
  redis: async () => (await import('../redis/driver/redis-driver.ts')).redisDriver,
  sqlite: async () => (await import('../sqlite/sqlite-driver.ts')).sqliteDriver,
  volume: async () => (await import('../volume/volume-driver.ts')).volumeDriver,
  postgres: async () => (await import('../postgres/driver/postgres-driver.ts')).postgresDriver,
};

export function driverFor(spec: ResourceSpec): Promise<ResourceDriver> {
  return drivers[spec.kind]();
}
