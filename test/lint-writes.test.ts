/** Direct writes to the system's data are found; reads are not. */
import { expect, test } from 'vitest';
import { flowText, lintJson, lintProject } from './harness/lint-project.ts';

const held = "at.check('held', await at.http('web').get('/'), { status: 200 });";
const trial = (id: string, command: string, more = '') =>
  `id: ${id}\nsteps:\n  - { command: ${command}${more}, as: done }\nchecks:\n  ended: { exchange: done, expect: { exitCode: 0 } }\n`;

const files = {
  'trials/insert.trial.yaml': trial('insert', '[psql, "${web.url}", -c, "INSERT INTO notes VALUES (1)"]'),
  'trials/input.trial.yaml': trial('input', '[sqlite3, app.db]', ', stdin: "update notes set text = 1"'),
  'trials/redis.trial.yaml': trial('redis', '"redis-cli -p 6379 SET user:1 admin"'),
  'trials/file.trial.yaml': trial('file', 'psql app -f ./rows.sql'),
  'trials/rows.sql': 'begin;\nDELETE FROM notes;\ncommit;\n',
  'trials/folder.trial.yaml': trial('folder', '"echo 1 > ../data/store/flag"'),
  'trials/script.trial.yaml': trial('script', '[python3, ./seed.py]'),
  'trials/seed.py': "import psycopg\nsql = 'INSERT INTO notes VALUES (1)'\n",
  'trials/client.flow.ts': flowText(
    'client',
    held,
    "import { DatabaseSync } from 'node:sqlite';\nexport const used = DatabaseSync;",
  ),
  'trials/files.flow.ts': flowText(
    'files',
    `writeFileSync('../data/store/x', '1'); ${held}`,
    "import { writeFileSync } from 'node:fs';",
  ),
  'trials/reads.trial.yaml': trial('reads', '[psql, app, -c, "SELECT * FROM notes"]'),
  'trials/get.trial.yaml': trial('get', '[redis-cli, GET, "user:1"]'),
  'trials/elsewhere.trial.yaml': trial('elsewhere', '"echo insert into the hat > /dev/null"'),
};

const config = `  keeper:
    run: [node, services/answers.mjs]
    listen: { env: PORT }
    env: { DATA_DIR: "./data/store" }
`;

test('statements, key-value stores, clients, helper scripts and the folders of services', async () => {
  const { code, shown, findings } = await lintJson(lintProject(files, config));
  expect(code).toBe(6);
  expect(shown).toEqual([
    'direct-write trials/client.flow.ts:2',
    'direct-write trials/file.trial.yaml:3',
    'direct-write trials/files.flow.ts:4',
    'direct-write trials/folder.trial.yaml:3',
    'direct-write trials/input.trial.yaml:3',
    'direct-write trials/insert.trial.yaml:3',
    'direct-write trials/redis.trial.yaml:3',
    'direct-write trials/seed.py:2',
  ]);
  expect(findings[1]?.text).toContain('"DELETE FROM", from ./rows.sql');
});

test('the policy names trials that may write', async () => {
  const policy = `${config}suite: { writes: { allow: ["trials/*.{flow.ts,py}", "trials/f*.trial.yaml", "trials/{input,insert,redis}.trial.yaml"], because: a legacy import } }\n`;
  expect(await lintJson(lintProject(files, policy))).toMatchObject({ code: 0, findings: [] });
});
