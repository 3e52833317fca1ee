import { expect, test } from 'vitest';
import { makeProject } from './harness/project.ts';

const web = 'run: [node, services/answers.mjs], listen: { env: PORT }, env: { NAME: web }';

/** Each is a `ready` that a healthy service fulfils. */
const fulfilled: Readonly<Record<string, string>> = {
  'http with a status': `${web}, ready: { http: /, status: 200 }`,
  'http with a body pattern': `${web}, ready: { http: /, body: { $regex: "^hello" } }`,
  'http with json': `${web}, ready: { http: /env, json: { NAME: web, PORT: { $regex: "^[0-9]+$" } } }`,
  'the first bytes of a stream': `${web}, ready: { http: /, firstBytes: "^hello" }`,
  tcp: `${web}, ready: { tcp: true }`,
  'tcp with first bytes': `${web}, ready: { tcp: true, send: "GET / HTTP/1.0\\r\\n\\r\\n", firstBytes: "^HTTP/1.1 200" }`,
  'a log line': `${web}, ready: { log: "listening on .*:[0-9]+" }`,
  'a command': `${web}, ready: { command: [node, -e, "fetch('http://127.0.0.1:' + process.env.PORT).then(() => process.exit(0), () => process.exit(1))"] }`,
  'n in a row': `${web}, ready: { http: /, inARow: 5, every: 10ms }`,
  'all of several': `${web}, ready: { allOf: [{ http: / }, { log: listening }, { tcp: true }] }`,
  'any of several': `${web}, ready: { anyOf: [{ log: never printed }, { http: / }] }`,
  'a port reported in the log':
    'run: [node, services/tells-its-port.mjs], listen: { log: "serving on http://127.0.0.1:([0-9]+)" }, ready: { http: / }',
  'IPv6 alone':
    'run: [node, services/answers.mjs], listen: { env: PORT }, env: { BIND: "::1" }, ready: { http: / }',
  'a framed handshake':
    'run: [node, services/greets-in-frames.mjs], listen: { env: PORT, scheme: tcp }, ready: { handshake: { codec: hex6-sexp, expect: { TYPE: ":EVENT", PAYLOAD: { ACTION: ":HANDSHAKE" } } } }',
};

test('every kind of readiness holds for a service that is ready', async () => {
  const services = Object.values(fulfilled).map((service, index) => `  s${index}: { ${service} }`);
  const project = makeProject({ 'shakedown.yaml': `name: ready\nservices:\n${services.join('\n')}\n` });
  const result = await project.run([
    'up',
    '--',
    'node',
    '-e',
    'fetch(process.env.SHAKEDOWN_S12_URL).then(async (r) => console.log(await r.text()))',
  ]);
  expect(result.code, result.output).toBe(0);
  // The tap reaches a service that listens on the IPv6 loopback alone.
  expect(result.stdout).toContain('hello from answers');
});

/** Each is a `ready` that the same service does not fulfil, with what the error must report. */
const missed: Readonly<Record<string, readonly [string, string]>> = {
  status: [`${web}, ready: { http: /, status: 204, within: 1s }`, 'status 200'],
  body: [`${web}, ready: { http: /, body: goodbye, within: 1s }`, 'body "hello from web"'],
  json: [`${web}, ready: { http: /, json: { a: 1 }, within: 1s }`, 'the body is not JSON'],
  stream: [`${web}, ready: { http: /, firstBytes: "^data:", within: 1s }`, 'the stream began with'],
  log: [`${web}, ready: { log: never printed, within: 1s }`, 'no line of its log matches /never printed/'],
  command: [
    `${web}, ready: { command: [sh, -c, "echo not yet; exit 3"], within: 1s }`,
    'ended with 3: not yet',
  ],
  all: [
    `${web}, ready: { allOf: [{ http: / }, { log: never printed }], within: 1s }`,
    'no line of its log matches /never printed/',
  ],
  handshake: [
    'run: [node, services/greets-in-frames.mjs], listen: { env: PORT }, ready: { handshake: { codec: hex6-sexp, expect: { TYPE: ":ERROR" } }, within: 1s }',
    'hex6-sexp handshake',
  ],
};

test('every kind of readiness that does not hold reports what it found', async () => {
  const entries = Object.entries(missed);
  const services = entries.map(([name, [service]]) => `  ${name}: { ${service} }`);
  const project = makeProject({ 'shakedown.yaml': `name: unready\nservices:\n${services.join('\n')}\n` });
  const result = await project.run(['up']);
  expect(result.code, result.output).toBe(3);
  const reports = result.stderr.split('error[').filter((text) => text.startsWith('boot.never-ready'));
  expect(reports.length).toBeGreaterThan(0);
  for (const report of reports) {
    const name = /service (\w+), phase ready/.exec(report)?.[1] ?? '';
    expect(report).toContain(missed[name]?.[1]);
  }
});

test('an expression that would take forever does not block anything', async () => {
  const project = makeProject({
    'shakedown.yaml': `name: catastrophic
services:
  web: { run: [sh, -c, 'echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab; sleep 60'], ready: { log: "^(a+)+$", within: 2s } }
`,
  });
  const result = await project.run(['up'], { withinMs: 20_000 });
  expect(result.code, result.output).toBe(3);
  expect(result.stderr).toContain('error[boot.never-ready] service web');
});
