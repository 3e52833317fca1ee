/** The snapshot of a resource: on the embedded server, and on the user's own server. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { connect, useEmbedded } from '../../../../test/conformance/embedded-harness.ts';
import {
  asOrdinaryAdmin,
  plainSpec,
  startUsersServer,
  type UsersServer,
} from '../../../../test/conformance/postgres-variants.ts';
import { createTestContext, type TestContext } from '../../../../test/conformance/resource-context.ts';
import { systemClock } from '../../../kernel/clock.ts';
import type { PostgresSpec } from '../../../system/system.ts';
import type { Consumer, ProvisionedResource } from '../../resource.ts';
import { postgresDriver } from '../driver/postgres-driver.ts';

const migrate: Consumer = { kind: 'job', name: 'migrate' };
const chef: Consumer = { kind: 'service', name: 'chef' };
const shares: readonly PostgresSpec['share'][] = ['database', 'schema-per-service', 'database-per-service'];

function urlOf(resource: ProvisionedResource, consumer: Consumer): string {
  return resource.references(consumer, resource.endpoint).url ?? '';
}

/** What the job made is there, and nothing that was made later; places, rights and settings are as before. */
async function behaves(resource: ProvisionedResource): Promise<void> {
  const asChef = () => connect(resource, urlOf(resource, chef));
  const maker = await asChef();
  await maker.query('CREATE TABLE dishes (id serial PRIMARY KEY, name text NOT NULL)');
  await maker.query("INSERT INTO dishes (name) VALUES ('soup')");
  const before = (await maker.query('SELECT current_schema() AS at')).rows;
  // No client has to disconnect by itself.
  await resource.snapshot?.();
  for (const round of [1, 2]) {
    const spoiler = await asChef();
    await spoiler.query("INSERT INTO dishes (name) VALUES ('pie')");
    await spoiler.query('CREATE TABLE more (n int)');
    await resource.restore?.();
    const looker = await asChef();
    const { rows } = await looker.query('SELECT id, name FROM dishes ORDER BY id');
    expect(rows, `round ${round}`).toEqual([{ id: 1, name: 'soup' }]);
    expect((await looker.query("SELECT to_regclass('more') AS more")).rows).toEqual([{ more: null }]);
    expect((await looker.query('SELECT current_schema() AS at')).rows).toEqual(before);
    expect((await looker.query("INSERT INTO dishes (name) VALUES ('tea') RETURNING id")).rows).toEqual([
      { id: 2 },
    ]);
    await looker.end();
  }
  const owner = await connect(resource, urlOf(resource, migrate));
  await owner.query('CREATE TABLE of_the_owner (n int)');
  await owner.end();
}

describe('embedded', () => {
  const { newContext } = useEmbedded();

  test.each(shares)('%s: restored as often as wanted', async (share) => {
    const context = newContext({ consumers: [migrate, chef], snapshots: {} });
    const resource = await postgresDriver.provision({ ...plainSpec, share }, context);
    await behaves(resource);
    await resource.stop();
  });

  test('without a request there is none', async () => {
    const resource = await postgresDriver.provision(plainSpec, newContext());
    expect(resource.snapshot).toBeUndefined();
    expect(resource.restore).toBeUndefined();
    await resource.stop();
  });

  test('a service’s database refuses all others, before and after', async () => {
    const home: Consumer = { kind: 'service', name: 'home' };
    const context = newContext({ consumers: [chef, home], snapshots: {} });
    const spec = { ...plainSpec, share: 'database-per-service' } as const;
    const resource = await postgresDriver.provision(spec, context);
    await resource.snapshot?.();
    await resource.restore?.();
    const wrong = new URL(urlOf(resource, home));
    wrong.pathname = '/chef';
    await expect(connect(resource, wrong.href)).rejects.toThrow(/permission denied for database/);
    await resource.stop();
  });

  test('what a job made outside its own database is part of it; what came later is not', async () => {
    const resource = await postgresDriver.provision(plainSpec, newContext({ snapshots: {} }));
    const owner = await connect(resource);
    await owner.query('CREATE DATABASE archive');
    await resource.snapshot?.();
    const later = await connect(resource);
    await later.query('CREATE DATABASE tenant');
    await later.query('CREATE ROLE guest');
    await later.query('DROP DATABASE archive');
    await resource.restore?.();
    const admin = await connect(resource);
    const { rows } = await admin.query(
      "SELECT datname AS name FROM pg_database WHERE datallowconn AND NOT datistemplate UNION ALL SELECT rolname FROM pg_roles WHERE rolname = 'guest' ORDER BY 1",
    );
    expect(rows).toEqual([{ name: 'archive' }, { name: 'main' }, { name: 'postgres' }]);
    await admin.end();
    await resource.stop();
  });

  test('a system that terminates all connections does not prevent the restore', async () => {
    const resource = await postgresDriver.provision(plainSpec, newContext({ snapshots: {} }));
    await resource.snapshot?.();
    const { adminUrl } = resource.references(migrate, resource.endpoint);
    const rude = await connect(resource, adminUrl);
    await rude.query(
      'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE pid <> pg_backend_pid()',
    );
    await rude.query('CREATE TABLE later (n int)');
    await resource.restore?.();
    const looker = await connect(resource, adminUrl);
    expect((await looker.query("SELECT to_regclass('later') AS later")).rows).toEqual([{ later: null }]);
    await looker.end();
    await resource.stop();
  });

  test('an obstacle is reported with the server’s own message', async () => {
    const spec = { ...plainSpec, settings: { max_prepared_transactions: '2' } };
    const resource = await postgresDriver.provision(spec, newContext({ snapshots: {} }));
    await resource.snapshot?.();
    const holder = await connect(resource);
    await holder.query('BEGIN; CREATE TABLE held (n int)');
    await holder.query("PREPARE TRANSACTION 'held'");
    await expect(resource.restore?.()).rejects.toMatchObject({
      code: 'boot.resource-failed',
      what: expect.stringMatching(/could not be restored: .*prepared transactions/),
    });
    await resource.stop();
  });
});

describe('a server of the user’s', () => {
  let server: UsersServer;
  let url: string;
  const contexts: TestContext[] = [];
  beforeAll(async () => {
    server = await startUsersServer();
    url = await asOrdinaryAdmin(server);
  });
  afterEach(() => {
    for (const context of contexts.splice(0)) context.clear();
  });
  afterAll(() => server.close());

  test.each(shares)('%s: restored as often as wanted, and nothing stays', async (share) => {
    const context = createTestContext({ label: 'k3f9', consumers: [migrate, chef], snapshots: {} });
    contexts.push(context);
    const spec = { ...plainSpec, url, share, settings: { work_mem: '5MB' } };
    const resource = await postgresDriver.provision(spec, context);
    await behaves(resource);
    const client = await connect(resource, urlOf(resource, chef));
    expect((await client.query('SHOW work_mem')).rows).toEqual([{ work_mem: '5MB' }]);
    await client.end();
    const claimed = context.intended.flatMap(({ databases }) => databases);
    const made = (await server.marked()).flatMap((name) => /^database (.*)$/.exec(name)?.[1] ?? []);
    expect([...claimed].sort()).toEqual([...made].sort());
    expect(claimed).toContain('shk_k3f9_db_main@snapshot');
    await resource.stop();
    expect(await server.marked()).toEqual([]);
  });

  test('after a crash the sweep removes the copies, too', async () => {
    const context = createTestContext({ consumers: [chef], snapshots: {} });
    contexts.push(context);
    const spec = { ...plainSpec, url, share: 'database-per-service' } as const;
    const resource = await postgresDriver.provision(spec, context);
    await resource.snapshot?.();
    for (const thing of context.intended) await postgresDriver.sweep(thing, spec, {}, systemClock);
    expect(await server.marked()).toEqual([]);
  });
});
