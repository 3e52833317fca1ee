import { expect, test } from 'vitest';
import { useRows } from '../../../test/conformance/rows-setup.ts';
import { couldShow } from '../../journal/declared-field.ts';

const { database, look, watch } = useRows();
const query = { service: 'health', table: 'things' };

test('what a table declares of its columns is read from the catalogue', async () => {
  await database.query(`
    CREATE TYPE health.mood AS ENUM ('well', 'ill');
    CREATE DOMAIN health.score AS int NOT NULL CHECK (VALUE >= 1) CHECK (VALUE <= 10);
    CREATE TABLE health.things (
      id serial PRIMARY KEY, mood health.mood NOT NULL, score health.score, age int CHECK (age > -1 AND age < 150),
      name varchar(20) CHECK (name <> ''), kind text NOT NULL CHECK (kind IN ('a', 'b')), fixed char(3) CHECK (fixed <> 'abc'),
      paid numeric(8, 2) DEFAULT 1, id2 uuid, at timestamptz, day date, yes bool, list int[], json jsonb, span interval,
      late int, CHECK (age > score));
    ALTER TABLE health.things ADD CHECK (late > 0) NOT VALID`);
  expect(await watch().declared?.(query)).toEqual({
    id: { type: 'integer', always: true, least: -(2 ** 31), most: 2 ** 31 - 1 },
    mood: { type: 'string', always: true, values: ['well', 'ill'] },
    score: { type: 'integer', always: true, least: 1, most: 10 },
    age: { type: 'integer', least: -(2 ** 31), most: 2 ** 31 - 1, above: -1, below: 150 },
    name: { type: 'string', leastChars: 1, mostChars: 20 },
    kind: { type: 'string', always: true, values: ['a', 'b'] },
    fixed: { type: 'string' },
    paid: { type: 'number' },
    id2: { type: 'string', form: 'UUID' },
    at: { type: 'string', form: 'moment' },
    day: { type: 'string', form: 'day' },
    yes: { type: 'boolean' },
    list: { type: 'array' },
    json: {},
    span: {},
    late: { type: 'integer', least: -(2 ** 31), most: 2 ** 31 - 1 },
  });
});

test('whatever a row shows, its declaration allows', async () => {
  await database.query(`
    CREATE TABLE health.things (id bigint PRIMARY KEY, big bigint, price numeric, small real, day date, at timestamptz,
      local timestamp, json json, raw bytea, list int[], id2 uuid, yes bool, text text, fixed char(4), words varchar(3));
    INSERT INTO health.things VALUES
      (1, 9007199254740993, 12.50, 0.1, '2026-08-02', '2026-08-02 12:00:00.123456+02', '2026-08-02 12:00:00', '{"a": 1}', 'hi',
        '{1,2}', '0B1D8A9E3C5F4A7B8C1D2E3F4A5B6C7D', true, '', 'ab', '🚢🚢🚢'),
      (2, -1, 'NaN', 'Infinity', 'infinity', '-infinity', '0044-03-15 10:00:00 BC', '[]', '', '{}', NULL, NULL, NULL, NULL, NULL),
      (3, 0, '0.00000000000000000001', '-Infinity', '0044-03-15 BC', '12026-01-01 00:00:00Z', 'infinity', 'null', NULL, NULL,
        NULL, false, 'x', '', '')`);
  const fields = (await watch().declared?.(query)) ?? {};
  const rows = (await look()) as Record<string, unknown>[];
  const refused = rows.flatMap((row) =>
    Object.entries(row).filter(([name, value]) => !couldShow(fields[name] ?? {}, value)),
  );
  expect(rows).toHaveLength(3);
  expect(refused).toEqual([]);
});

test('a view declares types, a wildcard nothing', async () => {
  await database.query(`
    CREATE TABLE health.base (id int PRIMARY KEY CHECK (id > 0));
    CREATE VIEW health.things AS SELECT id, 'a'::text AS name FROM health.base`);
  expect(await watch().declared?.(query)).toEqual({
    id: { type: 'integer', least: -(2 ** 31), most: 2 ** 31 - 1 },
    name: { type: 'string' },
  });
  expect(await watch().declared?.({ service: 'health', table: '*' })).toBeUndefined();
});
