/** Other users and services cannot do anything to an environment through its socket and its folders. */
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { connectKeeper } from '../src/environment/keeper/keeper-client.ts';
import { fromFolderOf } from '../src/environment/keeper/keeper-socket.ts';
import type { Plan } from '../src/environment/plan.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { holdEnvironment } from './harness/held-environments.ts';
import { makeProject, type Project } from './harness/project.ts';
import { isNothing, nothing, until } from './harness/until.ts';

const simple = `name: simple
services:
  web: { run: [node, services/answers.mjs], listen: { env: PORT }, env: { SECRET: "\${env.API_KEY:-none}" } }
`;

/** Sends bytes on a new connection; returns the lines received until it was closed, or up to the given number. */
function send(folder: string, bytes: string | Buffer, answers = Infinity): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const socket = fromFolderOf(path.join(folder, 'keeper.sock'), (name) => connect(name));
    let text = '';
    const lines = (): string[] => text.split('\n').slice(0, -1);
    socket.on('data', (chunk) => {
      text += chunk;
      if (lines().length >= answers) socket.destroy();
    });
    socket.on('close', () => resolve(lines()));
    socket.on('error', (error: NodeJS.ErrnoException) => error.code === 'EPIPE' || reject(error));
    socket.setTimeout(20_000, () => socket.destroy(new Error(`no answer to ${String(bytes).slice(0, 200)}`)));
    socket.write(bytes);
  });
}

const runFolderOf = (project: Project): string =>
  realpathSync(path.join(project.folder, '.shakedown/latest'));
const planOf = (runFolder: string): Plan =>
  JSON.parse(readFileSync(path.join(runFolder, 'plan.json'), 'utf8'));
const greeting = (runFolder: string): string =>
  `${JSON.stringify({ token: readFileSync(path.join(runFolder, 'keeper.token'), 'utf8') })}\n`;
const modeOf = (file: string): string => (lstatSync(file).mode & 0o777).toString(8);

test('run folder, socket and workspace are private whatever the umask', async () => {
  const project = makeProject({ 'shakedown.yaml': simple });
  const before = process.umask(0);
  const up = await project.run(['up', '--detach'], { env: { API_KEY: 'open-sesame' } });
  process.umask(before);
  expect(up.code, up.output).toBe(0);
  const runFolder = runFolderOf(project);
  const { workspace } = planOf(runFolder);
  const at = (name: string): string => modeOf(path.join(runFolder, name));
  expect([modeOf(runFolder), at('keeper.sock'), at('keeper.token'), at('plan.json')]).toEqual([
    '700',
    '600',
    '600',
    '600',
  ]);
  expect(modeOf(workspace)).toBe(process.getuid?.() === 0 ? '711' : '700');
  expect(modeOf(path.join(workspace, 'taps.sock'))).toBe('600');
  expect(modeOf(path.join(project.folder, '.shakedown'))).toBe('755');
  expect(modeOf(path.join(project.folder, '.shakedown/cache'))).toBe('700');
  if (process.getuid?.() === 0) {
    const peek = spawnSync('ls', [runFolder], { uid: 65_534, gid: 65_534, encoding: 'utf8' });
    expect(peek.stderr).toContain('ermission denied');
  } else console.log('skipped: only root can try it as another user');
  expect((await project.run(['down'])).code).toBe(0);
  expect(project.left()).toEqual(nothing);
});

test('without the token nothing is done; a tap on stdio may only report its calls', async () => {
  const project = makeProject({ 'shakedown.yaml': simple });
  const held = await holdEnvironment(project, { env: { API_KEY: 'open-sesame' } });
  const ask = (request: string, params: unknown): string => `${JSON.stringify({ id: 1, request, params })}\n`;
  const asked = [ask('down', { because: 'x' }), ask('resolve', { texts: ['${env.API_KEY}'] })];
  for (const first of [
    ...asked,
    '{"token":"guessed"}\n',
    '{"token":null}\n',
    '{"token":{}}\n',
    '{"token":{"toString":1}}\n',
  ]) {
    const [refusal = '', ...more] = await send(held.runFolder, `${first}${asked.join('')}`);
    expect(JSON.parse(refusal)).toMatchObject({ problem: { code: 'usage.bad-request' } });
    expect(more).toEqual([]);
  }
  expect((await held.keeper.ask('status', {})).state).toBe('ready');
  await held.end();
  await until('nothing is left', 10_000, project.left, isNothing);
});

const verbs = [
  'subscribe', 'status', 'facts', 'quiet', 'traffic', 'service', 'peersBegin', 'peersSettle', 'disturbExchanges',
  'stdioCall', 'disturb', 'resolve', 'commandStarted', 'commandEnded', 'ping', '__proto__', 'constructor', 'nothing',
]; // biome-ignore format: a table

/** Arbitrary input, and nearly valid input. */
const message = fc.oneof(
  { weight: 1, arbitrary: fc.jsonValue() },
  {
    weight: 4,
    arbitrary: fc.record(
      {
        id: fc.oneof(fc.nat(), fc.jsonValue({ maxDepth: 1 })),
        request: fc.constantFrom(...verbs),
        params: fc.oneof(
          fc.jsonValue(),
          fc.dictionary(
            fc.constantFrom(
              'name',
              'from',
              'to',
              'rule',
              'rules',
              'do',
              'texts',
              'argv',
              'process',
              'pid',
              'call',
              'scripts',
            ),
            fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('web', 'outside', 'kill', 1)),
          ),
        ),
      },
      { requiredKeys: [] },
    ),
  },
);

test('whatever is sent, the keeper answers or closes the connection, and still takes everything down on request', async () => {
  const project = makeProject({ 'shakedown.yaml': simple });
  const held = await holdEnvironment(project);
  const hello = greeting(held.runFolder);
  const lines = (...messages: readonly unknown[]): string =>
    messages.map((one) => `${JSON.stringify(one)}\n`).join('');
  const ping = { id: 1_000_000, request: 'ping', params: {} };
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 40 }), async (messages) => {
      const received = await send(held.runFolder, `${hello}${lines(...messages, ping)}`, messages.length + 1);
      expect(received.length).toBeGreaterThan(messages.length);
    }),
    { numRuns: 25, endOnFailure: true },
  );
  const refused: readonly (readonly [string, string | Buffer])[] = [
    ['null', 'null\n'],
    ['not JSON', '{"id":1,\n'],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0xc0, 0x22, 0x0a])],
    ['depth', `{"id":1,"request":"resolve","params":{"texts":${'['.repeat(100_000)}${']'.repeat(100_000)}}}\n`],
    ['no process', lines({ id: 1, request: 'commandStarted', params: { argv: [] } })],
    ['bad process', lines({ id: 1, request: 'commandStarted', params: { argv: [], process: { pid: -1, startedAt: '' } } })],
    ['bad rule', lines({ id: 1, request: 'disturbExchanges', params: { from: 'outside', to: 'web', rules: [{ name: 'x', fault: { do: 'cut' } }] } })],
    ['huge line', `"${'x'.repeat(9 * 1024 * 1024)}"\n`],
  ]; // biome-ignore format: a table
  for (const [what, bytes] of refused) {
    const [answer = '{}'] = await send(
      held.runFolder,
      Buffer.concat([Buffer.from(hello), Buffer.from(bytes)]),
      1,
    );
    expect(JSON.parse(answer), what).toMatchObject({ problem: { code: 'usage.bad-request' } });
  }
  const keeper = await connectKeeper(held.runFolder, systemClock);
  expect((await keeper?.ask('status', {}))?.services).toMatchObject([{ name: 'web' }]);
  keeper?.close();
  const { workspace } = planOf(held.runFolder);
  await held.end();
  await until('nothing is left', 10_000, project.left, isNothing);
  expect(existsSync(workspace)).toBe(false);
});
