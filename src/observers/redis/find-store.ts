/** Which store of keys is meant: a resource, or a service that speaks the protocol of Redis. Pure. */
import type { EnvironmentFacts } from '../../journal/environment-facts.ts';
import { type RedisTarget, redisTarget } from '../../resources/redis/redis-target.ts';
import { suggest } from '../find-service.ts';
import { ObservationError } from '../observer.ts';

export interface Store {
  readonly name: string;
  readonly target: RedisTarget;
  /** All of its databases belong to the environment. */
  readonly isWhole: boolean;
}

/** With the database that is asked for. */
export function findStore(facts: EnvironmentFacts, name: string, database?: number): Store {
  const store = storeNamed(facts, name);
  if (database === undefined || database === store.target.database) return store;
  if (!store.isWhole) {
    const own = store.target.database;
    throw new ObservationError(
      `database ${database} of ${name} does not belong to this environment; only ${own} does`,
    );
  }
  return { ...store, target: { ...store.target, database } };
}

/** Of a service, only where it says so in the config. */
export function declaredStores(facts: EnvironmentFacts): readonly Store[] {
  const services = facts.services.filter(({ listeners }) =>
    listeners.some(({ scheme }) => storeSchemes.includes(scheme)),
  );
  return [...facts.stores.map(({ resource }) => resource), ...services.map(({ name }) => name)].map((name) =>
    storeNamed(facts, name),
  );
}

const storeSchemes: readonly string[] = ['redis', 'valkey'];

function storeNamed({ stores, services }: EnvironmentFacts, name: string): Store {
  const resource = stores.find((one) => one.resource === name);
  if (resource) return { name, target: redisTarget(name, resource.url), isWhole: resource.isWhole };
  const service = services.find((one) => one.name === name);
  if (!service) {
    const names = [...stores.map((one) => one.resource), ...services.map((one) => one.name)];
    throw new ObservationError(`there is no store or service ${name}; ${suggest(name, names, 'there are')}`);
  }
  const listener =
    service.listeners.find(({ scheme }) => storeSchemes.includes(scheme)) ??
    service.listeners.find(({ scheme }) => scheme === 'tcp');
  if (!listener) {
    const because = service.listeners.length === 0 ? 'it has no listener now' : 'none of its listeners can';
    throw new ObservationError(
      `${name} does not speak the protocol of Redis: ${because}; write \`scheme: redis\` where it listens`,
      service.listeners.length === 0 ? 'later' : 'never',
    );
  }
  const { host, port } = listener;
  const { storePassword: password = '' } = service;
  return { name, target: { address: { host, port }, user: '', password, database: 0 }, isWhole: true };
}
