/** The rows observer on a real database that is empty before each test. */
import { afterEach, beforeEach, expect } from 'vitest';
import { ObservationError, type Watch } from '../../src/observers/observer.ts';
import { type RowsQuery, rowsObserver } from '../../src/observers/rows/rows-observer.ts';
import { type ObservedDatabase, useObservedDatabase } from './observer-database.ts';
import { makeObserverSetup, type ObserverSetup } from './observer-setup.ts';

export interface RowsStage {
  readonly database: ObservedDatabase;
  readonly setup: () => ObserverSetup;
  readonly watch: () => Watch<RowsQuery>;
  /** At `health.things`, unless the query says otherwise. */
  readonly look: (query?: Partial<RowsQuery>) => Promise<unknown>;
  /** How it refuses: whether a retry may help, and with which text. */
  readonly refusal: (query: Partial<RowsQuery>) => Promise<string>;
}

/** To be called once at the top of a test file. */
export function useRows(): RowsStage {
  const database = useObservedDatabase();
  let setup: ObserverSetup;
  let watch: Watch<RowsQuery>;
  beforeEach(async () => {
    await database.query(`
      DROP SCHEMA IF EXISTS health, general, pantry CASCADE; CREATE SCHEMA health; CREATE SCHEMA general;
      DROP TABLE IF EXISTS public.everyone`);
    setup = makeObserverSetup(['health', 'general', 'stateless']);
    setup.databases.push(...database.places());
    watch = await rowsObserver.open(setup.context);
  });
  afterEach(async () => {
    await watch.close();
    setup.clear();
  });
  const look: RowsStage['look'] = (query = {}) =>
    watch.look({ service: 'health', table: 'things', ...query });
  const refusal: RowsStage['refusal'] = async (query) => {
    const error = await look(query).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ObservationError);
    return `${(error as ObservationError).retryable ? 'later' : 'never'}: ${(error as ObservationError).message}`;
  };
  return { database, setup: () => setup, watch: () => watch, look, refusal };
}
