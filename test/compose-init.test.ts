/** From a compose file that nobody has prepared to two environments at once, without edits: `init --from`. */
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { atEngine, nodeImage } from './harness/container-image.ts';
import { makeProject, type Project } from './harness/project.ts';
import { nothing } from './harness/until.ts';

const withinMs = 400_000;

const compose = (image: string): string => `version: "3.9"
x-logging: &logging
  logging: { driver: json-file }
  stop_grace_period: 1s
services:
  storefront:
    <<: *logging
    build: { context: ./web }
    container_name: acme-storefront
    restart: unless-stopped
    ports: ["3000:3000"]
    environment:
      - CATALOG_API=http://catalog-api:8080
      - SESSION_KEY=\${SESSION_KEY:?set a session key}
    depends_on: { catalog-api: { condition: service_healthy } }
    networks: [front, back]
  catalog-api:
    <<: *logging
    build: ./api
    image: acme/catalog-api:\${TAG:-dev}
    expose: ["8080"]
    environment: { SCHEMA: /data/schema }
    volumes: ["catalog-data:/data"]
    healthcheck:
      test: ["CMD-SHELL", "node -e \\"require('http').get('http://localhost:8080/healthz',r=>process.exit(r.statusCode===200?0:1)).on('error',()=>process.exit(1))\\""]
      interval: 5s
    depends_on: [queue, db_migrate]
    networks: { back: { aliases: [catalog] } }
  db_migrate:
    <<: *logging
    build: ./api
    command: ["node", "migrate.js"]
    volumes: ["catalog-data:/data"]
    networks: [back]
  queue:
    <<: *logging
    image: ${image}
    command: [node, /srv/queue.js]
    volumes: ["./worker/queue.js:/srv/queue.js:ro"]
    cap_add: [SYS_PTRACE]
    networks: [back]
  indexer:
    <<: *logging
    build: { context: ./worker, args: { LEVEL: info } }
    volumes: ["./worker:/app"]
    environment: { QUEUE: "http://queue:7000", CATALOG: "http://catalog:8080" }
    depends_on: [queue]
    networks: [back]
  debug-mail: { image: mailhog/mailhog, profiles: [debug], ports: ["8025:8025"] }
  metrics: { image: "postgres:16", profiles: [debug] }
volumes: { catalog-data: }
networks: { front: , back: { driver: bridge } }
`;

const files = (image: string): Readonly<Record<string, string>> => ({
  'docker-compose.yml': compose(image),
  'api/Dockerfile': `FROM ${image}\nWORKDIR /srv\nCOPY . .\nEXPOSE 8080\nCMD ["node", "server.js"]\n`,
  'api/migrate.js': `require('fs').writeFileSync('/data/schema', 'v1');`,
  'api/server.js': `const fs = require('fs');
require('http').createServer((request, response) => {
  const say = (value, status = 200) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  if (request.url === '/healthz') return say({ status: 'ok', at: new Date().toISOString() });
  if (request.url === '/openapi.json') return say({ openapi: '3.1.0', paths: { '/items': { get: {} }, '/items/{id}': { get: {} }, '/orders': { post: {} } } });
  if (request.url === '/items') return say({ shop: 'acme', currency: 'EUR', migrated: fs.existsSync(process.env.SCHEMA), items: [] });
  say({ error: 'no such thing' }, 404);
}).listen(8080);`,
  'web/Dockerfile': `FROM ${image}\nWORKDIR /srv\nCOPY server.js .\nCMD ["node", "server.js"]\n`,
  'web/server.js': `const http = require('http');
http.createServer((request, response) => http.get(process.env.CATALOG_API + '/items', (answer) => {
  let text = '';
  answer.on('data', (part) => (text += part)).on('end', () => response.end('<html><title>Acme storefront</title>' + text + Date.now() + '</html>'));
})).listen(3000);`,
  'worker/Dockerfile': `FROM ${image}\nARG LEVEL\nENV LEVEL=$LEVEL\nWORKDIR /app\nCOPY . .\nCMD ["node", "indexer.js"]\n`,
  'worker/queue.js': `require('http').createServer((request, response) => response.end(request.url === '/' ? '{"broker":"memory","jobs":[]}' : '')).listen(7000);`,
  'worker/indexer.js': `require('fs').writeFileSync('/app/heartbeat', 'alive');
setInterval(() => require('http').get(process.env.QUEUE + '/next', (answer) => answer.resume()).on('error', () => {}), 1000);`,
});

function filesOf({ folder }: Project): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .filter((name) => !name.startsWith('.shakedown'));
  return Object.fromEntries(names.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]));
}

test('five services become a config that boots, twice at once, and a trial that passes and can fail', async () => {
  const project = makeProject(files(nodeImage()));
  const before = filesOf(project);
  const made = await project.run(['init', '--from', 'docker-compose.yml'], { withinMs });
  expect(made.code, made.output).toBe(0);
  expect(made.output).toContain('runs once, and is a job: db-migrate\n');
  expect(made.output).toContain('note: SESSION_KEY must be given, and is made up in shakedown.yaml\n');
  expect(made.output).toContain('queue gets the capabilities SYS_PTRACE\n');
  const { 'shakedown.yaml': config, 'trials/first.trial.yaml': trial, ...others } = filesOf(project);
  expect(others).toEqual(before);
  expect(config).toContain('# profiles: [debug] # ? left out: debug-mail, metrics\n');
  expect(config).toContain('    db_migrate: { as: job }\n');
  expect(trial).toContain('- http: GET catalog-api/items\n');
  expect(trial).toContain('json: { shop: acme, currency: EUR, migrated: true, items: [] }');
  expect(trial).toContain('text: { $contains: <title>Acme storefront</title> }'.replace(/(<.*>)/, '"$1"'));
  const second = makeProject({});
  cpSync(project.folder, second.folder, { recursive: true });
  const both = [project, second].map((one) => one.run(['up', '--', 'true'], { withinMs }));
  for (const { code, output } of await Promise.all(both)) expect(code, output).toBe(0);
  const run = await project.run(['run'], { withinMs });
  expect(run.code, run.output).toBe(0);
  const sabotage = await project.run(['sabotage']);
  expect(sabotage.output).toContain('vitality 100 %: 4 of 4 checks can fail');
  for (const one of [project, second]) {
    const { 'shakedown.yaml': _, 'trials/first.trial.yaml': __, ...after } = filesOf(one);
    expect(after).toEqual(before);
    expect(one.left()).toEqual(nothing);
  }
  expect(ownAtEngine()).toEqual([]);
}, 900_000);

test('a database whose image cannot be fetched is embedded, and others are proposed', async () => {
  const answer = "require('http').createServer((q, r) => r.end('shop is open')).listen(3000)";
  const project = makeProject({
    'compose.yaml': `services:
  my_db: { image: "nowhere.invalid/postgres:1", environment: { POSTGRES_PASSWORD: secret } }
  web:
    image: ${nodeImage()}
    environment: { DATABASE_URL: "postgres://postgres:secret@my_db:5432/postgres" }
    ports: ["3000"]
    depends_on: [my_db]
    stop_grace_period: 1s
`,
    'compose.override.yml': `services: { web: { command: [node, -e, ${JSON.stringify(answer)}] } }`,
  });
  const made = await project.run(['init', '--from', 'compose.yaml'], { withinMs });
  expect(made.code, made.output).toBe(0);
  expect(made.output).toContain('has no image, and is embedded: my-db\n');
  expect(filesOf(project)['shakedown.yaml']).toMatch(/^compose: \[compose\.yaml, compose\.override\.yml\]$/m);
  expect(filesOf(project)['shakedown.yaml']).toMatch(/^replace: # .*\n {2}my_db: postgres$/m);
  const run = await project.run(['run'], { withinMs });
  expect(run.code, run.output).toBe(0);
  expect(project.left()).toEqual(nothing);
});

/** By the names of the services: other tests have containers of theirs. */
function ownAtEngine(): readonly string[] {
  return atEngine().filter((line) => /storefront|catalog|db-migrate|indexer/.test(line));
}
