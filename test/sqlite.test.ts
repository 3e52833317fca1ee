/** SQLite as a resource: a file that services open themselves, fresh between trials, looked at without disturbing them. */
import { expect, test } from 'vitest';
import { performTrials, trialsProject } from './harness/trials-project.ts';
import { nothing } from './harness/until.ts';

const system = (more = ''): string => `resources:
  db: { kind: sqlite }
jobs:
  fill:
    run:
      - node
      - services/keeps-a-file.mjs
      - CREATE TABLE orders (id INTEGER PRIMARY KEY, item TEXT, paid BOOLEAN, extra JSON)
      - INSERT INTO orders (item, paid) VALUES ('tea', 0)
    env: { DB_FILE: "\${db.path}" }
services:
  shop:
    run: [node, services/keeps-a-file.mjs]
    env: { DB_FILE: "\${db.path}", DATABASE_URL: "\${db.url}" }
    listen: { env: PORT }
    ready: { http: / }
${more}`;

const say = (...statements: readonly string[]): string =>
  `- { http: "GET shop/?${statements.map((statement) => `do=${encodeURIComponent(statement)}`).join('&')}", expect: { status: 200 } }`;

const buys = say("INSERT INTO orders (item, paid, extra) VALUES ('rice', 1, '{\"kg\": 2}')");

test('a file is as the jobs left it in each trial, and what nobody expected in it fails', async () => {
  const project = trialsProject(system(), {
    // The newest rows are in the log of the WAL only, and stay there while the service runs.
    buys: `steps:
  ${say('PRAGMA journal_mode = WAL', 'PRAGMA wal_autocheckpoint = 0')}
  ${buys}
  - until: { rows: db.orders, where: { item: rice }, count: 1 }
checks:
  all: { rows: shop.orders, columns: [item, paid], expect: [{ item: tea, paid: false }, { item: rice, paid: true }] }
  rice: { rows: db.orders, where: { paid: true }, expect: [{ id: 2, extra: { kg: 2 } }] }
  order: { rows: db.orders, orderBy: id desc, columns: [id], expect: [{ id: 2 }, { id: 1 }] }
  else: { changes: [rows], only: [rice] }`,
    again: `steps:
  ${say("UPDATE orders SET item = 'mint tea'", 'CREATE TABLE later (x)', 'INSERT INTO later VALUES (7)')}
checks:
  all: { rows: db.orders, expect: [{ id: 1, item: mint tea }] }
  nobody: { rows: db.orders, where: { item: rice }, expect: [], provenBy: buys }
  anywhere: { rows: "*.*", where: { row: { x: 7 } }, count: 1 }
  unclaimed: { changes: [rows], only: [all] }`,
    // A writer in the middle of its work neither waits for a look, nor is what it has not committed seen.
    locked: `steps:
  ${say('BEGIN EXCLUSIVE', "INSERT INTO orders (item) VALUES ('salt')")}
checks:
  before: { rows: db.orders, columns: [item], expect: [{ item: tea }] }`,
  });
  const { code, text, verdicts } = await performTrials(project);
  expect(verdicts, text).toEqual({ buys: 'passed', again: 'failed', locked: 'passed' });
  expect(code).toBe(1);
  expect(text).toMatch(/unclaimed/);
  expect(text).toMatch(/later/);
  expect(text).toMatch(/held: .*nobody/);
  expect(project.left()).toEqual(nothing);
}, 120_000);
