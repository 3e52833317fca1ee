/** A real provider behind the model, simulated by another model provider of ours on real sockets. */
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import { waitFor } from '../../src/kernel/deadline.ts';
import { type DialectName, dialectNames } from '../../src/protocols/turn/turn.ts';
import type { ScriptLine } from '../../src/resources/model/script-line.ts';
import { hostEnv, openFront as openFrontOf, openProvider, realKey } from './open-front.ts';
import { asking, type OpenModel, openModel } from './open-model.ts';

const chat = asking['openai-chat']();

let cassettes = '';
beforeEach(() => {
  cassettes = mkdtempSync(path.join(tmpdir(), 'cassettes-'));
});
afterEach(() => rmSync(cassettes, { recursive: true, force: true }));

const openFront: typeof openFrontOf = (mode, provider, spec = {}) =>
  openFrontOf(mode, provider, { cassettes, ...spec });

const usage = { input: 1_000, output: 100 };

describe('live', () => {
  test.each(dialectNames)('%s is passed on with the real key, and metered', async (dialect) => {
    const provider = await openProvider([
      { says: 'A real answer.', usage },
      { says: 'A real answer.', usage },
    ]);
    const front = await openFront('live', provider);
    await front.begin();
    for (const stream of [false, true]) {
      const { path: target, body } = asking[dialect](stream);
      const answer = await front.ask(target, body);
      expect(answer.status).toBe(200);
      expect(answer.text).toContain('real');
    }
    expect(provider.calls()).toMatchObject([{ status: 200 }, { status: 200 }]);
    expect(front.calls()).toMatchObject([
      { mode: 'live', dialect, usage, streamed: false },
      { mode: 'live', dialect, usage, streamed: true },
    ]);
    for (const { costUsd } of front.calls()) expect(costUsd).toBeGreaterThan(0);
  });

  test('the consumer sees the bytes of the provider, refusals too', async () => {
    const provider = await openProvider([{ error: { status: 429, retryAfter: '3', message: 'Slowly.' } }]);
    const front = await openFront('live', provider);
    const answer = await front.ask(chat.path, chat.body);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '3']);
    expect(answer.text).toContain('Slowly.');
    expect(front.calls()).toMatchObject([{ status: 429, costUsd: 0, usage: null }]);
  });

  test('a stream comes as it is sent, and the disconnect of a consumer is passed on', async () => {
    const provider = await openProvider([{ says: 'a'.repeat(60_000), pieceChars: 1, paceMs: 20 }]);
    const front = await openFront('live', provider);
    const { path: target, body } = asking['openai-chat'](true);
    const socket = connect(Number(new URL(front.url()).port), '127.0.0.1');
    const json = JSON.stringify(body);
    let received = '';
    socket.on('data', (bytes) => {
      received += bytes.toString();
    });
    socket.write(
      `POST ${target} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer x\r\ncontent-length: ${json.length}\r\n\r\n${json}`,
    );
    await until(() => received.includes('data: '));
    expect(provider.calls()).toEqual([]);
    socket.destroy();
    await until(() => provider.calls().length === 1 && front.calls().length === 1);
    expect(front.calls()).toMatchObject([{ status: 200, usage: null, costUsd: null }]);
  });
});

describe('a provider that fails', () => {
  test('is not there', async () => {
    const front = await openFront('live', 'http://127.0.0.1:1');
    const answer = await front.ask(chat.path, chat.body);
    expect(answer.status).toBe(502);
    expect(answer.json).toMatchObject({
      error: { message: expect.stringContaining('127.0.0.1:1 could not be reached') },
    });
    expect(front.calls()).toMatchObject([{ status: 502, fault: { kind: 'upstream' } }]);
  });

  test('breaks off', async () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"id":';
    const server = await playRaw((socket) => socket.end(head));
    const front = await openFront('live', `http://127.0.0.1:${port(server)}`);
    await expect(front.ask(chat.path, chat.body)).rejects.toThrow();
    await until(() => front.calls().length === 1);
    expect(front.calls()).toMatchObject([
      {
        status: 200,
        usage: null,
        costUsd: null,
        fault: { kind: 'upstream', what: expect.stringMatching('broke off') },
      },
    ]);
    server.close();
  });

  test('sends what is not JSON', async () => {
    const page = '<html>bad gateway</html>';
    const server = await playRaw((socket) =>
      socket.end(`HTTP/1.1 520 \r\ncontent-type: text/html\r\ncontent-length: ${page.length}\r\n\r\n${page}`),
    );
    const front = await openFront('live', `http://127.0.0.1:${port(server)}`);
    expect(await front.ask(chat.path, chat.body)).toMatchObject({ status: 520, text: page });
    server.close();
  });

  test('is not configured for the dialect', async () => {
    const upstreams = { anthropic: { url: 'http://127.0.0.1:1', key: 'REAL_KEY' } };
    const front = await openModel({ mode: 'live', upstreams }, { hostEnv });
    const answer = await front.ask(chat.path, chat.body);
    expect(answer.status).toBe(502);
    expect(answer.text).toContain('upstreams.openai');
  });
});

describe('what cannot be provisioned', () => {
  test.each([
    ['no provider', {}, {}, /there is no provider/],
    ['no key', { openai: { url: 'https://x.example', key: 'NO_KEY' } }, {}, /NO_KEY is not set/],
    ['no address', { openai: { url: 'x', key: 'REAL_KEY' } }, hostEnv, /the url is "x"/],
  ])('%s', async (_, upstreams, env, message) => {
    await expect(openModel({ mode: 'live', upstreams }, { hostEnv: env })).rejects.toThrow(message);
  });
});

describe('a recording', () => {
  const script: readonly ScriptLine[] = [
    { says: 'Voilà.', calls: [{ name: 'read_file', arguments: { path: 'a' } }], usage },
    { says: `The key is ${realKey}.`, pieceChars: 100, usage },
    { error: { status: 429, retryAfter: '2' } },
  ];

  async function record(dialect: DialectName, stream: boolean): Promise<readonly string[]> {
    const front = await openFront('record', await openProvider(script));
    await front.begin(undefined, { trial: 'agent/notes' });
    const { path: target, body } = asking[dialect](stream);
    const texts = [];
    for (const _ of script) texts.push((await front.ask(target, body)).text);
    await front.settle();
    return texts;
  }

  test.each(dialectNames.flatMap((dialect) => [[dialect, false] as const, [dialect, true] as const]))(
    '%s, streamed: %s, is played as it was, and holds no key',
    async (dialect, stream) => {
      const recorded = await record(dialect, stream);
      const file = path.join(cassettes, 'agent/notes.json');
      expect(readFileSync(file, 'utf8')).not.toContain(realKey);
      const front = await openModel({ mode: 'cassette', cassettes });
      await front.begin(undefined, { trial: 'agent/notes' });
      const { path: target, body } = asking[dialect](stream);
      expect((await front.ask(target, body)).text).toBe(recorded[0]);
      expect((await front.ask(target, body)).text).toBe(
        recorded[1]?.replaceAll(realKey, '‹secret:REAL_KEY›'),
      );
      const limited = await front.ask(target, body);
      expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '2']);
      expect(front.calls()).toMatchObject([
        { mode: 'cassette', usage, status: 200 },
        { usage },
        { usage: null },
      ]);
      await front.settle();
      expect(front.unused()).toEqual([]);
    },
  );

  async function replay(change: (body: Record<string, unknown>) => object): Promise<OpenModel> {
    await record('openai-chat', false);
    const front = await openModel({ mode: 'cassette', cassettes });
    await front.begin(undefined, { trial: 'agent/notes' });
    await front.ask(chat.path, { ...chat.body, ...change(chat.body) });
    return front;
  }

  test.each<[string, (body: Record<string, unknown>) => object, string]>([
    [
      'the prompt',
      () => ({ messages: [{ role: 'system', content: 'Be long.' }, chat.body.messages[1]] }),
      'the system prompt changed: recorded "Be brief.", now "Be long."',
    ],
    [
      'a tool',
      () => ({
        tools: [{ type: 'function', function: { name: 'read_file', parameters: { type: 'object' } } }],
      }),
      'the tool read_file changed: ',
    ],
    ['the model', () => ({ model: 'gpt-5' }), 'the model changed from gpt-4o to gpt-5'],
    ['a parameter', () => ({ temperature: 1 }), 'the parameter temperature changed from nothing to 1'],
  ])('says that %s is another one, and how to record again', async (_, change, what) => {
    const front = await replay(change);
    const [call] = front.calls();
    expect(call).toMatchObject({ status: 400, fault: { kind: 'drift' } });
    expect(call?.fault?.what.startsWith(what)).toBe(true);
    expect(call?.fault?.what).toContain('record it again: shakedown record agent/notes');
  });

  test('is played with its pauses, or without', async () => {
    const provider = await openProvider([{ says: 'abc', pieceChars: 1, paceMs: 30 }]);
    const recording = await openFront('record', provider);
    await recording.begin();
    const { path: target, body } = asking['openai-chat'](true);
    const { text } = await recording.ask(target, body);
    await recording.settle();
    for (const timing of ['original', 'compressed'] as const) {
      const slept: number[] = [];
      const sleep = async (ms: number): Promise<void> => void slept.push(ms);
      const front = await openModel(
        { mode: 'cassette', cassettes, timing },
        { clock: { ...systemClock, sleep } },
      );
      await front.begin();
      expect((await front.ask(target, body)).text).toBe(text);
      expect(slept.length > 0).toBe(timing === 'original');
    }
  });

  test('concurrent calls each find their own; unused recordings are reported', async () => {
    const provider = await openProvider([
      { says: 'to one', when: { text: 'one' } },
      { says: 'to two', when: { text: 'two' } },
      { says: 'to three', when: { text: 'three' } },
    ]);
    const say = (text: string): object => ({ ...chat.body, messages: [{ role: 'user', content: text }] });
    const recording = await openFront('record', provider);
    await recording.begin();
    for (const text of ['one', 'two', 'three']) await recording.ask(chat.path, say(text));
    await recording.settle();
    const front = await openModel({ mode: 'cassette', cassettes });
    await front.begin();
    expect((await front.ask(chat.path, say('two'))).text).toContain('to two');
    expect((await front.ask(chat.path, say('one'))).text).toContain('to one');
    await front.settle();
    expect(front.unused()).toMatchObject([{ caller: 'agent', line: 3 }]);
    await front.begin();
    for (const text of ['one', 'two', 'three']) await front.ask(chat.path, say(text));
    const fourth = await front.ask(chat.path, say('three'));
    expect(fourth.text).toContain('the recording has 3 calls of agent, and all have been played');
  });

  test('that is missing or broken is a problem when the attempt begins', async () => {
    const front = await openModel({ mode: 'cassette', cassettes });
    await expect(front.begin(undefined, { trial: 'no/such' })).rejects.toMatchObject({
      code: 'cassette.not-found',
      next: 'shakedown record no/such',
    });
    await record('openai-chat', true);
    const file = path.join(cassettes, 'agent/notes.json');
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, 300));
    await expect(front.begin(undefined, { trial: 'agent/notes' })).rejects.toMatchObject({
      code: 'cassette.unreadable',
    });
  });

  test('of another model is not overwritten; a broken one is', async () => {
    await record('openai-chat', false);
    const provider = await openProvider([{ says: 'x' }]);
    const other = await openFront('record', provider, { name: 'second' });
    await expect(other.begin(undefined, { trial: 'agent/notes' })).rejects.toThrow(
      /recording of the resource model/,
    );
    const file = path.join(cassettes, 'agent/notes.json');
    writeFileSync(file, 'broken');
    await other.begin(undefined, { trial: 'agent/notes' });
    await other.settle();
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ resource: 'second', calls: [] });
  });

  test('is not written before the attempt is over', async () => {
    const front = await openFront('record', await openProvider([{ says: 'x' }]));
    await front.begin(undefined, { trial: 'agent/notes' });
    await front.ask(chat.path, chat.body);
    expect(existsSync(path.join(cassettes, 'agent'))).toBe(false);
  });
});

async function playRaw(answer: (socket: import('node:net').Socket) => void): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => answer(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function port(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

async function until(holds: () => boolean): Promise<void> {
  expect(await waitFor(systemClock, { withinMs: 5_000 }, () => holds() || undefined)).toBe(true);
}
