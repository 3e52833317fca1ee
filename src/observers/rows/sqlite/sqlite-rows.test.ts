import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeObserverSetup, type ObserverSetup } from '../../../../test/conformance/observer-setup.ts';
import { sqliteUrl } from '../../../resources/sqlite/sqlite-url.ts';
import { ObservationError, type Watch } from '../../observer.ts';
import { observerLimits } from '../../observer-limits.ts';
import { rowChanges } from '../row-changes.ts';
import { type RowsQuery, rowsObserver } from '../rows-observer.ts';

let setup: ObserverSetup;
let watch: Watch<RowsQuery>;
let file: string;
let service: DatabaseSync;

beforeEach(async () => {
  setup = makeObserverSetup();
  const folder = path.join(setup.folder, 'db', 'data');
  mkdirSync(folder, { recursive: true });
  file = path.join(folder, 'db.sqlite');
  setup.databases.push({ resource: 'db', service: null, url: sqliteUrl(file), schema: 'main' });
  watch = await rowsObserver.open(setup.context);
  service = new DatabaseSync(file);
});
afterEach(async () => {
  await watch.close();
  expect(readdirSync(path.join(setup.folder, 'db'))).toEqual(['data']);
  if (service.isOpen) service.close();
  setup.clear();
});

const look = (query: Partial<RowsQuery> = {}): Promise<unknown> =>
  watch.look({ service: 'db', table: 'things', ...query });

async function refusal(query: Partial<RowsQuery> = {}): Promise<string> {
  const error = await look(query).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ObservationError);
  return `${(error as ObservationError).retryable ? 'later' : 'never'}: ${(error as ObservationError).message}`;
}

const uuid = '0b1d8a9e-3c5f-4a7b-8c1d-2e3f4a5b6c7d';

test('every kind of value becomes plain data, and can be asked for as it is shown', async () => {
  service.exec(`
    CREATE TABLE things (id INTEGER PRIMARY KEY, big BIGINT, price DECIMAL(9, 2), small REAL, most REAL, at DATETIME,
      doc JSON, raw BLOB, yes BOOLEAN, free, bytes TEXT, id2 UUID, "select" VARCHAR, "1" INT, rowid TEXT, twice INT AS (id * 2), empty TEXT);
    INSERT INTO things (id, big, price, small, most, at, doc, raw, yes, free, bytes, id2, "select", "1", rowid) VALUES (1,
      9007199254740993, 12.50, 0.1, 9e999, '2026-08-02 12:00:00', '{"a": [1, 12345678901234567890]}', x'6869', 1, 7,
      x'00ff', '${uuid.toUpperCase()}', 'it''s "so"', 5, 'r'), (2, 1, 13, 0.2, -9e999, '2026-08-03', 'no JSON', x'', 0, 'x', 'y', '', '', 6, 's')`);
  const [first, second] = (await look()) as Record<string, unknown>[];
  expect(first).toEqual({
    id: 1,
    big: 9007199254740993n,
    price: 12.5,
    small: 0.1,
    most: 'Infinity',
    at: '2026-08-02 12:00:00',
    doc: { a: [1, 12345678901234567890n] },
    raw: '6869',
    yes: true,
    free: 7,
    bytes: '00ff',
    id2: uuid.toUpperCase(),
    select: 'it\'s "so"',
    1: 5,
    rowid: 'r',
    twice: 2,
    empty: null,
  });
  expect(second).toMatchObject({ doc: 'no JSON', most: '-Infinity', yes: false });
  for (const [column, value] of Object.entries(first ?? {})) {
    const found = await look({ where: { [column]: value }, columns: ['id'] });
    expect([column, found]).toEqual([column, column === 'empty' ? [{ id: 1 }, { id: 2 }] : [{ id: 1 }]]);
  }
});

test('a value in where means what it means in SQL', async () => {
  service.exec(`CREATE TABLE things (n INT, word TEXT, name TEXT COLLATE NOCASE, yes BOOLEAN, id TEXT);
    INSERT INTO things VALUES (7, '7', 'Ada', 1, '${uuid}')`);
  const meant = [{ n: '7' }, { n: 7.0 }, { word: 7 }, { name: 'ADA' }, { yes: 1 }, { yes: true }];
  for (const where of meant) expect([where, await look({ where })]).toMatchObject([where, [{ n: 7 }]]);
  for (const where of [{ n: 'seven' }, { word: '07' }, { yes: false }, { n: 7.5 }, { n: 2n ** 70n }])
    expect([where, await look({ where })]).toEqual([where, []]);
  // Another spelling of an id is for the pattern to doubt, as everywhere.
  expect(await refusal({ where: { id: uuid.replaceAll('-', '') } })).toMatch(
    /never: `where` cannot be decided/,
  );
});

test('JSON in binary form is shown as JSON, other blobs as their digits', async () => {
  service.exec(`CREATE TABLE things (n INT, doc JSONB);
    INSERT INTO things VALUES (1, jsonb('{"to":"eve"}')), (2, '{"to":"bob"}'), (3, x'0102'), (4, NULL)`);
  const shown = [{ to: 'eve' }, { to: 'bob' }, '0102', null];
  expect(await look()).toEqual(shown.map((doc, index) => ({ n: index + 1, doc })));
  expect(await look({ where: { doc: { to: 'eve' } } })).toMatchObject([{ n: 1 }]);
});

describe('a database that is in use', () => {
  test('rows that are only in the log of a WAL, and no lock, file or wait for the service', async () => {
    service.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE things (n INT);
      INSERT INTO things VALUES (1)`);
    const there = readdirSync(path.dirname(file));
    const log = readFileSync(`${file}-wal`);
    expect(await look()).toEqual([{ n: 1 }]);
    service.exec('BEGIN IMMEDIATE; INSERT INTO things VALUES (2)');
    expect(await look()).toEqual([{ n: 1 }]);
    service.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
    expect(await look()).toEqual([{ n: 1 }, { n: 2 }]);
    expect(log.length).toBeGreaterThan(0);
    expect(readdirSync(path.dirname(file))).toEqual(there);
  });

  test('what is not committed is not seen, although it is in the file already', async () => {
    service.exec(`CREATE TABLE things (n INT, filler TEXT); INSERT INTO things VALUES (1, '')`);
    const many = "INSERT INTO things SELECT value, hex(zeroblob(4000)) FROM json_each('[2,3,4,5,6,7,8,9]')";
    const before = readFileSync(file).length;
    service.exec(`PRAGMA cache_size = 1; BEGIN EXCLUSIVE; ${many}; ${many}`);
    expect(readFileSync(file).length).toBeGreaterThan(before);
    expect(await look({ columns: ['n'] })).toEqual([{ n: 1 }]);
    service.exec('ROLLBACK');
    expect(await look({ columns: ['n'] })).toEqual([{ n: 1 }]);
  });

  test.each(['DELETE', 'PERSIST', 'WAL'])(
    'what is written without a pause is seen as it was at one moment: %s',
    async (mode) => {
      // Each row is on a page of its own, so that a mixture of two moments would show.
      service.exec(`PRAGMA journal_mode = ${mode}; CREATE TABLE things (n INT, filler TEXT);
      INSERT INTO things SELECT 0, hex(zeroblob(1500)) FROM json_each('[${'0,'.repeat(60)}0]')`);
      const script = `const { DatabaseSync } = require('node:sqlite');
      const service = new DatabaseSync(process.argv[1]);
      service.exec('PRAGMA wal_autocheckpoint = 100; PRAGMA synchronous = OFF');
      console.log('it writes');
      for (let n = 1; ; n += 1) service.exec('UPDATE things SET n = ' + n);`;
      const writer = spawn(process.execPath, ['-e', script, file], { stdio: ['ignore', 'pipe', 'ignore'] });
      await once(writer.stdout, 'data');
      const seen = new Set<number>();
      while (seen.size < 25) {
        const rows = (await look({ columns: ['n'] })) as { n: number }[];
        expect(new Set(rows.map(({ n }) => n)).size).toBe(1);
        seen.add(rows[0]?.n ?? 0);
      }
      // Without any patience of its own, it never had to wait.
      expect(writer.exitCode).toBeNull();
      writer.kill('SIGKILL');
      await once(writer, 'exit');
    },
  );
});

describe('what cannot be read is never an empty list', () => {
  test('no file, no table, no column', async () => {
    service.close();
    rmSync(file);
    expect(await refusal()).toBe('later: there is no table things; there is none at all');
    service = new DatabaseSync(file);
    service.exec('CREATE TABLE thing (word TEXT, n INT)');
    expect(await refusal()).toBe('later: there is no table things; did you mean thing?');
    const table = 'thing';
    expect(await refusal({ table, where: { wrd: 'x' } })).toBe(
      'never: `where`: main.thing has no column wrd; did you mean word?',
    );
    expect(await refusal({ table, orderBy: 'm' })).toMatch(/^never: `orderBy`: main.thing has no column m/);
    service.exec('ALTER TABLE thing RENAME COLUMN word TO said; INSERT INTO thing VALUES (1, 2)');
    expect(await look({ table })).toEqual([{ said: '1', n: 2 }]);
  });

  test('a file that is none, or damaged, and a view over what is gone', async () => {
    service.exec(
      'CREATE TABLE other (n INT); CREATE VIEW things AS SELECT x FROM other; INSERT INTO other VALUES (1)',
    );
    expect(await refusal()).toMatch(/no such column: x/);
    service.close();
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xee, 4096));
    expect(await refusal({ table: 'other' })).toBe(
      'later: the file of the database cannot be read: database disk image is malformed',
    );
    writeFileSync(file, 'no database at all, but a text of some length');
    expect(await refusal()).toBe('later: the file of the database cannot be read: file is not a database');
  });

  test('a link or a pipe in the place of the file or its folder', async () => {
    service.exec('CREATE TABLE things (n INT)');
    service.close();
    const elsewhere = path.join(setup.folder, 'elsewhere.sqlite');
    renameSync(file, elsewhere);
    symlinkSync(elsewhere, file);
    const refused = /^never: db\.sqlite was replaced by a link or something else that is no plain file/;
    expect(await refusal()).toMatch(refused);
    unlinkSync(file);
    execFileSync('mkfifo', [file]);
    expect(await refusal()).toMatch(refused);
    rmSync(file);
    renameSync(elsewhere, file);
    expect(await look()).toEqual([]);
    const data = path.dirname(file);
    renameSync(data, path.join(setup.folder, 'moved'));
    symlinkSync(path.join(setup.folder, 'moved'), data);
    writeFileSync(file, readFileSync(file)); // or it would not be copied again
    expect(await refusal()).toMatch(/^never: data was replaced by a link/);
    unlinkSync(data);
    renameSync(path.join(setup.folder, 'moved'), data);
  });

  test('a table of a module that only the service has', async () => {
    service.enableDefensive(false);
    service.exec(`CREATE TABLE things (n INT); PRAGMA writable_schema = ON;
      INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql)
      VALUES ('table', 'vectors', 'vectors', 0, 'CREATE VIRTUAL TABLE vectors USING vec0(a float[3])')`);
    expect(await refusal({ table: 'vectors' })).toBe('never: main.vectors: no such module: vec0');
    expect(await look({ service: '*', table: '*' })).toEqual([]);
  });

  test('more than a look may give', async () => {
    service.exec(`CREATE TABLE things (n INT, big TEXT); WITH RECURSIVE c (n) AS (
      SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n <= ${observerLimits.elements}) INSERT INTO things SELECT n, '' FROM c`);
    expect(await refusal()).toMatch(/never: main.things gives more than 10000 rows/);
    expect(await look({ where: { n: 77 }, columns: ['n'] })).toEqual([{ n: 77 }]);
    service.exec(
      'CREATE VIEW endless AS WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c',
    );
    expect(await refusal({ table: 'endless' })).toMatch(/more than 10000 rows/);
  });
});

test('all tables at once, with a text that JSON writes in another way', async () => {
  service.exec(
    `CREATE TABLE a (note TEXT); CREATE TABLE b (note TEXT) WITHOUT ROWID`.replace(
      '(note TEXT) WITHOUT',
      '(note TEXT PRIMARY KEY) WITHOUT',
    ),
  );
  service.exec(
    `CREATE VIRTUAL TABLE words USING fts5(note); INSERT INTO a VALUES ('milk'), ('say "leak"'); INSERT INTO b VALUES ('z'), ('y')`,
  );
  const where = { text: { $contains: 'say "leak"' } };
  expect(await look({ service: '*', table: '*', where })).toEqual([
    { service: null, table: 'a', row: { note: 'say "leak"' } },
  ]);
  expect(await look({ table: 'b' })).toEqual([{ note: 'y' }, { note: 'z' }]);
  expect(await look({ table: 'a' })).toEqual([{ note: 'milk' }, { note: 'say "leak"' }]);
});

test('a table that is too large to be kept is compared as a whole', async () => {
  const rows = observerLimits.baselineRows + 1;
  service.exec(`CREATE TABLE things (n INT, word TEXT); WITH RECURSIVE c (n) AS (
    SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${rows}) INSERT INTO things SELECT n, 'x' FROM c`);
  const changes = await rowChanges.open(setup.context, await setup.context.facts());
  expect(await changes.look()).toEqual([]);
  service.exec("UPDATE things SET word = 'y' WHERE n = 7");
  expect(await changes.look()).toEqual([
    {
      kind: 'row',
      service: null,
      table: 'things',
      op: 'unknown',
      because: `too large to say which rows: ${rows} before, ${rows} now`,
    },
  ]);
  await changes.close?.();
});

test('types are declared by STRICT tables only', async () => {
  service.exec(`CREATE TABLE things (n INTEGER NOT NULL, word TEXT, yes BOOLEAN);
    CREATE TABLE strict (n INTEGER NOT NULL, word TEXT, free ANY) STRICT`);
  const declared = (table: string) => watch.declared?.({ service: 'db', table });
  expect(await declared('things')).toEqual({ n: {}, word: {}, yes: {} });
  expect(await declared('strict')).toEqual({
    n: { type: 'integer', always: true },
    word: { type: 'string' },
    free: {},
  });
});
