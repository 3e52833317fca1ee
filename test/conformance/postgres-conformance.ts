/** What every form of the postgres resource must do, whichever party runs the server. */
import { connect as connectSocket } from 'node:net';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { formatProblem, Problem } from '../../src/kernel/problem.ts';
import { resourceKinds } from '../../src/kinds/resource-kinds.ts';
import type { Consumer, ProvisionedResource } from '../../src/resources/resource.ts';
import type { PostgresSpec } from '../../src/system/system.ts';
import type { TestContext } from './resource-context.ts';

export interface Provisioned {
  readonly resource: ProvisionedResource;
  readonly context: TestContext;
}

export interface ProvisionWish {
  readonly share?: PostgresSpec['share'];
  readonly consumers?: readonly Consumer[];
  readonly settings?: Readonly<Record<string, string>>;
}

/** One variant, ready to provision as often as a test wants. */
export interface ConformanceVariant {
  provision(wish: ProvisionWish): Promise<Provisioned>;
  /** Processes, databases, roles: whatever is still there of what was provisioned. */
  leftovers(): Promise<readonly string[]>;
  /** After each test. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

export const job = (name: string): Consumer => ({ kind: 'job', name });
export const service = (name: string): Consumer => ({ kind: 'service', name });

const butlers = [job('migrate'), service('chef'), service('home-keeper')];

export function postgresConformance(name: string, open: () => Promise<ConformanceVariant>): void {
  describe(`postgres, ${name}`, () => {
    let variant: ConformanceVariant;
    const sessions: Client[] = [];

    /** A session of this consumer's, made from nothing but its `url`. */
    const as = async ({ resource }: Provisioned, consumer: Consumer, url?: string): Promise<Client> => {
      const connectionString = url ?? resource.references(consumer, resource.endpoint).url;
      const client = new Client({ connectionString });
      client.on('error', () => {});
      await client.connect();
      sessions.push(client);
      return client;
    };

    beforeAll(async () => {
      variant = await open();
    });
    afterEach(async () => {
      await Promise.all(
        sessions.splice(0).map((session) => session.end().catch(() => 'the server has gone first')),
      );
      await variant.clear();
    });
    afterAll(() => variant.close());

    test('consumers of one shared database see the same rows', async () => {
      const made = await variant.provision({ share: 'database', consumers: butlers });
      const migrate = await as(made, job('migrate'));
      await migrate.query('CREATE TABLE letters (body text)');
      await (await as(made, service('chef'))).query("INSERT INTO letters VALUES ('soup')");
      const { rows } = await (await as(made, service('home-keeper'))).query('SELECT body FROM letters');
      expect(rows).toEqual([{ body: 'soup' }]);
    });

    test('in schemas of their own, two services use the same table name without a conflict', async () => {
      const made = await variant.provision({ share: 'schema-per-service', consumers: butlers });
      const chef = await as(made, service('chef'));
      const keeper = await as(made, service('home-keeper'));
      await chef.query("CREATE TABLE notes (body text); INSERT INTO notes VALUES ('of the chef')");
      await expect(keeper.query('SELECT * FROM notes')).rejects.toThrow(/relation "notes" does not exist/);
      await keeper.query("CREATE TABLE notes (body text); INSERT INTO notes VALUES ('of the keeper')");
      expect((await chef.query('SELECT body FROM notes')).rows).toEqual([{ body: 'of the chef' }]);
      expect((await keeper.query('SELECT body FROM notes')).rows).toEqual([{ body: 'of the keeper' }]);
      const where = await keeper.query('SELECT current_schema() AS schema, current_database() AS database');
      const { schema, database } = made.resource.references(service('home-keeper'), made.resource.endpoint);
      expect(where.rows).toEqual([{ schema, database }]);
      expect(schema).toBe('home_keeper');
    });

    test('what a job migrates, in a schema or in public, a service can use and alter', async () => {
      const made = await variant.provision({ share: 'schema-per-service', consumers: butlers });
      const migrate = await as(made, job('migrate'));
      expect((await migrate.query('SELECT current_schema() AS schema')).rows).toEqual([{ schema: 'public' }]);
      await migrate.query(
        'CREATE TABLE chef.recipes (id serial PRIMARY KEY, name text); CREATE TABLE everyone (n int)',
      );
      const chef = await as(made, service('chef'));
      await chef.query("INSERT INTO recipes (name) VALUES ('stew'); INSERT INTO everyone VALUES (1)");
      await chef.query('ALTER TABLE recipes ADD COLUMN hot boolean DEFAULT true');
      expect((await migrate.query('SELECT id, name, hot FROM chef.recipes')).rows).toEqual([
        { id: 1, name: 'stew', hot: true },
      ]);
      const keeper = await as(made, service('home-keeper'));
      expect((await keeper.query('SELECT n FROM everyone')).rows).toEqual([{ n: 1 }]);
    });

    test('the owner sees and changes what a service made, in any schema of its own making', async () => {
      const made = await variant.provision({ share: 'schema-per-service', consumers: butlers });
      const chef = await as(made, service('chef'));
      await chef.query("CREATE TABLE menu (id serial, dish text); INSERT INTO menu (dish) VALUES ('pie')");
      await chef.query(
        'CREATE SCHEMA pantry; CREATE TABLE pantry.jars (n int); INSERT INTO pantry.jars VALUES (7)',
      );
      await chef.query(
        "CREATE FUNCTION dishes() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM chef.menu'",
      );
      const owner = await as(made, job('migrate'));
      await owner.query("INSERT INTO chef.menu (dish) VALUES ('jam')");
      expect((await owner.query('SELECT dish FROM chef.menu ORDER BY id')).rows).toEqual([
        { dish: 'pie' },
        { dish: 'jam' },
      ]);
      expect((await owner.query('SELECT n FROM pantry.jars')).rows).toEqual([{ n: 7 }]);
      expect((await owner.query('SELECT chef.dishes()::int AS n')).rows).toEqual([{ n: 2 }]);
    });

    test('in databases of their own, no service can access another one, and the owner and its jobs can access all', async () => {
      const made = await variant.provision({ share: 'database-per-service', consumers: butlers });
      const { resource } = made;
      const chefPlace = resource.references(service('chef'), resource.endpoint);
      const keeperPlace = resource.references(service('home-keeper'), resource.endpoint);
      const urls = new Map(
        (resource.references(job('migrate'), resource.endpoint).urls ?? '').split(',').map((pair) => {
          const at = pair.indexOf('=');
          return [pair.slice(0, at), pair.slice(at + 1)] as const;
        }),
      );
      expect([...urls.keys()]).toEqual(['chef', 'home-keeper']);
      await (await as(made, job('migrate'), urls.get('chef'))).query(
        "CREATE TABLE t (a text); INSERT INTO t VALUES ('x')",
      );
      expect((await (await as(made, service('chef'))).query('SELECT a FROM t')).rows).toEqual([{ a: 'x' }]);

      const trespass = inDatabase(chefPlace.url, keeperPlace.database);
      await expect(as(made, service('chef'), trespass)).rejects.toThrow(/permission denied for database/);

      const ownerPlace = resource.references(job('migrate'), resource.endpoint);
      const ownerInChef = inDatabase(ownerPlace.url, chefPlace.database);
      expect((await (await as(made, job('migrate'), ownerInChef)).query('SELECT a FROM t')).rows).toEqual([
        { a: 'x' },
      ]);
    });

    test('names with dashes, capitals, reserved words, duplicates and great length all work', async () => {
      const long = `service-${'very-'.repeat(20)}long`;
      const names = ['a-b', 'a_b', 'User', 'public', 'main', 'owner', 'pg-stat', '7up', long, `${long}-too`];
      for (const share of ['schema-per-service', 'database-per-service'] as const) {
        const made = await variant.provision({ share, consumers: names.map(service) });
        const places = names.map((each) => made.resource.references(service(each), made.resource.endpoint));
        expect(new Set(places.map(({ user }) => user)).size).toBe(names.length);
        expect(new Set(places.map(({ schema, database }) => `${database}.${schema}`)).size).toBe(
          names.length,
        );
        for (const each of names) await (await as(made, service(each))).query('CREATE TABLE mine (n int)');
        await made.resource.stop();
      }
      expect(await variant.leftovers()).toEqual([]);
    });

    test('a hundred connections at once', async () => {
      const made = await variant.provision({ share: 'schema-per-service', consumers: butlers });
      const clients = await Promise.all(
        Array.from({ length: 90 }, (_, n) => as(made, service(n % 2 ? 'chef' : 'home-keeper'))),
      );
      const answers = await Promise.all(
        clients.map((client, n) => client.query<{ n: number }>('SELECT $1::int AS n', [n])),
      );
      expect(answers.map(({ rows }) => rows[0]?.n)).toEqual(clients.map((_, n) => n));
    });

    test('two at once have the same names for their consumers and share nothing', async () => {
      const wish: ProvisionWish = { share: 'schema-per-service', consumers: butlers };
      const [first, second] = await Promise.all([variant.provision(wish), variant.provision(wish)]);
      await (await as(first, service('chef'))).query('CREATE TABLE only_here (n int)');
      await expect((await as(second, service('chef'))).query('SELECT * FROM only_here')).rejects.toThrow(
        /does not exist/,
      );
      await first.resource.stop();
      await (await as(second, service('chef'))).query('CREATE TABLE still_up (n int)');
      await second.resource.stop();
      expect(await variant.leftovers()).toEqual([]);
    });

    test('references go through the address that is given, and are exactly the declared ones', async () => {
      const { resource } = await variant.provision({ share: 'database-per-service', consumers: butlers });
      const references = resource.references(service('chef'), { host: 'tap.test', port: 4321 });
      expect(Object.keys(references).sort()).toEqual([...resourceKinds.postgres.references].sort());
      expect(references).toMatchObject({ host: 'tap.test', port: '4321' });
      for (const name of ['url', 'jdbcUrl', 'adminUrl', 'urls'])
        expect(references[name]).toContain('tap.test:4321/');
      const url = new URL(references.url ?? '');
      expect([url.protocol, url.username, url.password, url.pathname]).toEqual([
        'postgresql:',
        references.user,
        references.password,
        `/${references.database}`,
      ]);
    });

    test('a stop in the middle of work leaves nothing', async () => {
      const made = await variant.provision({ share: 'database-per-service', consumers: butlers });
      expect(await variant.leftovers()).not.toEqual([]);
      const working = (await as(made, service('chef')))
        .query('SELECT pg_sleep(60)')
        .catch((error: Error) => error.message);
      await made.resource.stop();
      expect(await working).toMatch(/terminat|ECONNRESET/i);
      expect(await variant.leftovers()).toEqual([]);
    });

    test('a setting that the server does not know is a problem in four parts, and leaves nothing', async () => {
      const failure = await variant.provision({ settings: { no_such_setting_at_all: '1' } }).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(failure).toBeInstanceOf(Problem);
      const problem = failure as Problem;
      expect(problem.code).toBe('boot.resource-failed');
      expect(problem.what).toContain('no_such_setting_at_all');
      expect(formatProblem(problem)).toMatch(/allowed .*\n {2}next /s);
      expect(await variant.leftovers()).toEqual([]);
    });

    test('a setting that it knows is applied', async () => {
      const made = await variant.provision({
        share: 'database',
        consumers: butlers,
        settings: { statement_timeout: '4321ms' },
      });
      const { rows } = await (await as(made, service('chef'))).query('SHOW statement_timeout');
      expect(rows).toEqual([{ statement_timeout: '4321ms' }]);
    });
  });
}

/** The same login, another database. */
function inDatabase(url = '', database = ''): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  expect(other.href).not.toBe(url);
  return other.href;
}

/** Whether something listens there. */
export function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectSocket({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
