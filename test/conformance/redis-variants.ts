/** The variants of the redis resource that the conformance suite runs on, each with a real server. */
import { redisDriver } from '../../src/resources/redis/driver/redis-driver.ts';
import type { ProvisionedResource } from '../../src/resources/resource.ts';
import type { RedisSpec } from '../../src/system/system.ts';
import { connectTo, type RedisVariant } from './redis-conformance.ts';
import { createTestContext, type TestContext } from './resource-context.ts';

export const plainSpec: RedisSpec = { kind: 'redis', name: 'cache', settings: {} };

/** A server in the role of the user's own. */
export interface UsersRedis {
  readonly url: string;
  readonly resource: ProvisionedResource;
  /** Each database that is not empty, with its keys. */
  contents(): Promise<Readonly<Record<string, readonly string[]>>>;
  close(): Promise<void>;
}

export async function startUsersRedis(settings: RedisSpec['settings'] = {}): Promise<UsersRedis> {
  const context = createTestContext();
  const resource = await redisDriver.provision({ ...plainSpec, settings }, context);
  const { password, port } = resource.references({ kind: 'job', name: 'x' }, resource.endpoint);
  const url = `redis://${password === '' ? '' : `:${password}@`}127.0.0.1:${port}`;
  return {
    url,
    resource,
    contents: async () => {
      const found: Record<string, readonly string[]> = {};
      for (let database = 0; database < Number(settings.databases ?? 16); database += 1) {
        const link = await connectTo(`${url}/${database}`);
        const keys = (await link.do('KEYS', '*')) as readonly Buffer[];
        if (keys.length > 0) found[database] = keys.map(String).sort();
        link.close();
      }
      return found;
    },
    close: async () => {
      await resource.stop();
      context.clear();
    },
  };
}

export async function binaryVariant(): Promise<RedisVariant> {
  const contexts: TestContext[] = [];
  return {
    provision: async () => {
      const context = createTestContext({ snapshots: {} });
      contexts.push(context);
      return { resource: await redisDriver.provision(plainSpec, context), context };
    },
    leftovers: async () =>
      contexts.flatMap((context) => context.processesLeft().map((pid) => `process ${pid}`)),
    clear: async () => {
      for (const context of contexts.splice(0)) context.clear();
    },
  };
}

export async function urlVariant(server: () => UsersRedis): Promise<RedisVariant> {
  const provisioned: { readonly resource: ProvisionedResource; readonly context: TestContext }[] = [];
  return {
    provision: async () => {
      const context = createTestContext({ snapshots: {} });
      const resource = await redisDriver.provision({ ...plainSpec, url: server().url }, context);
      provisioned.push({ resource, context });
      return { resource, context };
    },
    leftovers: async () => Object.keys(await server().contents()),
    clear: async () => {
      for (const { resource, context } of provisioned.splice(0)) {
        await resource.stop();
        context.clear();
      }
    },
  };
}
