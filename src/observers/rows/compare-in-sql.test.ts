import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { useRows } from '../../../test/conformance/rows-setup.ts';
import { observerLimits } from '../observer-limits.ts';

const { database, look, refusal, watch } = useRows();

describe('a value in where means what it means in SQL', () => {
  const id = '0b1d8a9e-3c5f-4a7b-8c1d-2e3f4a5b6c7d';
  const hex = id.replaceAll('-', '');

  const spellings: readonly [string, unknown][] = [
    ...[hex, id.toUpperCase(), `{${id}}`].flatMap((one): [string, unknown][] => [
      ['id', one],
      ['ticket', one],
    ]),
    ...(['new', 'new   '] as const).map((one): [string, unknown] => ['fixed', one]),
    ...['\\x00ff', '\\x00FF', '00ff'].map((one): [string, unknown] => ['raw', one]),
    ...['1', '1.00', '1e0', 1].map((one): [string, unknown] => ['price', one]),
    ['n', '1'],
    ['at', '2026-08-02T12:00:00+02:00'],
    ['at', '2026-08-02 10:00Z'],
    ['host', '10.0.0.1/32'],
    ['cost', '12.5'],
    ['cost', 12.5],
    ['mac', '08002b:010203'],
    ['span', '24:00:00'],
    ['span', 'P1D'],
    ['yes', 'yes'],
    ['list', '{ 1, 2 }'],
    ['during', '(0,4]'],
    ['doc', '{"b":2,"a":1}'],
    ['old', '{"b":2,"a":1}'],
    ['place', '( 1,2)'],
    ['dot', '1, 2'],
    ['name', 'ADA'],
    ['code', 7],
  ];

  test('in every spelling that its type accepts, wherever it is', async () => {
    await database.query(`
      CREATE TYPE health.mood AS ENUM ('well', 'ill');
      CREATE TYPE health.point3 AS (x int, y int);
      CREATE DOMAIN health.ticket AS uuid;
      CREATE COLLATION health.anycase (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
      CREATE TABLE health.things (n int, id uuid, fixed char(6), raw bytea, price numeric(8, 2), at timestamptz, host inet,
        cost money, flags bit varying, mac macaddr, span interval, mood health.mood, yes bool, list int[], during int4range,
        doc jsonb, old json, place health.point3, dot point, ticket health.ticket, name text COLLATE health.anycase,
        part text, line text, code text);
      INSERT INTO health.things VALUES (1, '${id}', 'new', '\\x00ff', 1, '2026-08-02 12:00:00+02', '10.0.0.1', 12.5, '101',
        '08:00:2b:01:02:03', '1 day', 'ill', true, '{1,2}', '[1,5)', '{"a": 1, "b": 2}', '{"a": 1, "b": 2}', (1, 2), '(1,2)',
        '${id}', 'Ada', 'p', 'l', '7'),
        (2, NULL, 'newer', '\\x00', 2, now(), '10.0.0.2', 1, '1', NULL, '2 days', 'well', false, '{}', '[7,8)', '1', '1',
        (1, 3), '(1,3)', NULL, 'Bob', 'q', 'm', '08')`);
    for (const [column, value] of spellings) {
      const places = [
        { [column]: value },
        { [column]: { $eq: value } },
        { [column]: { $any: [value] } },
        { $all: [{ [column]: value }] },
        { $not: { [column]: { $ne: value } } },
      ];
      for (const where of places)
        expect([where, await look({ where, columns: ['n'] })]).toEqual([where, [{ n: 1 }]]);
      expect([column, value, await look({ where: { [column]: { $not: value } }, columns: ['n'] })]).toEqual([
        column,
        value,
        [{ n: 2 }],
      ]);
      const ofMany = { row: { [column]: value } };
      expect([ofMany, await look({ service: '*', where: ofMany })]).toEqual([
        ofMany,
        [
          {
            service: 'health',
            table: 'things',
            row: expect.objectContaining({ n: 1, part: 'p', line: 'l' }),
          },
        ],
      ]);
    }
    expect(await look({ where: { fixed: 'newest', price: 1 } })).toEqual([]);
    expect(await look({ where: { price: '1.004' } })).toEqual([]);
    expect(await refusal({ where: { code: 8 } })).toMatch(/may mean the same as/);
  });

  test('an id or a moment that is kept as a text may be there in another spelling', async () => {
    await database.query(`
      CREATE TABLE health.things (id varchar(36), at text);
      INSERT INTO health.things VALUES ('${id.toUpperCase()}', '2026-01-01T00:00:00Z')`);
    for (const where of [{ id }, { id: hex }, { id: { $all: [id] } }, { at: '2026-01-01T00:00:00.000Z' }])
      expect(await refusal({ where })).toMatch(/^never: `where` cannot be decided: .* may mean the same as/);
    const found = [{ id: id.toUpperCase(), at: '2026-01-01T00:00:00Z' }];
    for (const where of [{ id: id.toUpperCase() }, { at: '2026-01-01T00:00:00Z' }])
      expect(await look({ where })).toEqual(found);
    for (const where of [{ id: id.replace('0b', '0c') }, { at: '2026-01-01T00:00:01Z' }, { id: 'x' }])
      expect(await look({ where })).toEqual([]);
  });

  test('one that no row can have is refused, not searched for', async () => {
    await database.query(`
      CREATE TYPE health.mood AS ENUM ('well', 'ill');
      CREATE TABLE health.things (id uuid, n int, mood health.mood, at timestamptz, yes bool, price numeric, raw bytea)`);
    expect(await refusal({ where: { id: 'x' } })).toBe(
      'never: `where`: no row of health.things can have "x" as id: invalid input syntax for type uuid: "x"; write a value of its type',
    );
    for (const where of [
      { n: 1.5 },
      { n: 5_000_000_000 },
      { n: true },
      { mood: 'sad' },
      { at: 'soon' },
      { yes: 'perhaps' },
      { price: 'x' },
      { raw: '\\xfg' },
      { id: { $not: hex.slice(1) } },
    ])
      expect(await refusal({ where })).toMatch(/^never: `where`: no row of health\.things can have /);
    await database.query("CREATE TABLE general.things (id text); INSERT INTO general.things VALUES ('x')");
    expect(await look({ service: '*', where: { row: { id: 'x' } } })).toHaveLength(1);
  });
});

describe('types of all kinds', () => {
  beforeEach(async () => {
    await database.query(`
      DROP SCHEMA IF EXISTS extensions CASCADE; CREATE SCHEMA extensions;
      CREATE EXTENSION citext SCHEMA extensions; CREATE EXTENSION ltree SCHEMA extensions; CREATE EXTENSION hstore SCHEMA extensions`);
  });
  afterEach(async () => {
    await database.query('DROP SCHEMA extensions CASCADE');
  });

  const picky: readonly [string, string][] = [
    ['path', 'a b'],
    ['words', "'"],
    ['way', '$['],
    ['ref', 'no.such'],
    ['pairs', 'a=>'],
  ];

  test('one that refuses a value in its own way does not break queries of other tables', async () => {
    await database.query(`
      CREATE TABLE health.things (path extensions.ltree, words tsquery, way jsonpath, ref regclass, pairs extensions.hstore);
      CREATE TABLE general.things (path text, words text, way text, ref text, pairs text);
      INSERT INTO general.things VALUES (${picky.map(([, value]) => `'${value.replaceAll("'", "''")}'`).join()})`);
    for (const [column, value] of picky) {
      const where = { row: { [column]: value } };
      expect([column, await look({ service: '*', where })]).toEqual([
        column,
        [{ service: 'general', table: 'things', row: Object.fromEntries(picky) }],
      ]);
      expect(await refusal({ where: { [column]: value } })).toMatch(
        `never: \`where\`: no row of health.things can have `,
      );
    }
  });

  test('a value is compared as a whole, by the equality of its type', async () => {
    await database.query(`
      CREATE DOMAIN health.code AS varchar(3); CREATE DOMAIN health.short AS health.code CHECK (VALUE <> 'no');
      CREATE TABLE health.things (n int, name extensions.citext, code health.short, letter "char", box box, ring circle, at "name");
      INSERT INTO health.things VALUES (1, 'Ada', 'abc', 'a', '(1,1),(0,0)', '<(0,0),1>', '${'x'.repeat(63)}')`);
    const found = [
      { name: 'ADA' },
      { code: 'abc' },
      { letter: 'a' },
      { box: '(0,0),(1,1)' },
      { ring: '0,0,1' },
    ];
    for (const where of found)
      expect([where, await look({ where, columns: ['n'] })]).toEqual([where, [{ n: 1 }]]);
    const others = [{ code: 'abcd' }, { letter: 'ab' }, { box: '(2,2),(1,1)' }, { ring: '5,5,1' }];
    for (const where of [...others, { name: 'Bob' }, { at: 'x'.repeat(64) }])
      expect([where, await look({ where })]).toEqual([where, []]);
    expect(await refusal({ where: { code: 'no' } })).toMatch(
      /no row of health\.things can have "no" as code/,
    );
  });
});

test('an id or a moment in a large table of texts is found by itself, and doubted only where another spelling is', async () => {
  await database.query(`
    CREATE TABLE health.things (id text PRIMARY KEY, at text);
    INSERT INTO health.things SELECT md5(n::text)::uuid::text,
      to_char(timestamp '2026-01-01' + n * interval '1 min', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
    FROM generate_series(1, ${observerLimits.elements * 3}) n; ANALYZE health.things;
    INSERT INTO health.things VALUES ('other', '2026-02-02T13:00:00.5+02:00'), ('mail', 'Mon, 02 Mar 2026 10:00:30 GMT')`);
  const [{ id = '' } = {}] = (await look({ where: { at: '2026-01-02T10:00:00Z' } })) as { id?: string }[];
  expect(await look({ where: { id } })).toEqual([{ id, at: '2026-01-02T10:00:00Z' }]);
  for (const at of ['2026-01-02T10:00:00.000Z', '2026-02-02 11:00:00.500Z', '2026-03-02T15:45:30+05:45'])
    expect(await refusal({ where: { at } })).toMatch(/may mean the same as/);
  for (const at of ['2026-01-02T10:00:01Z', '2026-02-02T11:00:00.51Z', '2027-01-01T00:00:00Z'])
    expect(await look({ where: { at } })).toEqual([]);
  await watch().close();
  await expect.poll(() => database.observing()).toBe(0);
  expect(
    await database.query("SELECT idx_scan > 0 AS used FROM pg_stat_user_indexes WHERE relname = 'things'"),
  ).toEqual([{ used: true }]);
});

test('whether a value fits is asked once, however often is looked', async () => {
  await database.query(
    `CREATE TABLE health.things (doc jsonb, n int); INSERT INTO health.things VALUES ('"x"', 1)`,
  );
  const undone = async (): Promise<unknown> =>
    (
      await database.query(
        'SELECT xact_rollback::int AS n FROM pg_stat_database WHERE datname = current_database()',
      )
    )[0]?.n;
  const before = Number(await undone());
  for (let count = 0; count < 5; count += 1) {
    expect(await look({ where: { doc: 'x' } })).toHaveLength(1);
    expect(await look({ service: '*', where: { row: { n: 'x' } } })).toEqual([]);
  }
  await watch().close();
  await expect.poll(() => database.observing()).toBe(0);
  expect(await undone()).toBe(before + 2);
});
