/** `init --from`: a config that boots without edits, and a first trial that passes and can fail. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { needs } from './harness/needs.ts';
import { makeProject, type Project } from './harness/project.ts';
import { nothing } from './harness/until.ts';

/** What no answer has twice: the time, an id, a number that grows. */
const answers = `const started = Date.now();
let asked = 0;
const health = () => ({ status: 'ok', version: '1.4.2', at: new Date().toISOString(), id: crypto.randomUUID(), up: Date.now() - started, asked: (asked += 1), warnings: [] });
require('node:http').createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  if (request.url === '/health') return response.end(JSON.stringify(health()));
  response.writeHead(404).end('{"error":"not found"}');
})`;
const web = `${answers}.listen(process.env.PORT);`;
const works = "setInterval(() => console.log('working'), 300);";

function read(project: Project, name: string): string {
  return readFileSync(path.join(project.folder, name), 'utf8');
}

/** Every file that was there is as it was, and only the two are new. */
function filesOf(project: Project): Readonly<Record<string, string>> {
  const entries = readdirSync(project.folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(project.folder, path.join(entry.parentPath, entry.name)))
    .filter((name) => !name.startsWith('.shakedown'));
  return Object.fromEntries(names.map((name) => [name, read(project, name)]));
}

/** The first trial passes twice, and each of its checks can fail. */
async function holds(project: Project, source: string): Promise<void> {
  const before = filesOf(project);
  const made = await project.run(['init', '--from', source]);
  expect(made.code, made.output).toBe(0);
  expect(made.stdout).toContain('wrote shakedown.yaml\nwrote trials/first.trial.yaml\n');
  const { 'shakedown.yaml': _, 'trials/first.trial.yaml': __, ...others } = filesOf(project);
  expect(others).toEqual(before);
  const lint = await project.run(['lint']);
  expect(lint.code, lint.output).toBe(0);
  const run = await project.run(['run', '--repeat', '2']);
  expect(run.code, `${run.output}\n${read(project, 'trials/first.trial.yaml')}`).toBe(0);
  const sabotage = await project.run(['sabotage']);
  expect(sabotage.output).toMatch(/vitality 100 %: (\d+) of \1 checks can fail/);
  expect(sabotage.code, sabotage.output).toBe(0);
  expect(project.left()).toEqual(nothing);
}

test('a Procfile: its processes are services, release is a job before them, an address of a database a resource', async () => {
  const project = makeProject({
    Procfile: `# comments stay out
web: node web.js \${NOBODY:-0}
Mail_worker: node worker.js
release: node -e 'if (!process.env.DATABASE_URL.startsWith("postgresql+driver://")) process.exit(1)'
`,
    '.env.example': 'DATABASE_URL=postgresql+driver://me:secret@elsewhere/app\nAPI_KEY=secret\n',
    'web.js': web,
    'worker.js': works,
  });
  await holds(project, 'Procfile');
  const config = read(project, 'shakedown.yaml');
  expect(config).toContain('  db: { kind: postgres }\n');
  expect(config).toContain('run: "node web.js $${NOBODY:-0}"\n    listen: { env: PORT }\n');
  expect(config).toContain('  mail-worker:\n');
  expect(config).toContain('? In .env.example, which is not read here: API_KEY.');
  expect(config).not.toContain('secret');
  const trial = read(project, 'trials/first.trial.yaml');
  expect(trial).toContain('- http: GET web/health\n');
  expect(trial).toContain('json: { status: ok, version: 1.4.2, at: { $type: string }');
  expect(trial).toContain('process: mail-worker\n');
});

test('what turns out to run once becomes a job; without HTTP, the first trial restarts a service', async () => {
  const project = makeProject({
    Procfile: `setup: node -e 'console.log("made")'\nticker: node worker.js\n`,
    'worker.js': works,
  });
  await holds(project, 'Procfile');
  expect(read(project, 'shakedown.yaml')).toMatch(/^jobs:\n {2}# .*\n {2}setup: # it ended with 0 /m);
  expect(read(project, 'trials/first.trial.yaml')).toContain('- restart: ticker\n');
});

test('a package.json: the script that starts it, and the variable of the port in its code', async () => {
  const project = makeProject({
    'package.json': JSON.stringify({
      name: '@acme/Desk',
      scripts: { start: 'node server.js', test: 'exit 1' },
    }),
    'server.js': web.replace('env.PORT', 'env.HTTP_PORT || 3000'),
  });
  await holds(project, 'package.json');
  expect(read(project, 'shakedown.yaml')).toContain('name: acme-desk\n');
  expect(read(project, 'shakedown.yaml')).toContain('listen: { env: HTTP_PORT }\n');
});

test('a pyproject.toml: its scripts, by what they call', async () => {
  needs('python3');
  const project = makeProject({
    'pyproject.toml': '[project]\nname = "answers"\n[project.scripts]\nanswers = "answers.main:serve"\n',
    'src/answers/__init__.py': '',
    'src/answers/main.py': `import os
from http.server import BaseHTTPRequestHandler, HTTPServer
class Answer(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(b"<html><title>Answers</title></html>")
    def log_message(self, *words): pass
def serve():
    HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Answer).serve_forever()
`,
  });
  await holds(project, 'pyproject.toml');
  expect(read(project, 'shakedown.yaml')).toContain('? There is no .venv here');
  expect(read(project, 'trials/first.trial.yaml')).toContain('text: "<html><title>Answers</title></html>"');
});

test('frameworks are known by their objects; what does not boot yet is written with the reason', async () => {
  needs('python3');
  const project = makeProject({
    'pyproject.toml':
      '[project]\nname = "shop"\ndependencies = ["fastapi", "celery"]\n[project.scripts]\nshop-mail = "shop.mail:main"\n',
    'shop/api.py': 'from nowhere_to_be_found import FastAPI\n\nservice: FastAPI = FastAPI(title="shop")\n',
    'shop/jobs.py': 'from nowhere_to_be_found import Celery\n\nqueue = Celery("shop")\n',
  });
  const { code, output } = await project.run(['init', '--from', 'pyproject.toml']);
  expect(code, output).toBe(3);
  expect(output).toContain('error[boot.');
  expect(output).toContain('it did not boot yet');
  const config = read(project, 'shakedown.yaml');
  expect(config).toContain('module: uvicorn');
  expect(config).toContain('# ? Not started: shop-mail of [project.scripts].');
  expect(config).toContain('["shop.api:service", --host, 127.0.0.1, --port, "${self.port}"]');
  expect(config).toContain('module: celery');
  expect(config).toContain('[--app, shop.jobs.queue, worker');
  const lint = await project.run(['lint']);
  expect(lint.code, lint.output).toBe(0);
  expect(project.left()).toEqual(nothing);
});

test('an address: what is up there is attached, asked, and left as it is', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ shop: 'acme', at: Date.now() }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const project = makeProject({});
  await holds(project, `${address}/?token=not-to-be-shown`);
  expect(read(project, 'shakedown.yaml')).toContain(`    at: "${address}"\n`);
  expect(read(project, 'trials/first.trial.yaml')).toContain('json: { shop: acme, at: { $type: number } }');
  expect(Object.values(filesOf(project)).join('\n')).not.toContain('not-to-be-shown');
  expect(asked.filter((one) => !one.startsWith('GET '))).toEqual([]);
  expect(server.listening).toBe(true);
});

test('an address at which nothing listens, or nothing that speaks HTTP, is refused', async () => {
  const server = createTcpServer((socket) => {
    socket.write('220 not http\r\n');
    socket.destroySoon();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const project = makeProject({});
  const before = filesOf(project);
  const other = await project.run(['init', '--from', `http://127.0.0.1:${port}`]);
  expect(other.code, other.output).toBe(2);
  expect(other.stderr).toContain('does not answer over HTTP');
  await new Promise((resolve) => server.close(resolve));
  const gone = await project.run(['init', '--from', `http://127.0.0.1:${port}`]);
  expect(gone.code, gone.output).toBe(3);
  expect(gone.stderr).toContain('error[world.unreachable] service api');
  expect(filesOf(project)).toEqual(before);
});

test.each([
  [
    'an address of another machine',
    {},
    'http://example.com',
    'usage.bad-value',
    'allowed  an address such as',
  ],
  [
    'an address with a login',
    {},
    'http://me:secret@127.0.0.1:1',
    'usage.bad-value',
    'the address has a login',
  ],
  ['a file that is not there', {}, 'Procfile', 'config.not-found', 'there is no file'],
  ['a folder', { 'app/x': '' }, 'app', 'config.unreadable', 'is not a file'],
  ['another kind of file', { Makefile: 'all:' }, 'Makefile', 'usage.bad-value', 'allowed  a compose file'],
  [
    'a line without a colon',
    { Procfile: 'web: x\nworker node\n' },
    'Procfile',
    'config.syntax',
    'Procfile:2:1',
  ],
  ['an empty Procfile', { Procfile: '# none\n' }, 'Procfile', 'config.syntax', 'the Procfile has no process'],
  ['two of one name', { Procfile: 'a_b: x\na-b: y\n' }, 'Procfile', 'config.duplicate-name', 'called `a-b`'],
  [
    'broken JSON',
    { 'package.json': '{\n  "scripts": {,}\n}' },
    'package.json',
    'config.syntax',
    'package.json:2',
  ],
  ['no scripts', { 'package.json': '{}' }, 'package.json', 'config.missing-key', 'it has no scripts'],
  [
    'scripts that start nothing',
    { 'package.json': '{"scripts":{"lint":"x"}}' },
    'package.json',
    'config.missing-key',
    'starts a service: lint',
  ],
  ['broken TOML', { 'pyproject.toml': '[project\n' }, 'pyproject.toml', 'config.syntax', 'pyproject.toml:1'],
  [
    'nothing to start',
    { 'pyproject.toml': '[project]\nname = "x"\n' },
    'pyproject.toml',
    'config.missing-key',
    '[project.scripts]',
  ],
  [
    'broken YAML',
    { 'compose.yaml': 'services:\n  a: [\n' },
    'compose.yaml',
    'config.syntax',
    'compose.yaml:2:7',
  ],
  ['no services', { 'compose.yaml': 'services: {}\n' }, 'compose.yaml', 'config.', 'have no services'],
  [
    'an unknown key',
    { 'compose.yaml': 'services: { a: { imagee: x } }\n' },
    'compose.yaml',
    'config.',
    '`image`',
  ],
])(
  '%s is refused, and nothing is written',
  async (_, files: Readonly<Record<string, string>>, source, code, text) => {
    const project = makeProject(files);
    const before = filesOf(project);
    const result = await project.run(['init', '--from', source]);
    expect(result.code, result.output).toBe(2);
    expect(result.stderr).toContain(`error[${code}`);
    expect(result.stderr).toContain(text);
    expect(result.stderr).toContain('\n  next     ');
    expect(filesOf(project)).toEqual(before);
  },
);

test('rights over the machine are for a person to allow: nothing is booted before', async () => {
  const project = makeProject({
    'compose.yaml':
      'services: { agent: { image: none, privileged: true, cap_add: [SYS_ADMIN], volumes: ["/var/run/docker.sock:/s"] } }\n',
  });
  const made = await project.run(['init', '--from', 'compose.yaml']);
  expect(made.code, made.output).toBe(2);
  expect(made.output).toContain('wrote shakedown.yaml, and booted nothing: agent is privileged');
  const config = read(project, 'shakedown.yaml');
  for (const right of ['privileged', 'capabilities', 'socket'])
    expect(config).toContain(`compose.services.agent.allow: { ${right}: say what for }`);
  expect(config).not.toMatch(/^ *allow:/m);
  expect((await project.run(['lint'])).stderr).toContain('`allow: { socket: why it must }`');
  expect(existsSync(path.join(project.folder, 'trials'))).toBe(false);
});

test('nothing that exists is overwritten, and only one thing is made at a time', async () => {
  const project = makeProject({ Procfile: 'web: node web.js\n', 'trials/first.trial.yaml': 'mine' });
  const taken = await project.run(['init', '--from', 'Procfile']);
  expect(taken.code, taken.output).toBe(2);
  expect(taken.stderr).toContain('these exist already: trials/first.trial.yaml\n');
  expect(existsSync(path.join(project.folder, 'shakedown.yaml'))).toBe(false);
  for (const words of [['--python'], ['elsewhere']]) {
    const both = await project.run(['init', '--from', 'Procfile', ...words]);
    expect(both.code, both.output).toBe(2);
    expect(both.stderr).toContain('error[usage.bad-value] shakedown init --from\n');
  }
});

test('a service that dies when it is asked is named, and the others are in the trial', async () => {
  const project = makeProject({
    Procfile: 'web: node web.js\nfragile: PORT=$PORT node fragile.js\n',
    'web.js': web,
    'fragile.js': "require('node:http').createServer(() => process.exit(3)).listen(process.env.PORT);",
  });
  const { code, output } = await project.run(['init', '--from', 'Procfile']);
  expect(code, output).toBe(0);
  expect(output).toContain('note: fragile died while it was asked by GET at the usual paths');
  expect(read(project, 'trials/first.trial.yaml')).toContain('process: fragile\n');
  expect((await project.run(['run'])).code).toBe(0);
});
