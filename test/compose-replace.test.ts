/** `replace`: the embedded database, and processes of the config, in the place of services of a compose file; no docker. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { makeProject } from './harness/project.ts';
import { projectFolder } from './harness/project-files.ts';
import { nothing } from './harness/until.ts';

const pg = pathToFileURL(path.join(projectFolder, 'node_modules/pg/lib/index.js')).href;

/** Logs in with what the compose file says, through its own tap; only host and port come from the environment. */
const asks = `import http from 'node:http';
const { default: pg } = await import(process.env.PG_MODULE);
const { hostname, port } = new URL(process.env.DATABASE_URL);
const [user, password, database] = process.argv.slice(2);
const pool = new pg.Pool({ host: hostname, port, user, password, database });
await pool.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
http.createServer(async (request, response) => {
  if (request.url === '/add') await pool.query('CREATE TABLE IF NOT EXISTS added (n int); INSERT INTO added VALUES (1)');
  const { rows } = await pool.query("SELECT current_user AS user, current_database() AS database, to_regclass('added')::text AS added");
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ ...rows[0], url: process.env.DATABASE_URL.replace(/:[0-9]+[/]/, '/') }));
}).listen(process.env.PORT);
`;

test.each([
  [
    'a database of its own',
    '{ POSTGRES_USER: app, POSTGRES_PASSWORD: "p w/1", POSTGRES_DB: shop }',
    ['app', 'p w/1', 'shop'],
  ],
  [
    'the defaults of the image',
    '{ POSTGRES_PASSWORD: secret-enough }',
    ['postgres', 'secret-enough', 'postgres'],
  ],
  ['the name of ours', '{ POSTGRES_USER: main, POSTGRES_PASSWORD: x }', ['main', 'x', 'main']],
])(
  '%s',
  async (_, environment, [user = '', password = '', database = '']) => {
    const url = `'postgresql://${user}:${encodeURIComponent(password)}@127.0.0.1/${database}'`;
    const fresh = `steps: [{ http: GET web/, expect: { json: { user: ${user}, database: ${database}, added: null, url: ${url} } } }, { http: POST web/add, expect: { json: { added: added } } }]
`;
    const project = makeProject({
      'docker-compose.yml': `services:
  db: { image: "postgres:16", environment: ${environment}, volumes: ["data:/var/lib/postgresql/data"] }
  web: { build: ./web, ports: ["80:80"], depends_on: [db] }
volumes: { data: {} }
`,
      'asks.mjs': asks,
      'shakedown.yaml': `name: shop
compose: docker-compose.yml
replace: { db: postgres, web: web }
services:
  web:
    run: [node, asks.mjs, '${user}', '${password}', '${database}']
    listen: { env: PORT }
    env: { DATABASE_URL: "\${db.url}", PG_MODULE: "${pg}" }
`,
      // The second begins with what the first began with.
      'one.trial.yaml': `id: one\n${fresh}`,
      'two.trial.yaml': `id: two\n${fresh}checks: { same: { calls: web -> db, count: { $gte: 1 }, within: 5s } }\n`,
    });
    // Also on the data that the first run has kept.
    for (let run = 0; run < 2; run += 1) {
      const result = await project.run(['run'], { withinMs: 120_000 });
      expect(result.output).toContain('2 passed');
    }
    expect(project.left()).toEqual(nothing);
  },
  300_000,
);
