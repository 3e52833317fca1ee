/** Services and jobs that are containers of the environment: `image`, with taps in both directions. */
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { atEngine, imagesWith, nodeImage, shellImage } from './harness/container-image.ts';
import { makeProject, type Project } from './harness/project.ts';
import { nothing } from './harness/until.ts';

const withinMs = 240_000;

/** Asks `OUTER` for each request that it gets itself. */
const inner = `const http = require('http');
http.createServer((request, response) => {
  console.log('asked ' + request.url);
  http.get(process.env.OUTER + '/from-inner', (answer) => answer.on('data', (text) => response.write(text)).on('end', () => response.end()));
}).listen(8000, () => console.log('inner is up'));`;
const outer = `require('http').createServer((request, response) => response.end('outer ' + request.url)).listen(process.env.PORT);`;

function boxes(image: string, more = ''): string {
  return `name: boxes
services:
  inner:
    image: ${image}
    command: [node, -e, ${JSON.stringify(inner)}]
    listen: 8000
    env: { OUTER: "\${outer.url}" }
    stop: { within: 1s }
  outer: { run: [node, -e, ${JSON.stringify(outer)}], listen: { env: PORT } }
${more}`;
}

/** The environment's id of the last run. */
function lastEnvironment(project: Project): string {
  const latest = path.join(project.folder, '.shakedown/latest');
  const own = path.join(latest, 'environments/1/plan.json');
  const plan = readFileSync(existsSync(own) ? own : path.join(latest, 'plan.json'), 'utf8');
  const [, environment = ''] = /"workspace":\s*"[^"]*\/shakedown-(\w+)"/.exec(plan) ?? [];
  expect(environment).toMatch(/^\w{8}$/);
  return environment;
}

test('a process calls a container and a container calls a process: both are seen, both can be disturbed', async () => {
  const project = makeProject({
    'shakedown.yaml': boxes(nodeImage()),
    'seen.trial.yaml': `id: seen
steps:
  - { http: GET inner/hello, expect: { status: 200, text: outer /from-inner } }
checks:
  in: { calls: outside -> inner, count: 1, where: { path: /hello } }
  out: { calls: inner -> outer, count: 1, where: { path: /from-inner } }
  told: { logs: inner, match: asked, count: 1 }
`,
    'cut.trial.yaml': `id: cut
disturb: [{ edge: inner -> outer, answer: { status: 503, text: not now } }]
steps:
  - { http: GET inner/hello, expect: { status: 200, text: not now } }
checks:
  refused: { calls: inner -> outer, count: 1, where: { status: 503 } }
`,
  });
  const result = await project.run(['run'], { withinMs });
  expect(result.code, result.output).toBe(0);
  expect(atEngine(lastEnvironment(project))).toEqual([]);
  expect(project.left()).toEqual(nothing);
});

test('a peer with an address that is built in is reached through a tap on its own port', async () => {
  const image = nodeImage();
  const asks = `require('http').createServer((request, response) => require('http').get('http://' + request.url.slice(1) + ':8080/built-in', (answer) => answer.pipe(response))).listen(9000)`;
  const project = makeProject({
    'shakedown.yaml': boxes(
      image,
      `  asking:
    image: ${image}
    command: [node, -e, ${JSON.stringify(asks)}]
    listen: 9000
    peers: { 'backend:8080': outer, 'boxed:8080': inner }
    stop: { within: 1s }
`,
    ),
    'built-in.trial.yaml': `id: built-in
steps:
  - { http: GET asking/backend, expect: { status: 200, text: outer /built-in } }
  - { http: GET asking/boxed, expect: { status: 200, text: outer /from-inner } }
checks:
  called: { calls: asking -> outer, count: 1, where: { path: /built-in } }
  boxed: { calls: asking -> inner, count: 1, where: { path: /built-in } }
`,
  });
  const result = await project.run(['run'], { withinMs });
  expect(result.code, result.output).toBe(0);
});

test('a command runs inside; kill, pause, resume and restart act on the container', async () => {
  const project = makeProject({
    'shakedown.yaml': boxes(nodeImage()),
    'acts.trial.yaml': `id: acts
isolation: restart
steps:
  - { command: [cat], stdin: hello, in: inner, expect: { exitCode: 0, stdout: hello } }
  - { command: 'echo no >&2; echo made > /made; exit 7', in: inner, expect: { exitCode: 7, stderr: "no\\n" } }
  - { restart: inner }
  - { command: [cat, /made], in: inner, expect: { stdout: "made\\n" } }
  - { pause: inner }
  - { http: GET inner/, timeout: 1s, expect: { error: { kind: timeout } } }
  - { resume: inner }
  - { http: GET inner/, expect: { status: 200 } }
  - { kill: inner }
  - { start: inner }
  - { http: GET inner/, expect: { status: 200 } }
checks:
  runs: { process: inner, expect: { running: true, rss: { $gt: 1000 } } }
  looked: { command: [cat, /made], in: inner, expect: { stdout: "made\\n", exitCode: 0 } }
`,
    'fresh.trial.yaml': `id: fresh
steps:
  - { command: [cat, /made], in: inner, expect: { exitCode: 1 } }
checks:
  runs: { process: inner, expect: { running: true } }
`,
  });
  const result = await project.run(['run', '--parallel', '1'], { withinMs });
  expect(result.code, result.output).toBe(0);
  expect(project.left()).toEqual(nothing);
});

test('a folder that a container may write to is a copy; what jobs leave in volumes is there again for each trial', async () => {
  const image = nodeImage();
  const project = makeProject({
    'data/seed.txt': 'seed',
    'shakedown.yaml': `name: volumes
jobs:
  fill:
    image: ${image}
    command: [sh, -c, 'cat /data/seed.txt > /kept/rows; echo more >> /data/seed.txt']
    mounts: [{ bind: data, to: /data, writes: copy }, { volume: kept, to: /kept }]
services:
  box:
    image: ${image}
    command: [sh, -c, 'cat /kept/rows; exec sleep 600']
    mounts: [{ bind: data, to: /data, writes: copy }, { volume: kept, to: /kept }, { tmpfs: /scratch }]
    after: [fill]
    stop: { within: 200ms }
`,
    ...Object.fromEntries(
      ['one', 'two'].map((id) => [
        `${id}.trial.yaml`,
        `id: ${id}
steps:
  - { command: [cat, /kept/rows, /data/seed.txt], in: box, expect: { stdout: "seedseedmore\\n" } }
  - { command: 'echo ${id} > /kept/rows; echo ${id} > /data/seed.txt; echo x > /scratch/x; cat /kept/rows', in: box, expect: { stdout: "${id}\\n" } }
checks:
  runs: { process: box, expect: { running: true } }
`,
      ]),
    ),
  });
  const result = await project.run(['run'], { withinMs });
  expect(result.code, result.output).toBe(0);
  expect(readFileSync(path.join(project.folder, 'data/seed.txt'), 'utf8')).toBe('seed');
  expect(atEngine(lastEnvironment(project))).toEqual([]);
});

test('an image is built without what .dockerignore leaves out, and is gone afterwards', async () => {
  const image = nodeImage();
  const mark = randomUUID();
  const project = makeProject({
    'app/Dockerfile': `FROM ${image}\nENV MARK=${mark}\nARG GREETING\nENV GREETING=$GREETING\nCOPY . /app\nRUN ls /app > /listing\nHEALTHCHECK CMD cat /listing\nCMD ["sh", "-c", "cat /listing; echo $GREETING; exec sleep 600"]\n`,
    'app/.dockerignore': '*.secret\n',
    'app/kept.txt': 'kept',
    'app/not.secret': 'no',
    'shakedown.yaml': `name: built
services:
  box:
    build: { context: app, args: { GREETING: hello } }
    stop: { within: 200ms }
`,
    'built.trial.yaml': `id: built
steps:
  - { command: [cat, /listing], in: box, expect: { stdout: "Dockerfile\\nkept.txt\\n" } }
  - { command: 'echo $GREETING', in: box, expect: { stdout: "hello\\n" } }
checks:
  runs: { process: box, expect: { running: true } }
`,
  });
  const result = await project.run(['run'], { withinMs });
  expect(result.code, result.output).toBe(0);
  expect(atEngine(lastEnvironment(project))).toEqual([]);
  expect(imagesWith(mark)).toEqual([]);
  expect(existsSync(path.join(project.folder, 'app/kept.txt'))).toBe(true);
});

test('a build that fails is reported with its last lines, and leaves no layers', async () => {
  const image = nodeImage();
  const mark = randomUUID();
  const project = makeProject({
    'app/Dockerfile': `FROM ${image}\nENV MARK=${mark}\nRUN echo first > /first\nRUN echo oh no >&2; exit 9\n`,
    'shakedown.yaml': 'name: built\nservices: { box: { build: app } }\n',
  });
  const result = await project.run(['up', '--', 'true'], { withinMs });
  expect(result.code, result.output).toBe(3);
  expect(result.stderr).toContain('error[boot.build-failed] service box, build');
  expect(result.stderr).toMatch(/returned a non-zero code: 9/);
  expect(imagesWith(mark)).toEqual([]);
});

test('two environments of one system at once', async () => {
  const project = makeProject({
    'shakedown.yaml': boxes(nodeImage()),
    ...Object.fromEntries(
      ['a', 'b', 'c', 'd'].map((id) => [
        `${id}.trial.yaml`,
        `id: ${id}\nsteps: [{ http: GET inner/${id}, expect: { status: 200 } }]\nchecks: { called: { calls: outside -> inner, count: 1 } }\n`,
      ]),
    ),
  });
  const result = await project.run(['run', '--parallel', '2'], { withinMs });
  expect(result.code, result.output).toBe(0);
  expect(project.left()).toEqual(nothing);
});

test('a container is ended as its image says, unless the config names a signal', async () => {
  const image = shellImage();
  const says = `trap 'echo got INT; exit' INT; trap 'echo got TERM; exit' TERM; echo up; while :; do sleep 0.1; done`;
  const command = JSON.stringify(['sh', '-c', says]);
  const project = makeProject({
    'app/Dockerfile': `FROM ${image}\nSTOPSIGNAL SIGINT\n`,
    'docker-compose.yml': `services:
  composed: { build: ./app, command: ${command} }
  other: { build: ./app, command: ${command}, stop_signal: SIGTERM }
`,
    'shakedown.yaml': `name: asked
compose:
  files: [docker-compose.yml]
  services: { composed: { ready: { log: up } }, other: { ready: { log: up } } }
services:
  silent: { build: app, command: ${command}, ready: { log: up } }
  explicit: { build: app, command: ${command}, ready: { log: up }, stop: { signal: SIGTERM } }
`,
  });
  const result = await project.run(['up', '--', 'true'], { withinMs });
  expect(result.code, result.output).toBe(0);
  const runs = path.join(project.folder, '.shakedown/runs');
  const log = (name: string): string =>
    readFileSync(path.join(runs, readdirSync(runs)[0] as string, `services/${name}.log`), 'utf8');
  for (const name of ['silent', 'composed']) expect(log(name)).toContain('got INT');
  for (const name of ['explicit', 'other']) expect(log(name)).toContain('got TERM');
});
