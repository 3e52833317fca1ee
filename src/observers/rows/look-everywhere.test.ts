import { describe, expect, test } from 'vitest';
import { useRows } from '../../../test/conformance/rows-setup.ts';
import { observerLimits } from '../observer-limits.ts';

const { database, look, refusal } = useRows();

const everywhere = { service: '*', table: '*' };
const containing = (text: string) => ({ where: { text: { $contains: text } } });

/** The `service.table` of each row. */
const places = async (query: Parameters<typeof look>[0]): Promise<readonly string[]> =>
  ((await look(query)) as { service: string; table: string }[]).map(
    ({ service, table }) => `${service}.${table}`,
  );

describe('views are looked at where no table has such a row', () => {
  test('a text that only a view or a materialized view shows', async () => {
    await database.query(`
      CREATE TABLE health.notes (note text); INSERT INTO health.notes VALUES ('leaked-42');
      CREATE TABLE general.notes (note text); INSERT INTO general.notes VALUES ('milk');
      CREATE MATERIALIZED VIEW general.kept AS SELECT note FROM health.notes;
      CREATE VIEW general.shown AS SELECT upper(note) AS note FROM health.notes`);
    expect(await look({ service: '!health', table: '*', ...containing('leaked-42') })).toEqual([
      { service: 'general', table: 'kept', row: { note: 'leaked-42' } },
    ]);
    expect(await places({ service: 'general', table: '*', ...containing('LEAKED-42') })).toEqual([
      'general.shown',
    ]);
    expect(await places({ ...everywhere, ...containing('leaked-42') })).toEqual([
      'health.notes',
      'general.kept',
    ]);
    expect(await places({ ...everywhere, where: { row: { note: 'LEAKED-42' } } })).toEqual(['general.shown']);
    expect(await places({ ...everywhere, where: { table: 'kept' } })).toEqual(['general.kept']);
    expect(await places({ service: '*', table: 'kept' })).toEqual(['general.kept']);
    expect(await look({ ...everywhere, ...containing('nothing') })).toEqual([]);
  });

  test('what a materialized view keeps of a row that is gone', async () => {
    await database.query(`
      CREATE TABLE health.things (note text); INSERT INTO health.things VALUES ('leaked-42');
      CREATE MATERIALIZED VIEW health.kept AS SELECT * FROM health.things; DELETE FROM health.things`);
    expect(await places(everywhere)).toEqual(['health.kept']);
  });

  test('a row is not counted again for the views that show it', async () => {
    await database.query(`
      CREATE TABLE health.things (n int, note text); INSERT INTO health.things VALUES (1, 'soup'), (2, 'salad');
      CREATE VIEW health.soups AS SELECT * FROM health.things WHERE note = 'soup';
      CREATE MATERIALIZED VIEW health.totals AS SELECT count(*) AS n FROM health.things`);
    expect(await places({ service: 'health', table: '*' })).toEqual(['health.things', 'health.things']);
    expect(await places({ ...everywhere, ...containing('soup') })).toEqual(['health.things']);
    expect(await places({ ...everywhere, where: { row: { n: 1 } } })).toEqual(['health.things']);
  });

  test('a row that may be meant does not hide one that is', async () => {
    await database.query(`
      CREATE TABLE health.things (note text); INSERT INTO health.things VALUES ('leaked-42');
      CREATE VIEW general.shown AS SELECT '["leaked-42"]'::json AS note`);
    const where = { row: { note: { $regex: 'leaked' } } };
    expect(await places({ ...everywhere, where })).toEqual(['health.things']);
    expect(await refusal({ service: 'general', table: '*', where })).toMatch(
      /^never: `where` cannot be decided: /,
    );
  });

  test('a materialized view that was never filled holds nothing', async () => {
    await database.query(`
      CREATE TABLE health.things (note text);
      CREATE MATERIALIZED VIEW health.empty AS SELECT 'leaked-42'::text AS note WITH NO DATA`);
    expect(await look({ service: 'health', table: '*', ...containing('leaked-42') })).toEqual([]);
  });

  test('of a view or foreign table that cannot be read it is unknown what it shows', async () => {
    await database.query(`
      CREATE TABLE health.things (note text);
      CREATE VIEW health.wrong AS SELECT 1 / (SELECT count(*) FROM health.things) AS n`);
    const query = { service: 'health', table: '*', ...containing('leaked-42') };
    expect(await refusal(query)).toBe(
      'later: health.wrong: division by zero; leave it out with where: { table: { $ne: wrong } }',
    );
    expect(await look({ ...query, where: { ...query.where, table: { $ne: 'wrong' } } })).toEqual([]);
    await database.query(`
      DROP VIEW health.wrong; DROP FOREIGN DATA WRAPPER IF EXISTS nowhere CASCADE;
      CREATE FOREIGN DATA WRAPPER nowhere; CREATE SERVER far FOREIGN DATA WRAPPER nowhere;
      CREATE FOREIGN TABLE health.away (note text) SERVER far`);
    expect(await refusal(query)).toMatch(
      /^later: health\.away: the database refuses: foreign-data wrapper "nowhere" has no handler; leave/,
    );
    await database.query('DROP FOREIGN DATA WRAPPER nowhere CASCADE');
    await database.query('CREATE VIEW health.slow AS SELECT 1 AS n, pg_sleep(60)::text AS nap');
    expect(await refusal(query)).toMatch(/^later: health\.slow: the database took longer than 5 s; leave/);
  }, 20_000);

  test('a row of a partitioned table is there once', async () => {
    await database.query(`
      CREATE TABLE health.things (n int) PARTITION BY LIST (n);
      CREATE TABLE health.ones PARTITION OF health.things FOR VALUES IN (1); INSERT INTO health.things VALUES (1)`);
    expect(await places(everywhere)).toEqual(['health.things']);
    expect(await look({ ...everywhere, where: { row: { n: 2 } } })).toEqual([]);
  });
});

describe('a text is found as the value has it', () => {
  test.each([
    ['quotes', 'said "leak"'],
    ['a backslash', 'C:\\temp'],
    ['a line end', 'leak"\nC:'],
    ['a tab', 'one\ttwo'],
    ['a control character', '\u0001!'],
    ['a slash that JSON escapes', 'a/b'],
    ['letters that JSON escapes', 'über 😀'],
    ['a quote in a key', 'key "k"'],
    ['a text in a list', 'in "list"'],
  ])('%s', async (_, text) => {
    await database.query(String.raw`
      CREATE TABLE health.things (n serial, note text, raw json, doc jsonb, list text[]);
      INSERT INTO health.things (note) VALUES ('He said "leak"' || chr(10) || 'C:\temp'), (E'one\ttwo\x01!');
      INSERT INTO health.things (raw) VALUES ('{"a":"\u0061\/b \u00FCber \ud83D\ude00","a":1}');
      INSERT INTO health.things (doc) VALUES ('{"key \"k\"": 1}');
      INSERT INTO health.things (list) VALUES (ARRAY['in "list"'])`);
    expect(await places({ ...everywhere, ...containing(text) })).toEqual(['health.things']);
    expect(await places({ ...everywhere, where: { text: { $all: [{ $contains: text }] } } })).toHaveLength(1);
    expect(await places({ ...everywhere, where: { text: { $not: { $contains: text } } } })).toHaveLength(4);
    expect(await look({ ...everywhere, ...containing(`${text}?`) })).toEqual([]);
  });

  test('as JSON, as before', async () => {
    await database.query(
      `CREATE TABLE health.things (note text); INSERT INTO health.things VALUES ('a "b"')`,
    );
    for (const text of ['{"note":"a', String.raw`"a \"b\""}`, '"note"'])
      expect(await places({ ...everywhere, ...containing(text) })).toEqual(['health.things']);
    expect(await places({ ...everywhere, where: { text: String.raw`{"note":"a \"b\""}` } })).toHaveLength(1);
  });

  test('in a large table of which every row has escapes, and a text of any length', async () => {
    await database.query(`
      CREATE TABLE health.things (note text);
      INSERT INTO health.things SELECT '"' || n || '" C:\\users\\' || n FROM generate_series(1, ${observerLimits.elements * 2}) n;
      INSERT INTO health.things VALUES (repeat('"x', 2000))`);
    expect(await look({ ...everywhere, ...containing('"777" C:\\users') })).toHaveLength(1);
    expect(await look({ ...everywhere, ...containing('"x'.repeat(2_000)) })).toHaveLength(1);
    expect(await look({ ...everywhere, ...containing('"x'.repeat(2_001)) })).toEqual([]);
  });
});
