/** Containers that cannot be: no engine, no image, no reason, no health. Nothing is left of any of them. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellImage } from './harness/container-image.ts';
import { engineInTrouble, noEngineAtAll } from './harness/engine-front.ts';
import { makeProject, type Project } from './harness/project.ts';
import { startRunning } from './harness/running.ts';
import { nothing, until } from './harness/until.ts';

const withinMs = 240_000;

function boxed(service: string): Project {
  return makeProject({
    'shakedown.yaml': `name: boxed\nservices: { box: { ${service}, stop: { within: 200ms } } }\n`,
  });
}

const sleeps = (image: string): string => `image: ${image}, command: [sh, -c, 'echo up; exec sleep 600']`;

async function bootOf(project: Project, env: Readonly<Record<string, string>> = {}) {
  const result = await project.run(['up', '--', 'true'], { withinMs, env });
  expect(project.left()).toEqual(nothing);
  return result;
}

test('no engine', async () => {
  const project = boxed('image: any');
  const result = await bootOf(project, { DOCKER_HOST: 'unix:///nowhere/engine.sock' });
  expect(result.code, result.output).toBe(3);
  expect(result.stderr).toContain('error[world.no-engine]');
  expect(result.stderr).toContain('no engine answers at /nowhere/engine.sock');
  const remote = await bootOf(project, { DOCKER_HOST: 'tcp://10.0.0.1:2375' });
  expect(remote.code, remote.output).toBe(3);
  expect(remote.stderr).toContain('DOCKER_HOST is "tcp://10.0.0.1:2375"');
});

test.each([
  ['closes at once', ''],
  ['speaks something else', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['is another server', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'],
  ['is too old', 'HTTP/1.1 200 OK\r\napi-version: 1.24\r\ncontent-length: 0\r\n\r\n'],
  ['never answers', undefined],
])('what answers %s', async (_name, answer) => {
  const result = await bootOf(boxed('image: any'), { DOCKER_HOST: await noEngineAtAll(answer) });
  expect(result.code, result.output).toBe(3);
  expect(result.stderr).toContain('error[world.no-engine]');
});

test('an image that is not there', async () => {
  shellImage();
  const result = await bootOf(boxed('image: "shakedown.invalid/none:1"'));
  expect(result.code, result.output).toBe(3);
  expect(result.stderr).toContain('error[world.no-image] service box');
  expect(result.stderr).toContain('docker pull shakedown.invalid/none:1');
});

test('an engine without disk', async () => {
  const DOCKER_HOST = await engineInTrouble([
    {
      at: /^POST \/containers\/create/,
      status: 500,
      message: 'write /var/lib/x: no space left on device',
    },
  ]);
  const result = await bootOf(boxed(sleeps(shellImage())), { DOCKER_HOST });
  expect(result.code, result.output).toBe(3);
  expect(result.stderr).toContain('error[world.disk-full] service box');
  expect(result.stderr).not.toContain('left.behind');
});

test('faults that pass are survived, and an address range that is taken', async () => {
  const DOCKER_HOST = await engineInTrouble([
    {
      at: /^POST \/containers\/\w+\/start/,
      status: 500,
      message: 'Another app is holding the xtables lock',
      times: 2,
    },
    {
      at: /^POST \/networks\/create/,
      status: 403,
      message: 'Pool overlaps with other one on this address space',
      times: 3,
    },
    { at: /^DELETE \/networks/, status: 403, message: 'network has active endpoints', times: 2 },
  ]);
  const result = await bootOf(boxed(`${sleeps(shellImage())}, ready: { log: up }`), { DOCKER_HOST });
  expect(result.code, result.output).toBe(0);
});

test('one that ends, and one whose program is not in the image', async () => {
  const image = shellImage();
  const ended = await bootOf(
    boxed(`image: ${image}, command: [sh, -c, 'echo it is all wrong; exit 3'], listen: 80`),
  );
  expect(ended.code, ended.output).toBe(3);
  expect(ended.stderr).toContain('error[boot.process-exited] service box, phase ready');
  expect(ended.stderr).toMatch(/the container ended with 3 before it was ready/);
  expect(ended.stderr).toContain('| it is all wrong');
  const absent = await bootOf(boxed(`image: ${image}, command: [no-such-program]`));
  expect(absent.code, absent.output).toBe(3);
  expect(absent.stderr).toContain('error[world.engine-refused] service box');
  expect(absent.stderr).toContain('no-such-program');
});

test('health is waited for, and one that never gets healthy is reported with what its check said', async () => {
  const image = shellImage();
  const healthy = `command: [sh, -c, 'sleep 1; echo > /healthy; exec sleep 600'], healthcheck: { test: 'test -e /healthy || { echo not yet; exit 1; }' }`;
  const well = await bootOf(boxed(`image: ${image}, ${healthy}, ready: { health: true, within: 60s }`));
  expect(well.code, well.output).toBe(0);
  const ill = await bootOf(
    boxed(
      `${sleeps(image)}, healthcheck: { test: [sh, -c, 'echo still ill; exit 4'] }, ready: { health: true, within: 4s }`,
    ),
  );
  expect(ill.code, ill.output).toBe(3);
  expect(ill.stderr).toContain('error[boot.never-ready] service box, phase ready');
  expect(ill.stderr).toMatch(/its healthcheck `.*` ended with 4: still ill/);
  expect(ill.stderr).toContain('what it is waited for, within 4.00 s: its healthcheck succeeds\n');
  const none = await bootOf(boxed(`${sleeps(image)}, ready: { health: true, within: 1s }`));
  expect(none.stderr).toContain('neither its image nor the config has a healthcheck');
});

test('one that somebody else removes has died, and is no leftover of ours', async () => {
  const project = boxed(`${sleeps(shellImage())}, ready: { log: up }`);
  const up = startRunning(project, ['up']);
  await up.says('Held open');
  const { environment } = JSON.parse((await project.run(['status', '--json'])).stdout);
  execFileSync('docker', ['rm', '--force', `shakedown-${environment}-box-1`]);
  await until(
    'it is seen',
    90_000,
    async () => JSON.parse((await project.run(['status', '--json'])).stdout).state,
    (state) => state === 'degraded',
  );
  const down = await project.run(['down']);
  expect(down.code, down.output).toBe(0);
  await up.ended;
  expect(up.text()).toContain('somebody who removed its container');
  expect(project.left()).toEqual(nothing);
});

test.each([
  ['privileged: true', 'privileged', 'is privileged'],
  ['host: [network]', 'network', 'shares the network namespace'],
  ['host: [pid]', 'pid', 'shares the pid namespace'],
  ['capabilities: { add: [SYS_ADMIN] }', 'capabilities', 'gets the capabilities SYS_ADMIN'],
  ['mounts: [{ bind: /var/run/docker.sock, to: /engine }]', 'socket', 'can command the container engine'],
  ['mounts: [{ bind: services, to: /services, writes: project }]', 'writes', 'writes into'],
])('%s needs a reason', async (key, allowance, what) => {
  const project = boxed(`image: any, ${key}`);
  const refused = await project.run(['lint']);
  expect(refused.code, refused.output).toBe(2);
  expect(refused.stderr).toContain(`the container of \`box\` ${what}`);
  expect(refused.stderr).toContain(`allow: { ${allowance}: '…' }`);
  const allowed = boxed(`image: any, ${key}, allow: { ${allowance}: the test wants it so }`);
  const result = await allowed.run(['lint']);
  expect(result.stderr).not.toContain('the container of');
});
