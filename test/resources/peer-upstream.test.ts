/** A real third party behind the scripted one, on real sockets: what is passed on, recorded, and replayed. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { PeerCalled, PeerRecorded, PeerUnused } from '../../src/journal/peer-event.ts';
import { httpPeerDriver } from '../../src/resources/http/driver/http-peer-driver.ts';
import type { ScriptedPeer } from '../../src/resources/resource.ts';
import type { HttpPeerSpec } from '../../src/system/system.ts';
import { createTestContext, type TestContextOptions } from '../conformance/resource-context.ts';
import { eventually } from '../taps/eventually.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cassettes-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Take = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void | Promise<void>;

async function openReal(take: Take): Promise<string> {
  const server = createServer(async (asked, response) => {
    await take(asked, response, Buffer.concat(await asked.toArray()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Front {
  readonly peer: ScriptedPeer;
  readonly port: number;
  ask(target: string, init?: RequestInit): Promise<Response>;
  shown<Type extends 'peer.called' | 'peer.unused' | 'peer.recorded'>(
    type: Type,
  ): readonly Extract<PeerCalled | PeerUnused | PeerRecorded, { type: Type }>[];
}

/** The attempt of the trial `t` has begun. */
async function openFront(
  mode: HttpPeerSpec['mode'],
  url: string,
  spec: Partial<HttpPeerSpec> = {},
  options: TestContextOptions = {},
): Promise<Front> {
  const context = createTestContext({
    consumers: [{ kind: 'service', name: 'shop' }],
    systemFolder: folder,
    hostEnv: { REAL_KEY: 'the-real-key' },
    ...options,
  });
  const resource = await httpPeerDriver.provision(
    {
      kind: 'http',
      name: 'bank',
      because: 'it moves money',
      standing: [],
      callbacks: {},
      mode,
      upstream: { url },
      cassettes: folder,
      timing: 'compressed',
      ...spec,
    },
    context,
  );
  onTestFinished(async () => {
    await resource.stop();
    context.clear();
  });
  const port = resource.endpointFor?.('shop')?.port as number;
  const peer = resource.peer as ScriptedPeer;
  await peer.begin({ trial: 't', attempt: 1, seed: 's', script: undefined });
  return {
    peer,
    port,
    ask: (target, init) => fetch(`http://127.0.0.1:${port}${target}`, { redirect: 'manual', ...init }),
    shown: (type) => context.emitted.filter((event) => event.type === type) as never,
  };
}

const tape = (): string => readFileSync(path.join(folder, 't.json'), 'utf8');

test('everything of a request reaches the real one, with the key in place of the consumer’s', async () => {
  const seen: unknown[] = [];
  const url = await openReal((asked, response, body) => {
    seen.push([
      asked.method,
      asked.url,
      asked.headers.authorization,
      asked.headers['x-trace'],
      body.toString(),
    ]);
    response.writeHead(201, { 'set-cookie': ['a=1', 'b=2'], etag: '"7"' }).end(body);
  });
  const { ask } = await openFront('record', `${url}/v2/`, {
    upstream: { url: `${url}/v2/`, key: 'REAL_KEY' },
  });
  const answer = await ask('/a%20b?x=1&x=2', {
    method: 'PUT',
    headers: { authorization: 'Bearer test', 'x-trace': 't' },
    body: 'grüße',
  });
  expect(await answer.text()).toBe('grüße');
  expect([answer.status, answer.headers.getSetCookie(), answer.headers.get('etag')]).toEqual([
    201,
    ['a=1', 'b=2'],
    '"7"',
  ]);
  expect(seen).toEqual([['PUT', '/v2/a%20b?x=1&x=2', 'Bearer the-real-key', 't', 'grüße']]);
});

test('a stream passes event by event, and comes back so; bytes that are not text come back unchanged', async () => {
  const go = Promise.withResolvers<void>();
  const url = await openReal(async (asked, response) => {
    if (asked.url === '/bytes') return void response.end(Buffer.from([0xff, 0, 0x80]));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: 1\n\n');
    await go.promise;
    response.end('data: 2\n\n');
  });
  const readAll = async ({ ask, peer }: Front): Promise<unknown> => {
    const stream = await ask('/stream');
    const pieces: string[] = [];
    for await (const bytes of stream.body as AsyncIterable<Uint8Array>) {
      pieces.push(Buffer.from(bytes).toString());
      go.resolve();
    }
    const bytes = Buffer.from(await (await ask('/bytes')).arrayBuffer()).toString('hex');
    await peer.settle();
    return [pieces, bytes];
  };
  const recording = await openFront('record', url);
  expect(await readAll(recording)).toEqual([['data: 1\n\n', 'data: 2\n\n'], 'ff0080']);
  expect(recording.shown('peer.recorded')).toEqual([
    { type: 'peer.recorded', resource: 'bank', file: 't.json', calls: 2 },
  ]);
  const played = await openFront('cassette', 'http://127.0.0.1:9');
  expect(((await readAll(played)) as string[][])[0]?.join('')).toBe('data: 1\n\ndata: 2\n\n');
  expect(played.shown('peer.called')).toMatchObject([
    { status: 200, line: 1, by: 'cassette' },
    { status: 200, line: 2, by: 'cassette' },
  ]);
  expect(played.shown('peer.unused')).toEqual([]);
});

test('a disconnect is passed on to the real one, and the recording hangs at the same place', async () => {
  let left = 0;
  const url = await openReal((asked, response) => {
    response.on('close', () => {
      left += 1;
    });
    if (asked.url === '/stream') response.writeHead(200).write('first');
  });
  const leave = async ({ port, peer }: Front): Promise<string> => {
    let text = '';
    for (const target of ['/silent', '/stream']) {
      const asked = request({ port, path: target, host: '127.0.0.1', agent: false });
      asked.on('error', () => undefined);
      asked.end();
      if (target === '/stream') {
        const [response] = (await once(asked, 'response')) as [IncomingMessage];
        response.on('error', () => undefined);
        [text] = (await once(response.setEncoding('utf8'), 'data')) as [string];
      } else await eventually(() => asked.writableFinished);
      asked.destroy();
    }
    await peer.settle();
    return text;
  };
  const recording = await openFront('record', url);
  await leave(recording);
  await eventually(() => left === 2);
  expect(JSON.parse(tape()).calls).toMatchObject([
    { request: { path: '/silent' }, response: { status: 0, end: 'hang' } },
    { request: { path: '/stream' }, response: { status: 200, end: 'hang', pieces: [{ text: 'first' }] } },
  ]);
  const played = await openFront('cassette', 'http://127.0.0.1:9');
  expect(await leave(played)).toBe('first');
  expect(played.shown('peer.called').map(({ status, fault }) => [status, fault])).toEqual([
    [0, undefined],
    [200, undefined],
  ]);
});

test('a call that is still open when the attempt ends is closed, and recorded as a silence', async () => {
  const [came, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const url = await openReal((_, response) => {
    response.on('close', closed.resolve);
    came.resolve();
  });
  const { ask, peer, shown } = await openFront('record', url);
  const asked = ask('/poll').catch((error: unknown) => String(error));
  await came.promise;
  await peer.settle();
  await closed.promise;
  expect(await asked).toContain('fetch failed');
  expect(JSON.parse(tape()).calls).toMatchObject([{ response: { status: 0, end: 'hang' } }]);
  expect(shown('peer.called')).toMatchObject([{ status: 0, by: 'upstream' }]);
});

test('tokens of the real one are not kept, and are replaced by others on replay', async () => {
  const url = await openReal((asked, response, body) => {
    const isLogin = asked.url === '/login';
    response
      .setHeader('content-type', 'application/json')
      .end(
        isLogin
          ? JSON.stringify({ access_token: `tok-${JSON.parse(body.toString()).user}-4711`, kind: 'bearer' })
          : JSON.stringify({ echo: `${asked.headers.authorization} ${asked.url}` }),
      );
  });
  const secrets = { PIN: '9876543' };
  const talk = async ({ ask, peer }: Front): Promise<readonly string[]> => {
    const login = async (user: string): Promise<string> => {
      const body = JSON.stringify({ user, password: `pw-${Math.random()}`, pin: secrets.PIN });
      return JSON.parse(await (await ask('/login', { method: 'POST', body })).text()).access_token;
    };
    const tokens = [await login('ann'), await login('bob')];
    const answer = await ask(`/me?access_token=${tokens[1]}`, {
      headers: { authorization: `Bearer ${tokens[0]}` },
    });
    const text = await answer.text();
    await peer.settle();
    return [...tokens, text];
  };
  const recording = await openFront('record', url, {}, { secrets });
  const [ann = '', bob = '', me = ''] = await talk(recording);
  expect(me).toContain(`Bearer ${ann} /me?access_token=${bob}`);
  for (const secret of [ann, bob, secrets.PIN, 'pw-']) expect(tape()).not.toContain(secret);
  expect(JSON.parse(tape()).calls[2].request.query).toEqual({ access_token: '‹secret:access_token.2›' });
  const played = await openFront('cassette', 'http://127.0.0.1:9', {}, { secrets });
  const [first, second, text] = await talk(played);
  expect([first, second]).toEqual(['recorded-access_token-value', 'recorded-access_token.2-value']);
  expect(text).toContain('Bearer recorded-access_token-value /me?access_token=recorded-access_token.2-value');
  expect(played.shown('peer.called').filter(({ fault }) => fault)).toEqual([]);
});

test('an attempt that ended early replaces no recording, and writes one where there is none', async () => {
  const url = await openReal((_, response) => void response.end('fine'));
  const { ask, peer, shown } = await openFront('record', url);
  const attempt = async (calls: number, isWhole: boolean): Promise<number> => {
    await peer.begin({ trial: 't', attempt: 1, seed: 's', script: undefined });
    for (let call = 0; call < calls; call += 1) await ask(`/${call}`);
    await peer.settle({ isWhole });
    return JSON.parse(tape()).calls.length;
  };
  expect(await attempt(1, false)).toBe(1);
  expect(await attempt(3, true)).toBe(3);
  expect(await attempt(1, false)).toBe(3);
  expect(shown('peer.recorded').at(-1)).toMatchObject({
    because: expect.stringMatching(/^the attempt ended/),
    stays: true,
  });
  expect(await attempt(0, true)).toBe(0);
  writeFileSync(path.join(folder, 't.json'), '{"cassette":1,"resource":"other","trial":"t"}');
  await expect(peer.begin({ trial: 't', attempt: 1, seed: 's', script: undefined })).rejects.toThrow(
    /recording of the resource other/,
  );
});
