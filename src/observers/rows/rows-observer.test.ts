import { beforeEach, describe, expect, test, vi } from 'vitest';
import { useRows } from '../../../test/conformance/rows-setup.ts';
import { serverTarget } from '../../resources/postgres/external/server-target.ts';
import { openSession } from '../../resources/postgres/open-session.ts';
import { observerLimits } from '../observer-limits.ts';

const { database, look, refusal, setup } = useRows();

test('every kind of value becomes plain data', async () => {
  await database.query(`
    CREATE TYPE health.mood AS ENUM ('well', 'ill');
    CREATE TYPE health.point3 AS (x int, y int);
    CREATE TABLE health.things (
      id bigint PRIMARY KEY, big bigint, price numeric, small real, day date, at timestamptz, local timestamp,
      json json, jsonb jsonb, raw bytea, list int[], mood health.mood, id2 uuid, yes bool, span interval,
      place health.point3, empty text, fixed char(4));
    INSERT INTO health.things VALUES (1, 9007199254740993, 12.50, 0.1, '2026-08-02', '2026-08-02 12:00:00+02',
      '2026-08-02 12:00:00.25', '{"a": [1, null]}', '{"b": 1e2}', 'hi', '{1,2}', 'ill',
      '0b1d8a9e-3c5f-4a7b-8c1d-2e3f4a5b6c7d', true, '90 min', (1, 2), NULL, 'ab')`);
  expect(await look()).toEqual([
    {
      id: 1,
      big: 9007199254740993n,
      price: 12.5,
      small: 0.1,
      day: '2026-08-02',
      at: '2026-08-02T10:00:00.000Z',
      local: '2026-08-02T12:00:00.250',
      json: { a: [1, null] },
      jsonb: { b: 100 },
      raw: '6869',
      list: [1, 2],
      mood: 'ill',
      id2: '0b1d8a9e-3c5f-4a7b-8c1d-2e3f4a5b6c7d',
      yes: true,
      span: '01:30:00',
      place: { x: 1, y: 2 },
      empty: null,
      fixed: 'ab  ',
    },
  ]);
});

test('every value that is shown can be asked for, whatever its type', async () => {
  await database.query(`
    CREATE TYPE health.mood AS ENUM ('well', 'ill');
    CREATE TABLE health.things (n int, price numeric, small real, at timestamptz, raw bytea, mood health.mood,
      fixed char(4), big bigint, json jsonb, yes bool, empty text, day date);
    INSERT INTO health.things VALUES
      (1, 12.50, 0.1, '2026-08-02 12:00:00+02', 'hi', 'ill', 'ab', 9007199254740993, '[1]', true, NULL, '2026-08-02'),
      (2, 13, 0.2, now(), 'ho', 'well', 'abc', 2, 'null', false, '', '2026-08-03')`);
  const [first] = (await look()) as Record<string, unknown>[];
  for (const [column, value] of Object.entries(first ?? {}))
    expect([column, await look({ where: { [column]: value }, columns: ['n'] })]).toEqual([
      column,
      [{ n: 1 }],
    ]);
  for (const where of [{ n: '3' }, { at: '2026-08-02T12:00:00+01:00' }, { empty: 'x' }, { json: 'no JSON' }])
    expect([where, await look({ where })]).toEqual([where, []]);
  expect(await look({ where: { json: null }, columns: ['n'] })).toEqual([{ n: 2 }]);
});

test('the PG* variables of the calling user are ignored', async (t) => {
  await database.query("CREATE TABLE health.things (word text); INSERT INTO health.things VALUES ('früh')");
  t.onTestFinished(() => void vi.unstubAllEnvs());
  const meant = {
    PGSSLMODE: 'require',
    PGSSLNEGOTIATION: 'direct',
    PGCLIENT_ENCODING: 'latin1',
    PGOPTIONS: '-c nonsense=1',
  };
  for (const [name, value] of Object.entries({
    ...meant,
    PGHOST: '192.0.2.1',
    PGPORT: '1',
    PGUSER: 'x',
    PGPASSWORD: 'x',
  }))
    vi.stubEnv(name, value);
  expect(await look()).toEqual([{ word: 'früh' }]);
  const { address, login } = serverTarget('here', database.places()[0]?.url ?? '', {});
  const session = await openSession({ ...address, ...login, ssl: false });
  t.onTestFinished(() => session.end());
  expect((await session.query('SELECT word FROM health.things')).rows).toEqual([{ word: 'früh' }]);
});

describe('where the rows are', () => {
  test('each service has its own table of one name', async () => {
    await database.query(`
      CREATE TABLE health.things (n int); INSERT INTO health.things VALUES (1);
      CREATE TABLE general.things (n int); INSERT INTO general.things VALUES (2)`);
    expect(await look()).toEqual([{ n: 1 }]);
    expect(await look({ service: 'general' })).toEqual([{ n: 2 }]);
  });

  test('a service without a place sees what is shared, and other schemas by their name', async () => {
    await database.query(`
      CREATE TABLE public.everyone (n int); INSERT INTO public.everyone VALUES (1);
      CREATE SCHEMA pantry; CREATE TABLE pantry.jars (n int); INSERT INTO pantry.jars VALUES (7)`);
    expect(await look({ service: 'stateless', table: 'everyone' })).toEqual([{ n: 1 }]);
    expect(await look({ service: 'db', table: 'everyone' })).toEqual([{ n: 1 }]);
    expect(await look({ service: 'stateless', table: 'pantry.jars' })).toEqual([{ n: 7 }]);
    expect(await look({ service: 'health', table: 'public.everyone' })).toEqual([{ n: 1 }]);
    expect(await refusal({ service: 'health', table: 'everyone' })).toBe(
      'later: there is no table everyone; the tables are pantry.jars, public.everyone',
    );
  });

  test('views are tables like others', async () => {
    await database.query(`
      CREATE TABLE health.base (n int); INSERT INTO health.base VALUES (1), (2);
      CREATE VIEW health.things AS SELECT n * 10 AS tens FROM health.base`);
    expect(await look({ where: { tens: 20 } })).toEqual([{ tens: 20 }]);
  });

  test('a table that is made later is found, and a column that is renamed is noticed', async () => {
    expect(await refusal({})).toMatch(/^later: there is no table things; there is none at all/);
    await database.query('CREATE TABLE health.things (name text)');
    expect(await look({ where: { name: 'x' } })).toEqual([]);
    await database.query('ALTER TABLE health.things RENAME COLUMN name TO title');
    expect(await refusal({ where: { name: 'x' } })).toMatch(
      /^never: `where`: health\.things has no column name/,
    );
    expect(await look({ where: { title: 'x' } })).toEqual([]);
    expect(await look({ where: { name: { $absent: true } } })).toEqual([]);
  });

  test('two databases that could be meant are distinguished by their names', async () => {
    setup().databases.push({
      ...(database.places()[2] as ReturnType<typeof setup>['databases'][0]),
      resource: 'other',
    });
    expect(await refusal({ service: 'stateless', table: 'x' })).toMatch(/any of the databases db, other/);
  });
});

describe('in another service’s data', () => {
  beforeEach(async () => {
    await database.query(`
      CREATE TABLE health.things (note text); INSERT INTO health.things VALUES ('a bad "headache"');
      CREATE TABLE general.things (n int, note text); INSERT INTO general.things VALUES (1, 'milk');
      CREATE TABLE general.others (note text); INSERT INTO general.others VALUES ('the headache of health');
      CREATE TABLE public.everyone (n int); INSERT INTO public.everyone VALUES (3)`);
  });

  test('a text is found wherever it is', async () => {
    const where = { text: { $contains: 'headache' } };
    expect(await look({ service: '!health', table: '*', where })).toEqual([
      { service: 'general', table: 'others', row: { note: 'the headache of health' } },
    ]);
    expect(await look({ service: '*', table: '*', where })).toHaveLength(2);
    expect(await look({ service: '!health', table: '*', where: { text: { $contains: 'fever' } } })).toEqual(
      [],
    );
  });

  test('all rows of all others, of one table, of one service', async () => {
    expect(await look({ service: '!health', table: '*' })).toEqual([
      { service: 'general', table: 'others', row: { note: 'the headache of health' } },
      { service: 'general', table: 'things', row: { n: 1, note: 'milk' } },
      { service: null, table: 'everyone', row: { n: 3 } },
    ]);
    expect(await look({ service: '!health', table: 'things' })).toEqual([
      { service: 'general', table: 'things', row: { n: 1, note: 'milk' } },
    ]);
    expect(await look({ service: 'general', table: '*', where: { row: { n: 1 } } })).toHaveLength(1);
    expect(await refusal({ service: '!health', table: '*', where: { n: 1 } })).toMatch(
      /^never: `where`: a row of many tables has no key n; its keys are row, service, table, text/,
    );
    expect(await refusal({ service: '!health', table: 'nothing' })).toMatch(
      /^later: there is no table nothing/,
    );
  });
});

describe('order and choice', () => {
  test('a counting key gives the order, else the order in which they were written', async () => {
    await database.query(`
      CREATE TABLE health.things (id int PRIMARY KEY, n int); INSERT INTO health.things VALUES (3, 1), (1, 2), (2, 3);
      CREATE TABLE general.things (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n int);
      INSERT INTO general.things (n) SELECT n FROM generate_series(1, 50) n`);
    expect(await look({ columns: ['id'] })).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    const ns = (await look({ service: 'general', columns: ['n'] })) as { n: number }[];
    expect(ns.map(({ n }) => n)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    expect(await look({ columns: ['n'], orderBy: 'n desc' })).toEqual([{ n: 3 }, { n: 2 }, { n: 1 }]);
    await database.query(`
      CREATE TABLE health.odd (same int PRIMARY KEY, json int, part int);
      INSERT INTO health.odd VALUES (2, 5, 7), (10, 40, 8), (1, 300, 9)`);
    const odd = async (orderBy?: string): Promise<unknown> =>
      ((await look({ table: 'odd', ...(orderBy ? { orderBy } : {}) })) as { same: number }[]).map(
        ({ same }) => same,
      );
    expect([await odd(), await odd('same desc'), await odd('json')]).toEqual([
      [1, 2, 10],
      [10, 2, 1],
      [2, 10, 1],
    ]);
    expect(await refusal({ orderBy: 'm' })).toMatch(/^never: `orderBy`: health\.things has no column m/);
    expect(await refusal({ columns: ['m'] })).toMatch(/^never: `columns`: health\.things has no column m/);
  });

  test('a large table can be looked at through where', async () => {
    await database.query(`
      CREATE TABLE health.things (n int, note text);
      INSERT INTO health.things SELECT n, repeat('x', 20) FROM generate_series(1, ${observerLimits.elements * 3}) n`);
    expect(await look({ where: { n: 77 }, columns: ['n'] })).toEqual([{ n: 77 }]);
    expect(await refusal({})).toMatch(
      /^never: health\.things gives more than 10000 rows or 32 MB; narrow it with where/,
    );
    expect(await refusal({ where: { n: { $lt: 3 } } })).toMatch(/narrow it with where/);
  });

  test('rows that are too large are not even sent', async () => {
    await database.query(`
      CREATE TABLE health.things (n int, note text);
      INSERT INTO health.things SELECT n, repeat('x', 12 * 1024 * 1024) FROM generate_series(1, 3) n`);
    expect(await refusal({})).toMatch(/more than 10000 rows or 32 MB/);
    expect(await look({ where: { n: 2 } })).toHaveLength(1);
  });
});

describe('what a look may not do', () => {
  test('a view that writes is refused', async () => {
    await database.query(`
      CREATE TABLE health.diary (n int);
      CREATE FUNCTION health.note() RETURNS int LANGUAGE sql AS 'INSERT INTO health.diary VALUES (1) RETURNING n';
      CREATE VIEW health.things AS SELECT health.note() AS n`);
    expect(await refusal({})).toMatch(
      /^never: health\.things: cannot execute INSERT in a read-only transaction/,
    );
    expect(await database.query('SELECT * FROM health.diary')).toEqual([]);
  });

  test('a view that never ends is stopped in time', async () => {
    await database.query('CREATE VIEW health.things AS SELECT 1 AS n, pg_sleep(60)::text AS nap');
    expect(await refusal({})).toMatch(/^later: the database took longer than 5 s/);
  });

  test('all queries share one connection, and a lost one is reopened', async () => {
    await database.query('CREATE TABLE health.things (n int); CREATE TABLE general.things (n int)');
    await Promise.all([look(), look(), look({ service: 'general' })]);
    expect(await database.observing()).toBe(1);
    await database.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'shakedown observer'",
    );
    expect(await look()).toEqual([]);
    expect(await database.observing()).toBe(1);
  });
});
