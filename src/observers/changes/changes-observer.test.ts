import { chmodSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { useObservedDatabase } from '../../../test/conformance/observer-database.ts';
import { makeObserverSetup, type ObserverSetup } from '../../../test/conformance/observer-setup.ts';
import type { Watch } from '../observer.ts';
import { observerLimits } from '../observer-limits.ts';
import { type ChangesQuery, changesObserver } from './changes-observer.ts';

const database = useObservedDatabase();
let setup: ObserverSetup;
let watch: Watch<ChangesQuery> | undefined;

beforeEach(async () => {
  await database.query(`
    DROP SCHEMA IF EXISTS health, general, pantry CASCADE; CREATE SCHEMA health; CREATE SCHEMA general;
    DROP TABLE IF EXISTS public.everyone;
    CREATE TABLE health.things (id int PRIMARY KEY, note text); INSERT INTO health.things VALUES (1, 'a'), (2, 'b'), (3, 'c');
    CREATE TABLE general.pairs (a int, b text); INSERT INTO general.pairs VALUES (1, 'x'), (1, 'x'), (2, 'y');
    CREATE TABLE public.everyone (n int)`);
  setup = makeObserverSetup();
  setup.databases.push(...database.places());
});
afterEach(async () => {
  await watch?.close();
  setup.clear();
});

const begin = async (): Promise<void> => {
  watch = await changesObserver.open(setup.context);
};
const look = async (...kinds: ChangesQuery['kinds']): Promise<unknown> => watch?.look({ kinds });

describe('rows', () => {
  test('nothing happened, nothing changed', async () => {
    await begin();
    expect(await look('rows')).toEqual([]);
  });

  test('by key: inserted, updated, deleted', async () => {
    await begin();
    await database.query(`
      DELETE FROM health.things WHERE id = 3; UPDATE health.things SET note = 'B' WHERE id = 2;
      UPDATE health.things SET note = 'a' WHERE id = 1; INSERT INTO health.things VALUES (4, 'd')`);
    const place = { kind: 'row', service: 'health', table: 'things' };
    expect(await look('rows')).toEqual([
      { ...place, op: 'updated', before: { id: 2, note: 'b' }, row: { id: 2, note: 'B' } },
      { ...place, op: 'inserted', row: { id: 4, note: 'd' } },
      { ...place, op: 'deleted', row: { id: 3, note: 'c' } },
    ]);
  });

  test('without a key, rows are counted', async () => {
    await begin();
    await database.query(`
      DELETE FROM general.pairs WHERE ctid = (SELECT min(ctid) FROM general.pairs WHERE a = 1);
      INSERT INTO general.pairs VALUES (2, 'y'), (3, 'z')`);
    const place = { kind: 'row', service: 'general', table: 'pairs' };
    expect(await look('rows')).toEqual([
      { ...place, op: 'inserted', row: { a: 2, b: 'y' } },
      { ...place, op: 'inserted', row: { a: 3, b: 'z' } },
      { ...place, op: 'deleted', row: { a: 1, b: 'x' } },
    ]);
  });

  test('tables that are made, dropped and altered, and schemas that belong to no service', async () => {
    await begin();
    await database.query(`
      DROP TABLE general.pairs; ALTER TABLE health.things ADD hot boolean; DELETE FROM health.things WHERE id > 1;
      CREATE SCHEMA pantry; CREATE TABLE pantry.jars (n int); INSERT INTO pantry.jars VALUES (7);
      INSERT INTO public.everyone VALUES (5)`);
    expect(await look('rows')).toMatchObject([
      { service: 'general', table: 'pairs', op: 'deleted' },
      { service: 'general', table: 'pairs', op: 'deleted' },
      { service: 'general', table: 'pairs', op: 'deleted' },
      { service: 'health', op: 'updated', before: { id: 1, note: 'a' }, row: { id: 1, hot: null } },
      { service: 'health', op: 'deleted', row: { id: 2 } },
      { service: 'health', op: 'deleted', row: { id: 3 } },
      { service: null, table: 'pantry.jars', op: 'inserted', row: { n: 7 } },
      { service: null, table: 'everyone', op: 'inserted', row: { n: 5 } },
    ]);
  });

  test('a very large table is compared as a whole', async () => {
    await database.query(
      `INSERT INTO general.pairs SELECT n, 'many' FROM generate_series(10, ${observerLimits.baselineRows + 20}) n`,
    );
    await begin();
    expect(await look('rows')).toEqual([]);
    await database.query('UPDATE general.pairs SET a = 9 WHERE a = 10');
    expect(await look('rows')).toEqual([
      {
        kind: 'row',
        service: 'general',
        table: 'pairs',
        op: 'unknown',
        because: expect.stringMatching(/too large/),
      },
    ]);
  });

  test('a system without a database', async () => {
    setup.databases.splice(0, 9);
    await begin();
    await expect(look('rows')).rejects.toMatchObject({
      retryable: false,
      message: 'there is no database in this system',
    });
    expect(await look('files')).toEqual([]);
  });

  test('a database that was unreachable at the beginning', async () => {
    setup.databases.splice(0, 9, {
      resource: 'db',
      service: 'health',
      url: 'postgresql://a:b@127.0.0.1:1/c',
      schema: null,
    });
    await begin();
    await expect(look('rows')).rejects.toMatchObject({
      retryable: false,
      message: expect.stringMatching(/before is not known/),
    });
    expect(await look('files')).toEqual([]);
  });
});

describe('files', () => {
  const file = (name: string): string => path.join(setup.service('health').folders.dir, name);

  test('created, changed, deleted, in every folder of a service', async () => {
    for (const name of ['kept', 'changed', 'deleted', 'same', 'mode']) setup.write('health', name, 'old');
    symlinkSync('kept', file('link'));
    await begin();
    writeFileSync(file('changed'), 'new');
    writeFileSync(file('same'), 'old');
    chmodSync(file('mode'), 0o600);
    rmSync(file('deleted'));
    rmSync(file('link'));
    symlinkSync('changed', file('link'));
    writeFileSync(path.join(setup.service('general').folders.tmp, 'made'), '');
    const place = { kind: 'file', service: 'health' };
    expect(await look('files')).toEqual([
      { kind: 'file', service: 'general', path: 'tmp:made', op: 'created' },
      { ...place, path: 'changed', op: 'changed' },
      { ...place, path: 'deleted', op: 'deleted' },
      { ...place, path: 'link', op: 'changed' },
      { ...place, path: 'mode', op: 'changed' },
    ]);
  });

  test('a large file is known by its dates, and by its content while they are young', async () => {
    const large = Buffer.alloc(observerLimits.baselineFileBytes + 1, 'x');
    const longAgo = new Date('2026-01-01');
    setup.write('health', 'young', large);
    const old = setup.write('health', 'old', large);
    utimesSync(old, longAgo, longAgo);
    await begin();
    large[9] = 0;
    writeFileSync(file('young'), large);
    writeFileSync(old, large);
    utimesSync(old, longAgo, longAgo);
    expect(await look('files')).toMatchObject([
      { path: 'old', op: 'changed' },
      { path: 'young', op: 'changed' },
    ]);
  });
});
