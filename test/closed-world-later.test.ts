/** A check with `within` claims what it was shown: what comes or changes after it held is a change like any other. */
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { performTrials, trialsProject } from './harness/trials-project.ts';

const config = `isolation: fresh
resources: { db: { kind: postgres } }
jobs: { migrate: { run: [node, migrate.mjs], env: { DATABASE_URL: "\${db.url}" } } }
services:
  mailer: { run: [node, mailer.mjs], listen: { env: PORT } }
  shop:
    run: [node, shop.mjs]
    listen: { env: PORT }
    env: { DATABASE_URL: "\${db.url}", MAILER_URL: "\${mailer.url}", DIR: "\${self.dir}" }
    ready: { http: /health }
    after: [migrate]`;

const client = createRequire(import.meta.url).resolve('pg');

const files = {
  'migrate.mjs': `import pg from '${client}';
const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
await client.connect();
await client.query("CREATE TABLE charges (id serial PRIMARY KEY, item text, at timestamptz DEFAULT now(), sum numeric(9,2) DEFAULT 1.5, doc jsonb DEFAULT '{\\"a\\": 1.0}', raw bytea DEFAULT 'x', day date DEFAULT now())");
await client.query("INSERT INTO charges (item) VALUES ('old')");
await client.end();
`,
  'mailer.mjs': `import { createServer } from 'node:http';
createServer((request, response) => response.end('ok')).listen(process.env.PORT, '127.0.0.1');
`,
  // Does the first thing before it answers, and the second when a busy machine has looked, too: /row/tea/row/milk
  'shop.mjs': `import fs from 'node:fs';
import { createServer } from 'node:http';
import pg from '${client}';
const db = new pg.Pool({ connectionString: process.env.DATABASE_URL });
const verbs = {
  row: (item) => db.query('INSERT INTO charges (item) VALUES ($1)', [item]),
  change: (item) => db.query("UPDATE charges SET item = $1 WHERE item <> 'old'", [item]),
  remove: (item) => db.query('DELETE FROM charges WHERE item = $1', [item]),
  mail: (to) => fetch(process.env.MAILER_URL + '/' + to, { method: 'POST', body: 'hi' }),
  file: (text) => fs.writeFileSync(process.env.DIR + '/report', text),
  event: (name) => fs.appendFileSync(process.env.DIR + '/events.jsonl', JSON.stringify({ name }) + '\\n'),
  nothing: () => {},
};
createServer(async (request, response) => {
  const [, verb, what, later = 'nothing', other] = request.url.split('/');
  if (verb === 'health') return response.end('ok');
  await verbs[verb](what);
  setTimeout(() => verbs[later](other), 1_000);
  response.end('ok');
}).listen(process.env.PORT, '127.0.0.1');
`,
};

const closed = (path: string, seen: string, more = '') => `settle: 1500ms
steps: [{ http: POST shop/${path}, expect: { status: 200 } }]
checks:
  seen: { ${seen}, within: 5s }
${more}  nothing-else: { changes: [rows, files, calls], only: [seen${more === '' ? '' : ', other'}] }`;

const tea = 'rows: shop.charges, where: { item: { $ne: old } }, expect: [{ item: tea }]';
const mail = 'calls: shop -> mailer, expect: [{ path: /one }]';
const report = 'files: shop, path: report, as: text, expect: [{ text: ok }]';

test('what came later is not claimed', async () => {
  const late = {
    'second-row': closed('row/tea/row/tea', tea),
    'changed-row': closed('row/tea/change/garbage', tea),
    'removed-row': closed('nothing/x/remove/old', 'rows: shop.charges, expect: [{ item: old }]'),
    'second-row-anywhere': closed(
      'row/tea/row/tea',
      'rows: "*.*", where: { row: { item: tea } }, expect: [{ row: { item: tea } }]',
    ),
    'second-mail': closed('mail/one/mail/one', mail),
    'changed-file': closed('file/ok/file/garbage', report),
    'second-event': closed('event/a/event/b', 'events: shop, file: events.jsonl, expect: [{ name: a }]'),
  };
  const run = await performTrials(trialsProject(config, late, files));
  const shown = run.verdict.trials.map(({ id, verdict, checks }) => [
    id,
    verdict,
    checks
      .filter((check) => check.verdict !== 'passed')
      .map((check) => [check.id, check.observed.slice(0, 9)]),
  ]);
  const failed = [['nothing-else', '1 element']];
  expect(shown).toEqual(run.verdict.trials.map(({ id }) => [id, 'failed', failed]));
  expect(shown).toHaveLength(Object.keys(late).length);
});

test('what another check claims, or what still fulfils the check, is', async () => {
  const fine = {
    'both-rows': closed(
      'row/tea/row/milk',
      tea,
      '  other: { rows: shop.charges, where: { item: milk }, expect: [{ item: milk }] }\n',
    ),
    'both-mails': closed(
      'mail/one/mail/two',
      mail,
      '  other: { calls: shop -> mailer, where: { path: /two }, count: 1, within: 5s }\n',
    ),
    'any-number': closed('row/tea/row/tea', 'rows: shop.charges, expect: { $some: { item: tea } }'),
    'same-file': closed('file/ok/file/ok', report),
    'last-of-two': closed('file/no/file/ok', report),
    'one-event': closed('event/a', 'events: shop, file: events.jsonl, expect: [{ name: a }]'),
  };
  const run = await performTrials(trialsProject(config, fine, files));
  expect(run.code, run.text).toBe(0);
});
