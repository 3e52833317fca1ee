/** Two environments of one compose file at once: fixed ports, names and volumes are each one's own, and edges are seen. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { atEngine, nodeImage } from './harness/container-image.ts';
import { makeProject, type Project } from './harness/project.ts';
import { nothing } from './harness/until.ts';

const withinMs = 400_000;

const compose = `x-app: &app
  image: "\${IMAGE:?the image of the test}"
  stop_grace_period: 1s
services:
  web:
    <<: *app
    command: node /src/web.js
    container_name: the-web
    ports: ["18080:80"]
    environment: { API: "http://api:8000" }
    volumes: ["./src:/src"]
    depends_on: { api: { condition: service_healthy } }
  api:
    <<: *app
    command: node /src/api.js
    expose: ["8000"]
    volumes: ["./src:/src:ro"]
    healthcheck: { test: [CMD, node, /src/healthy.js], interval: 1s, timeout: 10s, retries: 60 }
    depends_on:
      seed: { condition: service_completed_successfully }
      store: { condition: service_started }
  store:
    <<: *app
    command: [node, /src/store.js]
    container_name: the-store
    ports: ["16400:6400"]
    volumes: ["./src:/src:ro", "data:/data"]
    depends_on: { seed: { condition: service_completed_successfully } }
  seed:
    <<: *app
    command: [sh, -c, "echo seeded > /data/seed"]
    volumes: ["data:/data"]
  worker:
    <<: *app
    command: node /src/worker.js
    volumes: ["./src:/src:ro"]
    environment: [WHO]
volumes: { data: {} }
`;

const sources = {
  // The address of the store is in the code alone.
  'src/api.js': `const http = require('http');
http.createServer((request, response) => {
  if (request.url === '/healthy') return response.end('ok');
  http.get('http://store:6400' + request.url, (answer) => answer.pipe(response));
}).listen(8000);`,
  'src/healthy.js': `require('http').get('http://127.0.0.1:8000/healthy', () => process.exit(0)).on('error', () => process.exit(1));`,
  'src/store.js': `const fs = require('fs');
require('http').createServer((request, response) => {
  if (request.method === 'POST') fs.appendFileSync('/data/seed', request.url + '\\n');
  response.end(fs.readFileSync('/data/seed'));
}).listen(6400);`,
  'src/web.js': `const http = require('http');
require('fs').writeFileSync('/src/written-by-web', 'a copy of its own');
http.createServer((request, response) => http.get(process.env.API + request.url, (answer) => answer.pipe(response))).listen(80);`,
  'src/worker.js': `setInterval(() => {
  console.log('worker of ' + process.env.WHO);
  require('http').request('http://the-store:6400/job', { method: 'POST' }, (answer) => answer.resume()).on('error', () => {}).end();
}, 200);`,
};

function shop(image: string, who: string): Project {
  return makeProject({
    'docker-compose.yml': compose,
    '.env': `IMAGE=${image}\nWHO=nobody\n`,
    'shakedown.yaml': `name: shop
compose: { files: docker-compose.yml, env: { WHO: ${who} } }
edges: { 'worker -> store': { idle: ignore } }
`,
    'whole.trial.yaml': `id: whole
steps:
  - { http: GET web/hello, expect: { status: 200, text: { $contains: seeded } } }
checks:
  to-api: { calls: web -> api, count: 1, where: { path: /hello } }
  to-store: { calls: api -> store, count: 1, where: { path: /hello } }
  own-name: { calls: worker -> store, count: { $gte: 1 }, where: { path: /job }, within: 20s }
  own-words: { logs: worker, match: '^worker of ${who}$', count: { $gte: 1 }, within: 20s }
`,
    ...sources,
  });
}

test('five services, twice at once', async () => {
  const image = nodeImage();
  const projects = [shop(image, 'one'), shop(image, 'two')];
  const results = await Promise.all(projects.map((project) => project.run(['run'], { withinMs })));
  for (const [index, { code, output }] of results.entries()) expect(code, `${index}: ${output}`).toBe(0);
  for (const project of projects) {
    const plan = readFileSync(
      path.join(project.folder, '.shakedown/latest/environments/1/plan.json'),
      'utf8',
    );
    const [, environment] = /"workspace":\s*"[^"]*\/shakedown-(\w+)"/.exec(plan) ?? [];
    expect(environment).toMatch(/^\w{8}$/);
    expect(atEngine(environment)).toEqual([]);
    // What the container writes into its folder is a copy.
    expect(() => readFileSync(path.join(project.folder, 'src/written-by-web'))).toThrow('ENOENT');
    expect(project.left()).toEqual(nothing);
  }
}, 600_000);
