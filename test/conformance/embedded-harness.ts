/** What the tests of the embedded server share: contexts on one cache, cleared after each test. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, expect } from 'vitest';
import { Problem } from '../../src/kernel/problem.ts';
import { postgresDriver } from '../../src/resources/postgres/driver/postgres-driver.ts';
import type { Consumer, ProvisionedResource } from '../../src/resources/resource.ts';
import { plainSpec } from './postgres-variants.ts';
import { createTestContext, type TestContext, type TestContextOptions } from './resource-context.ts';

export const job: Consumer = { kind: 'job', name: 'look' };

export interface EmbeddedHarness {
  readonly cacheFolder: string;
  newContext(options?: TestContextOptions): TestContext;
  /** Fills the cache. */
  warm(): Promise<void>;
  /** The one template in the cache. */
  cacheEntry(): string;
}

/** To be called once at the top of a test file. */
export function useEmbedded(): EmbeddedHarness {
  const cacheFolder = mkdtempSync(path.join(tmpdir(), 'shakedown-cache-'));
  const contexts: TestContext[] = [];
  const newContext = (options: TestContextOptions = {}): TestContext => {
    const context = createTestContext({ cacheFolder, ...options });
    contexts.push(context);
    return context;
  };
  afterEach(() => {
    for (const context of contexts.splice(0)) context.clear();
  });
  afterAll(() => rmSync(cacheFolder, { recursive: true, force: true }));
  return {
    cacheFolder,
    newContext,
    warm: async () => (await postgresDriver.provision(plainSpec, newContext())).stop(),
    cacheEntry: () => {
      const [entry, ...others] = readdirSync(cacheFolder);
      expect(others).toEqual([]);
      return path.join(cacheFolder, entry as string);
    },
  };
}

export async function connect(
  resource: ProvisionedResource,
  url: string | undefined = resource.references(job, resource.endpoint).url,
): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

export async function failureOf(work: Promise<unknown>): Promise<Problem> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Problem);
  return error as Problem;
}

/** The programs that were started, by their last path part: `initdb`, `cp`, `postgres`. */
export function programs(context: TestContext): readonly string[] {
  const words = context.started.map(({ argv }) => (argv[0] === 'unshare' ? argv.slice(3) : argv));
  return words.map((argv) => path.basename(argv[0] ?? ''));
}
