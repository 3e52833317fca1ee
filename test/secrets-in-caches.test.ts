/** What a service does with a secret is in nothing that is kept for the next run, whoever gave it the secret. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { readJournal } from '../src/journal/reader.ts';
import { makeProject, type Project } from './harness/project.ts';
import { projectFolder } from './harness/project-files.ts';

const twoMinutes = 120_000;
const env = { KEY: 'sk-very-secret-key-0123456789' };
const pgModule = pathToFileURL(path.join(projectFolder, 'node_modules/pg/lib/index.js')).href;

/** Files in which the text is, as bytes or in UTF-16. */
function filesWith(folder: string, text: string): readonly string[] {
  const forms = [Buffer.from(text), Buffer.from(text, 'utf16le')];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .filter((file) => forms.some((form) => readFileSync(file).includes(form)));
}

async function runTwice(project: Project): Promise<void> {
  for (const round of [1, 2]) {
    const { code, output } = await project.run(['run'], { env });
    expect(code, `round ${round}: ${output}`).toBe(0);
    expect(filesWith(path.dirname(project.tmp), env.KEY), `round ${round}`).toEqual([]);
  }
}

const answers = `process.on('SIGTERM', () => process.exit(0));
http.createServer(async (request, response) => {
  try { response.end(await answer(request)); } catch (error) { response.writeHead(500).end(String(error)); }
}).listen(process.env.PORT, '127.0.0.1');
`;

const asked = (step: string): string => `isolation: fresh
steps: [{ http: ${step}, as: x, expect: { status: 200 } }]
checks: { ok: { exchange: x, expect: { text: ok } } }
`;

const rendered = `
    run: [node, "\${self.dir}/main.mjs"]
    listen: { env: PORT }
    files:
      main.mjs: { text: "import http from 'node:http'; import config from './config.js'; const answer = () => config.key && 'ok'; ${answers.replaceAll('\n', ' ')}" }
      config.js: { format: text, text: "module.exports = { key: '\${env.KEY}' };" }
`;

/** Nothing in the config gives it the secret. */
const sent = `import { writeFileSync } from 'node:fs';
import http from 'node:http';
const answer = async ({ headers }) => {
  const file = process.env.HOME + '/made.mjs';
  writeFileSync(file, 'export const key = ' + JSON.stringify(headers['x-key'] ?? ''));
  return (await import(file)).key && 'ok';
};
${answers}`;

test.each([
  ['that was rendered', rendered],
  ['that a service made of what it was sent', '{ run: [node, sent.mjs], listen: { env: PORT } }'],
])(
  'compiled code of a module %s',
  async (_, web) => {
    await runTwice(
      makeProject({
        'shakedown.yaml': `name: compiled\nsecrets: [KEY]\nservices:\n  web: ${web}\n`,
        'sent.mjs': sent,
        'trials/1.trial.yaml': `id: one\n${asked('GET web/, headers: { x-key: "${env.KEY}" }')}`,
      }),
    );
  },
  twoMinutes,
);

test(
  'a database that is kept: no rows, no names, no write-ahead log of a service; what the jobs made is there',
  async () => {
    const project = makeProject({
      'shakedown.yaml': `name: stored
secrets: [KEY]
resources: { db: { kind: postgres } }
jobs:
  seed:
    run: [node, seed.mjs]
    env: { DB: "\${db.url}", PG_MODULE: "${pgModule}" }
    inputs: [seed.mjs]
services:
  api:
    run: [node, api.mjs]
    listen: { env: PORT }
    env: { K: "\${env.KEY}", DB: "\${db.url}", PG_MODULE: "${pgModule}" }
    after: [seed]
`,
      'seed.mjs': `const { default: pg } = await import(process.env.PG_MODULE);
const client = new pg.Client(process.env.DB);
await client.connect();
await client.query("CREATE TABLE seeded (a text); INSERT INTO seeded VALUES ('by the job')");
await client.query("CREATE UNLOGGED TABLE unlogged (a text); INSERT INTO unlogged VALUES ('by the job')");
await client.end();
`,
      'api.mjs': `import http from 'node:http';
const { default: pg } = await import(process.env.PG_MODULE);
const key = process.env.K;
const client = new pg.Client(process.env.DB);
client.on('error', () => {});
await client.connect();
await client.query('INSERT INTO seeded VALUES ($1)', [key]);
const answer = async () => {
  await client.query('CREATE ROLE "' + key + '"; COMMENT ON ROLE "' + key + '" IS \\'' + key + '\\'');
  await client.query('DROP ROLE "' + key + '"');
  await client.query('CREATE DATABASE "' + key + '"');
  const { rows } = await client.query('SELECT a FROM seeded UNION ALL SELECT a FROM unlogged');
  return rows.map(({ a }) => a).join() === 'by the job,' + key + ',by the job' ? 'ok' : JSON.stringify(rows);
};
${answers}`,
      'trials/1.trial.yaml': `id: one\n${asked('GET api/')}`,
      'trials/2.trial.yaml': `id: two\n${asked('GET api/')}`,
    });
    await runTwice(project);
    const kept = path.join(project.folder, '.shakedown/cache/snapshots');
    expect(existsSync(kept) && readdirSync(kept)).toHaveLength(1);
    const environment = path.join(project.folder, '.shakedown/latest/environments/1/events.ndjson');
    const { events } = await readJournal(environment);
    expect(events.flatMap((event) => (event.type === 'node.reused' ? [event.name] : []))).toEqual(['seed']);
  },
  twoMinutes,
);
