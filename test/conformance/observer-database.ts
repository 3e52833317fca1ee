/** A real PostgreSQL with a schema for each of two services, for the observers that look into databases. */
import { Client } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import type { DatabaseFacts } from '../../src/journal/environment-facts.ts';
import { type ConformanceVariant, service } from './postgres-conformance.ts';
import { embeddedVariant } from './postgres-variants.ts';

export interface ObservedDatabase {
  /** Places as the keeper reports them: one for each service, and what all share. */
  places(): readonly DatabaseFacts[];
  query(statement: string): Promise<readonly Record<string, unknown>[]>;
  /** Connections of observers that are open now. */
  observing(): Promise<number>;
  /** Stops the server for good. */
  stop(): Promise<void>;
}

export const observedServices = ['health', 'general'];

/** To be called once at the top of a test file or a `describe`. */
export function useObservedDatabase(): ObservedDatabase {
  let variant: ConformanceVariant | undefined;
  let client: Client | undefined;
  let places: readonly DatabaseFacts[] = [];
  beforeAll(async () => {
    variant = await embeddedVariant();
    const consumers = observedServices.map(service);
    const { resource } = await variant.provision({ share: 'schema-per-service', consumers });
    const { adminUrl = '', database = '' } = resource.references(service('health'), resource.endpoint);
    const url = new URL(adminUrl);
    url.pathname = `/${database}`;
    const place = (owner: string | null): DatabaseFacts => ({
      resource: 'db',
      service: owner,
      url: url.href,
      schema: owner,
    });
    places = [...observedServices.map(place), place(null)];
    client = new Client({ connectionString: url.href });
    client.on('error', () => {});
    await client.connect();
  });
  afterAll(async () => {
    await client?.end().catch(() => undefined); // the server has gone first
    await variant?.clear();
    await variant?.close();
  });
  const query = async (statement: string): Promise<readonly Record<string, unknown>[]> => {
    const answer: unknown = await client?.query(statement);
    return (answer as { rows?: readonly Record<string, unknown>[] }).rows ?? [];
  };
  return {
    places: () => places,
    query,
    observing: async () => {
      const [row] = await query(
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'shakedown observer'",
      );
      return Number(row?.n);
    },
    stop: async () => variant?.clear(),
  };
}
