import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readJournal } from '../src/journal/reader.ts';
import { makeProject } from './harness/project.ts';
import { startRunning } from './harness/running.ts';
import { isNothing, nothing, until } from './harness/until.ts';

const pair = `name: pair
services:
  front:
    run: [node, services/answers.mjs]
    listen: { env: PORT }
    env: { NAME: front, PEER: "\${back.url}" }
    after: [back]
    ready: { http: /, body: hello from front, inARow: 2, within: 10s }
  back:
    run: [node, services/answers.mjs]
    listen: { env: PORT }
    env: { NAME: back }
`;

test('up -- <command> boots, runs the command with the addresses, and takes everything down', async () => {
  const project = makeProject({ 'shakedown.yaml': pair });
  const result = await project.run([
    'up',
    '--',
    'node',
    '-e',
    'fetch(process.env.SHAKEDOWN_FRONT_URL + "/peer").then(r => r.text()).then(console.log)',
  ]);
  expect(result.code, result.output).toBe(0);
  expect(result.stdout).toContain('peer: hello from back');
  expect(result.stdout).toMatch(/critical path: back .+ → front .+ = .+; Shakedown itself/);
  expect(project.left()).toEqual(nothing);
});

test('references in the arguments of the command are filled in', async () => {
  const project = makeProject({ 'shakedown.yaml': pair });
  const result = await project.run([
    'up',
    '--',
    'node',
    '-e',
    'fetch(process.argv[1]).then(r => r.text()).then(console.log)',
    '${front.url}/peer',
  ]);
  expect(result.stdout).toContain('peer: hello from back');
});

test('a command that fails gives exit code 1, and its own exit code in the message', async () => {
  const project = makeProject({ 'shakedown.yaml': pair });
  const result = await project.run(['up', '--', 'sh', '-c', 'exit 7']);
  expect(result.code).toBe(1);
  expect(result.stderr).toContain('ended with 7');
});

test('the call that one service makes to another is in the journal, by name, with its bytes', async () => {
  const project = makeProject({ 'shakedown.yaml': pair });
  await project.run([
    'up',
    '--',
    'node',
    '-e',
    'fetch(process.env.SHAKEDOWN_FRONT_URL + "/peer").then(r => r.text())',
  ]);
  const { events, header } = await readJournal(path.join(project.folder, '.shakedown/latest/events.ndjson'));
  expect(header.system).toBe('pair');
  const closed = events.filter((event) => event.type === 'connection.closed');
  expect(closed).toContainEqual(
    expect.objectContaining({
      from: 'front',
      to: 'back',
      bytesSent: expect.any(Number),
      end: expect.any(String),
    }),
  );
  const call = closed.find(({ from }) => from === 'front');
  expect(call?.bytesReceived).toBeGreaterThan('hello from back'.length);
  expect(events.at(-1)).toMatchObject({ type: 'environment.down', leftBehind: [] });
});

test('detach leaves it up; status prints pids and addresses that work; down ends it', async () => {
  const project = makeProject({ 'shakedown.yaml': pair });
  expect((await project.run(['up', '--detach'])).code).toBe(0);
  const status = JSON.parse((await project.run(['status', '--json'])).stdout);
  expect(Object.keys(status)).toEqual(
    expect.arrayContaining(['environment', 'keeper', 'services', 'resources', 'edges']),
  );
  expect(status.edges).toContainEqual({
    from: 'front',
    to: 'back',
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
  });
  for (const { name, pid, url } of status.services) {
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toContain(`NAME=${name}\0`);
    expect(await (await fetch(url)).text()).toBe(`hello from ${name}`);
  }
  expect(existsSync(`/proc/${status.keeper.pid}`)).toBe(true);
  const logs = await project.run(['logs', 'front']);
  expect(logs.stdout).toMatch(/^front \| listening on 127\.0\.0\.1:\d+$/m);
  const down = await project.run(['down']);
  expect(down.stdout).toContain('nothing is left');
  expect(project.left()).toEqual(nothing);
  expect((await project.run(['status'])).code).toBe(2);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s while it is held takes everything down and exits with %i', async (signal, code) => {
  const project = makeProject({ 'shakedown.yaml': pair });
  const { child, text, ended } = startRunning(project, ['up']);
  await until('the environment is held', 20_000, text, (seen) => seen.includes('Held open'));
  child.kill(signal);
  expect(await ended).toBe(code);
  expect(project.left()).toEqual(nothing);
});

test('SIGINT while it boots takes everything down', async () => {
  const project = makeProject({
    'shakedown.yaml':
      'name: slow\nservices: { web: { run: [node, services/never-ready.mjs], ready: { log: never, within: 60s } } }\n',
  });
  const { child, text, ended } = startRunning(project, ['up']);
  await until('the boot has begun', 20_000, text, (seen) => seen.includes('service web starts'));
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  expect(project.left()).toEqual(nothing);
});

test('logs -f continues until the environment goes down', async () => {
  const project = makeProject({
    'shakedown.yaml': 'name: chatty\nservices: { web: { run: [node, services/never-ready.mjs] } }\n',
  });
  await project.run(['up', '--detach']);
  const { text, ended } = startRunning(project, ['logs', '-f']);
  await until('lines arrive', 10_000, text, (seen) => seen.split('still thinking').length > 4);
  await project.run(['down']);
  expect(await ended).toBe(0);
});

test('a service that dies while it is held is shown, and fails `up -- <command>`', async () => {
  const project = makeProject({
    'shakedown.yaml':
      'name: mortal\nservices: { web: { run: [node, services/ready-then-dies.mjs], listen: { env: PORT }, ready: { tcp: true } } }\n',
  });
  const ask =
    'fetch(process.env.SHAKEDOWN_WEB_URL).then(r => r.text()).then(() => new Promise(r => setTimeout(r, 500)))';
  const result = await project.run(['up', '--', 'node', '-e', ask]);
  expect(result.stderr).toContain('lost the will to live');
  expect(result.stderr).toContain('error[system.service-died] service web');
  expect(result.code, result.output).toBe(1);
  expect(project.left()).toEqual(nothing);
});

test('two environments of the same config in two folders are isolated from each other', async () => {
  const projects = [makeProject({ 'shakedown.yaml': pair }), makeProject({ 'shakedown.yaml': pair })];
  await Promise.all(projects.map((project) => project.run(['up', '--detach'])));
  const [one, two] = await Promise.all(
    projects.map(async (project) => JSON.parse((await project.run(['status', '--json'])).stdout)),
  );
  expect(one.environment).not.toBe(two.environment);
  const urls = [...one.services, ...two.services].map(({ url }) => url);
  expect(new Set(urls).size).toBe(4);
  await projects[0]?.run(['down']);
  expect(await (await fetch(two.services[0].url)).text()).toBe('hello from front');
  await projects[1]?.run(['down']);
  for (const project of projects) expect(isNothing(project.left())).toBe(true);
});

test('children that ignore signals, leave the session or fork twice are killed and reported', async () => {
  const system = (name: string): string =>
    `name: ${name}\nservices: { leaker: { run: [node, services/leaks-children.mjs], listen: { env: PORT }, stop: { within: 300ms } } }\n`;
  for (const containment of ['namespace', 'ledger']) {
    const project = makeProject({ 'shakedown.yaml': system('leaky') });
    const result = await project.run(['up', '--containment', containment, '--', 'true']);
    expect(result.code, result.output).toBe(0);
    expect(project.left()).toEqual(nothing);
    const { events } = await readJournal(path.join(project.folder, '.shakedown/latest/events.ndjson'));
    expect(events.filter(({ type }) => type === 'stray.ended').length).toBeGreaterThanOrEqual(3);
  }
});

test('a second port has its own address; a service that died is shown as dead', async () => {
  const project = makeProject({
    'shakedown.yaml': `name: ports
services:
  my-api:
    run: [node, services/answers.mjs]
    listen: [{ env: PORT }, { name: admin, env: ADMIN_PORT }]
    ready: { tcp: true }
`,
  });
  const words =
    'console.log(Object.keys(process.env).filter((name) => /^SHAKEDOWN_MY/.test(name)).sort().join(" "))';
  const result = await project.run(['up', '--', 'node', '-e', words]);
  expect(result.stdout).toContain('SHAKEDOWN_MY_API_ADMIN_URL SHAKEDOWN_MY_API_URL');
  await project.run(['up', '--detach']);
  const before = JSON.parse((await project.run(['status', '--json'])).stdout);
  expect(before.state).toBe('ready');
  process.kill(before.services[0].pid, 'SIGKILL');
  const after = await until(
    'the death is known',
    5_000,
    async () => JSON.parse((await project.run(['status', '--json'])).stdout),
    ({ state }) => state === 'degraded',
  );
  expect(after.services[0]).toMatchObject({ state: 'exited', pid: null, exit: { signal: 'SIGKILL' } });
  expect((await project.run(['status'])).stdout).toContain('died (SIGKILL)');
  await project.run(['down']);
});
