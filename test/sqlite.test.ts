/** SQLite as a resource: a file that services open themselves, fresh between trials, looked at without disturbing them. */
import { expect, test } from 'vitest';
import { performTrials, trialsProject, unfolded } from './harness/trials-project.ts';
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
  const { code, text, verdicts } = await performTrials(project, '--verbose');
  expect(verdicts, text).toEqual({ buys: 'passed', again: 'failed', locked: 'passed' });
  expect(code).toBe(1);
  expect(text).toMatch(/unclaimed/);
  expect(text).toMatch(/later/);
  expect(text).toMatch(/held: .*nobody/);
  expect(project.left()).toEqual(nothing);
}, 120_000);

test('what cannot be read is unknown, and is never taken for an empty table', async () => {
  const none = 'checks:\n  none: { rows: db.orders, where: { item: rice }, expect: [], provenBy: buys }\n';
  const spoil = (script: string): string => `steps:
  - { http: GET shop/ }
  - { command: [sh, -c, '${script} "$1"', sh, "\${db.path}"] }
${none}`;
  const project = trialsProject(system(), {
    buys: `steps:\n  ${buys}\nchecks:\n  rice: { rows: db.orders, where: { item: rice }, count: 1 }`,
    damaged: spoil('head -c 9000 /dev/zero >'),
    gone: spoil('rm'),
    column: `steps:\n  ${buys}\nchecks:
  a: { rows: db.orders, where: { itm: rice }, count: 1 }
  b: { rows: db.order, count: 2 }`,
  });
  const { text, verdicts } = await performTrials(project);
  expect(verdicts, text).toEqual({ buys: 'passed', damaged: 'unknown', gone: 'unknown', column: 'unknown' });
  expect(text).toContain('the file of the database cannot be read: file is not a database');
  expect(text).toContain('there is no table orders; there is none at all');
  expect(text).toContain('main.orders has no column itm; did you mean item?');
  expect(text).toContain('there is no table order; did you mean orders?');
}, 120_000);

test('what a config or a trial cannot mean is refused before anything starts', async () => {
  const refused = async (config: string, trial = 'steps: [{ http: GET shop/ }]'): Promise<string> => {
    const { code, output } = await trialsProject(config, { a: trial }).run(['run']);
    expect(code, output).toBe(2);
    return unfolded(output);
  };
  const by = (before: string, after: string): string => system().replace(before, after);
  expect(await refused(by('{ kind: sqlite }', '{ kind: sqlite, url: x }'))).toMatch(
    /unknown key `url`|`url`/,
  );
  expect(await refused(by('{ kind: sqlite }', '{ kind: sqllite }'))).toMatch(
    /postgres, redis, sqlite, model/,
  );
  expect(await refused(by('DATABASE_URL: "${db.url}"', 'DATABASE_URL: "${db.host}"'))).toMatch(
    /`db` has no `host` allowed db.path, db.url/,
  );
  expect(await refused(system('  box: { image: "alpine:3", env: { DB: "${db.path}" } }'))).toMatch(
    /`db` is a file of this machine, which a container does not see/,
  );
  expect(await refused(system('  box: { image: "alpine:3", peers: { "db:1": db } }'))).toMatch(
    /no service and no resource with an address is called `db`/,
  );
  const check = (text: string): string => `steps: [{ http: GET shop/ }]\nchecks:\n  a: ${text}`;
  expect(await refused(system(), check('{ rows: bd.orders, count: 1 }'))).toMatch(/did you mean `db`/);
  expect(await refused(system(), check('{ calls: shop -> db, count: 1 }'))).toMatch(
    /there is no edge `shop -> db`/,
  );
  expect(await refused(system(), 'steps: [{ http: GET db/ }]')).toMatch(/there is no service `db`/);
});

test('lint --live finds a table and a column that the file does not have', async () => {
  const project = trialsProject(system(), {
    a: `steps: [{ http: GET shop/ }]
checks:
  table: { rows: db.order, count: 1 }
  column: { rows: db.orders, where: { itm: tea }, count: 1 }
  fits: { rows: shop.orders, where: { item: tea }, count: 1 }`,
  });
  const { code, output } = await project.run(['lint', '--live']);
  expect(code, output).toBe(6);
  expect(unfolded(output)).toMatch(/db has no table `order`.*did you mean `db.orders`/);
  expect(unfolded(output)).toMatch(/the column `itm`, which main.orders does not have.*did you mean `item`/);
  expect(output).not.toMatch(/fits/);
}, 60_000);
