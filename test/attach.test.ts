/** A service that somebody else has started is called where it is: checked, tapped, and left as it is. */
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cannotRun, needs } from './harness/needs.ts';
import { binary, makeProject, type Project } from './harness/project.ts';
import { projectFolder } from './harness/project-files.ts';
import { makeTemporaryFolder } from './harness/temporary-folder.ts';
import { theirServer } from './harness/their-server.ts';
import { performTrials, trialsProject, unfolded } from './harness/trials-project.ts';
import { nothing } from './harness/until.ts';

const calls = 'steps: [{ http: GET api/direct, expect: { status: 200, json: { url: /direct } } }]';
/** Asks its peer once for each request. */
const web = `web: { run: [node, services/answers.mjs], listen: { env: PORT }, env: { PEER: "\${api.url}" }, ready: { http: / } }`;

async function refusal(project: Project, ...args: readonly string[]) {
  const { code, output } = await project.run(args);
  return { code, text: unfolded(output) };
}

/** Everything that a run has written, as one text. */
function writtenIn({ folder }: Project): string {
  const root = path.join(folder, '.shakedown');
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

test('it is called through taps by us and by services, and still there afterwards', async () => {
  const theirs = await theirServer();
  const project = trialsProject(`services:\n  api: { at: "http://localhost:${theirs.port}" }\n  ${web}`, {
    a: `${calls}\nchecks: { seen: { calls: outside -> api, expect: [{ path: /direct, status: 200 }] } }`,
    b: `steps: [{ http: GET web/peer, expect: { status: 200 } }]
checks: { passed: { calls: web -> api, expect: [{ method: GET, status: 200 }] } }`,
  });
  const { code, text, verdicts } = await performTrials(project, '--parallel', '2');
  expect({ code, verdicts }, text).toEqual({ code: 0, verdicts: { a: 'passed', b: 'passed' } });
  expect(theirs.asked).toContain(`GET /direct localhost:${theirs.port}`);
  expect(theirs.isAlive()).toBe(true);
  expect(writtenIn(project)).toContain(
    `"type":"node.attached","kind":"service","name":"api","url":"http://localhost:${theirs.port}","address":"127.0.0.1"`,
  );
  const judged = await project.run(['judge', 'latest']);
  expect(judged.code, judged.output).toBe(0);
}, 60_000);

test('several addresses, from the manifests of a roster, each with a tap', async () => {
  const [main, admin] = [await theirServer(), await theirServer()];
  const project = trialsProject(
    `rosters:
  sites: { each: sites/*.json, name: "\${it.name}", service: { at: { main: "http://\${it.host}:${main.port}", admin: "http://\${it.host}:${admin.port}" } } }
services:
  web: { run: [node, services/answers.mjs], listen: { env: PORT }, env: { PEER: "\${north.admin.url}", ALL: "\${sites.*.url}" }, ready: { http: / } }`,
    {
      a: `steps:
  - { http: GET north/main, expect: { status: 200 } }
  - { http: GET north.admin/admin, expect: { status: 200 } }
  - { http: GET web/peer, expect: { status: 200 } }
  - { http: GET web/env, expect: { text: { $regex: "north=http://127.0.0.1:" } } }
checks: { peer: { calls: web -> north.admin, expect: [{ path: /, status: 200 }] } }`,
    },
    { 'sites/north.json': '{ "name": "north", "host": "127.0.0.1" }' },
  );
  const { code, text } = await performTrials(project);
  expect(code, text).toBe(0);
  expect(main.asked).toEqual([`GET /main 127.0.0.1:${main.port}`]);
  expect(admin.asked).toEqual([`GET /admin 127.0.0.1:${admin.port}`, `GET / 127.0.0.1:${admin.port}`]);
});

test('up and status show where it is, logs say why there are none, and down leaves it', async () => {
  const theirs = await theirServer();
  const project = trialsProject(`services: { api: { at: "http://127.0.0.1:${theirs.port}" } }`, { a: calls });
  const up = await refusal(project, 'up', '--detach');
  expect(up.code, up.text).toBe(0);
  expect(up.text).toContain(`leads to http://127.0.0.1:${theirs.port}`);
  expect(JSON.parse((await project.run(['status', '--json'])).stdout)).toMatchObject({
    state: 'ready',
    services: [{ name: 'api', pid: null, state: 'ready', at: [`http://127.0.0.1:${theirs.port}`] }],
  });
  const logs = await refusal(project, 'logs', 'api');
  expect(logs.code).toBe(2);
  expect(logs.text).toContain("api is somebody else's");
  const run = await project.run(['run', '--attach']);
  expect(run.code, run.output).toBe(0);
  expect((await project.run(['down'])).code).toBe(0);
  expect(theirs.isAlive()).toBe(true);
  expect(project.left()).toEqual(nothing);
}, 60_000);

test('one that is down is named as somebody else’s, with its address and what to do', async () => {
  const theirs = await theirServer();
  await theirs.close();
  const config = `services: { api: { at: "http://127.0.0.1:${theirs.port}", ready: { http: /, within: 300ms } } }`;
  const { code, text } = await refusal(trialsProject(config, { a: calls }), 'run');
  expect(code).toBe(3);
  expect(text).toContain("it is somebody else's, and it is not there");
  expect(text).toContain(`http://127.0.0.1:${theirs.port}: connect ECONNREFUSED`);
  expect(text).toContain('start it where it runs, or ask who does');
});

test('one that answers, but not as `ready` wants, is not there either', async () => {
  const theirs = await theirServer((_, response) => void response.writeHead(503).end());
  const config = `services: { api: { at: "http://127.0.0.1:${theirs.port}", ready: { http: /health, within: 300ms } } }`;
  const { code, text } = await refusal(trialsProject(config, { a: calls }), 'run');
  expect(code).toBe(3);
  expect(text).toContain(`GET http://127.0.0.1:${theirs.port}/health: status 503`);
});

test('an address beyond this machine is called only where it is allowed', async () => {
  const outer = Object.values(networkInterfaces())
    .flat()
    .find((one) => one && !one.internal && one.family === 'IPv4' && !one.address.startsWith('169.254.'));
  if (!outer) return cannotRun('needs an address that is not loopback', 'give the machine a network');
  const theirs = await theirServer(undefined, { host: '0.0.0.0' });
  const at = (more: string): Project =>
    trialsProject(`services: { api: { at: "http://${outer.address}:${theirs.port}"${more} } }`, { a: calls });
  const refused = await refusal(at(''), 'run');
  expect(refused.code).toBe(2);
  expect(refused.text).toContain(`${outer.address} is not on this machine, and not listed in \`allow\``);
  expect(theirs.asked).toEqual([]);
  const allowed = await performTrials(at(`, allow: { "${outer.address}": the server of this test }`));
  expect(allowed.code, allowed.text).toBe(0);
  expect(theirs.asked).toContain(`GET /direct ${outer.address}:${theirs.port}`);
});

test('a redirect is followed through the tap or to a checked address, and nowhere else', async () => {
  const other = await theirServer();
  const places: Record<string, string> = {
    '/here': '/direct',
    '/other': `http://localhost:${other.port}/direct`,
    '/metadata': 'http://169.254.169.254/latest/meta-data',
    '/mapped': 'http://[::ffff:a9fe:a9fe]/latest/meta-data',
    '/spelled': 'http://2852039166/latest',
    '/private': 'http://10.255.255.1:81/',
  };
  const theirs = await theirServer((request, response) => {
    const place = places[request.url ?? ''];
    if (place === undefined) response.setHeader('content-type', 'application/json').end('{"url":"/direct"}');
    else
      response
        .writeHead(302, {
          location: place.startsWith('/') ? `http://${request.headers.host}${place}` : place,
        })
        .end();
  });
  const follow = (name: string, expected: string): string =>
    `steps: [{ http: GET api/${name}, redirect: true, expect: ${expected} }]`;
  const never = '{ error: { kind: not-started, message: { $regex: "and never reached" } } }';
  const project = trialsProject(`services: { api: { at: "http://localhost:${theirs.port}" } }`, {
    here: `${follow('here', '{ status: 200 }')}\nchecks: { seen: { calls: outside -> api, expect: [{ path: /here }, { path: /direct }] } }`,
    other: follow('other', '{ status: 200, json: { url: /direct } }'),
    metadata: follow('metadata', never),
    mapped: follow('mapped', never),
    spelled: follow('spelled', never),
    private: follow('private', '{ error: { message: { $regex: "not listed in `allow`" } } }'),
  });
  const { code, text } = await performTrials(project);
  expect(code, text).toBe(0);
  expect(other.asked).toEqual([`GET /direct localhost:${other.port}`]);
}, 60_000);

test('over TLS it is called by its name, verified, and the password in its address reaches no file', async () => {
  needs('openssl');
  const { path: folder, remove } = makeTemporaryFolder('certificate');
  onTestFinished(remove);
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  const words =
    'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=theirs -addext subjectAltName=DNS:localhost';
  execFileSync('openssl', [...words.split(' '), '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const theirs = await theirServer(undefined, { key: readFileSync(key), cert: readFileSync(cert) });
  const at = `https://me:\${env.THEIR_PASSWORD}@localhost:${theirs.port}`;
  const project = trialsProject(
    `services:\n  api: { at: "${at}", ready: { http: /, within: 1s } }\n  ${web}`,
    {
      a: calls,
      b: 'steps: [{ http: GET web/env, expect: { text: { $regex: "http://me:.*@127" } } }]',
    },
  );
  const env = { THEIR_PASSWORD: 'hunter2hunter2' };
  const unknown = await project.run(['run'], { env });
  expect(unknown.code, unknown.output).toBe(3);
  expect(unfolded(unknown.output)).toContain(`https://localhost:${theirs.port}: self-signed certificate`);
  const { code, output } = await project.run(['run'], { env: { ...env, NODE_EXTRA_CA_CERTS: cert } });
  expect(code, output).toBe(0);
  expect(theirs.asked).toContain(`GET /direct localhost:${theirs.port}`);
  expect(writtenIn(project)).toContain('‹secret:THEIR_PASSWORD›');
  expect(writtenIn(project) + output + unknown.output).not.toContain('hunter2');
  expect(project.left()).toEqual(nothing);
}, 60_000);

test('the example: a gateway that one Shakedown holds up is attached to by another', async () => {
  const project = makeProject({ 'package.json': '{"type":"module"}' });
  const filter = (file: string): boolean => !file.includes('.shakedown');
  cpSync(path.join(projectFolder, 'examples/gateway'), project.folder, { recursive: true, filter });
  const inner = [process.execPath, binary, 'run', '--config', 'attached/shakedown.yaml'];
  const { code, output } = await project.run(['up', '--', ...inner]);
  expect(code, output).toBe(0);
  expect(output).toContain('✓ attached/models');
  expect(project.left()).toEqual(nothing);
}, 60_000);
