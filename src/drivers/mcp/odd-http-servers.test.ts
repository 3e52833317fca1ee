import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { type McpEvidence, openAttempt } from '../../../test/mcp/act-on.ts';
import { openPeer } from '../../../test/mcp/http-peer.ts';
import { rawAttempts } from '../../../test/mcp/raw-attempt.ts';
import {
  answerJson,
  answerStream,
  type Misbehave,
  openRawServer,
  refuseJson,
} from '../../../test/mcp/raw-server.ts';

const { attemptOn, callOn, alsoEnd, end } = rawAttempts();

afterEach(end);

const good = { content: [{ type: 'text', text: 'good' }] };

describe('initialize', () => {
  test('settles the version, which every later request names', async () => {
    const { act, peer } = await attemptOn(({ id }, response) => answerJson(response, id, good), {
      version: '2025-06-18',
      session: 'Séssion-1',
    });
    expect(await act({ target: 'server', tool: 'a' })).toMatchObject({ protocolVersion: '2025-06-18' });
    expect(peer.asked[0]?.params?.protocolVersion).toBe('2025-11-25');
    expect(peer.headers[0]).not.toHaveProperty('mcp-protocol-version');
    for (const headers of peer.headers.slice(1)) {
      expect(headers).toMatchObject({ 'mcp-protocol-version': '2025-06-18', 'mcp-session-id': 'Séssion-1' });
    }
    expect(peer.headers[0]?.accept).toBe('application/json, text/event-stream');
  });

  test('asks once for the stream of server messages, whatever the answer', async () => {
    const peer = await openPeer((request, response) => {
      return request.method === 'GET' ? answerJson(response, null, {}) : raw(request, response);
    });
    const inner = await openRawServer(({ id }, response) => answerJson(response, id, good));
    const raw: Parameters<typeof openPeer>[0] = async (request, response) => {
      const body = await new Response(request as never).text();
      const answer = await fetch(`${inner.address.url}/mcp`, { method: 'POST', body });
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      response.end(await answer.text());
    };
    const attempt = openAttempt(peer.address);
    alsoEnd(peer, inner, { close: attempt.end });
    for (const _ of [1, 2, 3]) {
      expect(await attempt.act({ target: 'server', tool: 'a' })).toMatchObject({ result: 'good' });
    }
    expect(peer.heard.filter((line) => line.startsWith('GET'))).toHaveLength(1);
  });

  test('stops listening before it ends the session', async () => {
    let listeners = 0;
    const atTheEnd: number[] = [];
    const peer = await openPeer(async (request, response) => {
      if (request.method === 'GET') {
        listeners += 1;
        response.on('close', () => {
          listeners -= 1;
        });
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': here\n\n');
        return;
      }
      if (request.method === 'DELETE') atTheEnd.push(listeners);
      const { id, method } = JSON.parse((await new Response(request as never).text()) || '{}');
      response.setHeader('mcp-session-id', 's-1');
      const greeting = {
        protocolVersion: '2025-06-18',
        capabilities: {},
        serverInfo: { name: 'x', version: '1' },
      };
      if (id === undefined) response.writeHead(202).end();
      else answerJson(response, id, method === 'initialize' ? greeting : good);
    });
    const attempt = openAttempt(peer.address);
    alsoEnd(peer);
    expect(await attempt.act({ target: 'server', tool: 'a' })).toMatchObject({ result: 'good' });
    expect(listeners).toBe(1);
    await attempt.end();
    expect(atTheEnd).toEqual([0]);
  });

  test.each<[string, Misbehave, object]>([
    [
      'a refusal',
      ({ id }, r) => refuseJson(r, 200, id, -32000),
      { rpcError: { code: -32000 }, during: 'initialize' },
    ],
    ['a list', ({ id }, r) => answerJson(r, id, []), { error: { kind: 'garbage' } }],
    ['no version', ({ id }, r) => answerJson(r, id, { serverInfo: {} }), { error: { kind: 'garbage' } }],
    ['a login', (_, r) => r.writeHead(401).end('who are you?'), { error: { kind: 'garbage' }, status: 401 }],
    ['no place', (_, r) => r.writeHead(404).end('nothing here'), { error: { kind: 'garbage' } }],
  ])('that fails is reported: %s', async (_, misbehave, expected) => {
    const evidence = await callOn(misbehave, { greets: false });
    expect(evidence).toMatchObject({ isError: true, transport: 'streamable-http', ...expected });
  });

  test('that is refused with an error of the stateless era does not mean an old server', async () => {
    const { act, peer } = await attemptOn(({ id }, response) => refuseJson(response, 400, id, -32022), {
      greets: false,
    });
    expect(await act({ target: 'server', tool: 'a' })).toMatchObject({
      transport: 'streamable-http',
      rpcError: { code: -32022 },
      during: 'initialize',
    });
    expect(peer.asked.map(({ method }) => method)).toEqual(['initialize', 'server/discover']);
    expect(peer.heard).not.toContain('GET /sse');
  });

  test('that gets no answer says what was tried', async () => {
    const { act } = await attemptOn((_, response) => response.writeHead(404).end('nothing here'), {
      greets: false,
    });
    const { error } = await act({ target: 'server', tool: 'a' });
    expect(error?.message).toBe('POST /mcp: HTTP 404: nothing here; then GET /sse: HTTP 405');
    const named = await act({ target: 'server', tool: 'a', path: 'api/mcp' });
    expect(named.error?.message).toBe('POST /api/mcp: HTTP 404: nothing here; then GET /api/mcp: HTTP 405');
  });

  test('in time from an older server is late, not wrong', async () => {
    const peer = await openPeer((request, response) => {
      if (request.method === 'POST') response.writeHead(404).end('nothing here');
    });
    const attempt = openAttempt(peer.address);
    alsoEnd(peer, { close: attempt.end });
    const { error } = await attempt.act({ target: 'server', tool: 'a' }, { timeoutMs: 300 });
    expect(error).toEqual({
      kind: 'timeout',
      message: 'POST /mcp: HTTP 404: nothing here; then the server did not open its stream within 300 ms',
    });
  });
});

describe('lists', () => {
  const paged =
    (next: (cursor: string | undefined) => unknown): Misbehave =>
    ({ id, params }, response) => {
      const cursor = params?.cursor as string | undefined;
      const tools = [{ name: `after-${cursor}` }];
      answerJson(response, id, { tools, nextCursor: next(cursor) });
    };

  const listOn = async (misbehave: Misbehave): Promise<McpEvidence> =>
    (await attemptOn(misbehave)).act({ target: 'server', list: 'tools' });

  test('are read to their last page', async () => {
    const order: Record<string, string> = { undefined: 'b', b: 'c' };
    const evidence = await listOn(paged((cursor) => order[String(cursor)]));
    expect(evidence).toMatchObject({ pages: 3, names: ['after-undefined', 'after-b', 'after-c'] });
    expect(evidence.tools).toEqual(evidence.names?.map((name) => ({ name })));
  });

  test.each([[null], ['']])('may end with the cursor %j', async (cursor) => {
    const evidence = await listOn(paged(() => cursor));
    expect(evidence).toMatchObject({
      isError: false,
      pages: 1,
      anomalies: [expect.stringContaining('nextCursor')],
    });
  });

  test.each<[string, Misbehave, string, string, number]>([
    ['go in circles', paged(() => 'again'), 'garbage', 'leads back to an earlier one', 2],
    ['have no end', paged((cursor) => `${cursor ?? ''}x`), 'too-large', 'more than 100 pages', 100],
    ['name a number', paged(() => 7), 'garbage', 'is not a string', 1],
    [
      'are none',
      ({ id }, response) => answerJson(response, id, { tools: {} }),
      'garbage',
      'no list of tools',
      0,
    ],
  ])('that %s are reported', async (_, misbehave, kind, message, count) => {
    const evidence = await listOn(misbehave);
    expect(evidence).toMatchObject({
      isError: true,
      error: { kind, message: expect.stringContaining(message) },
    });
    expect(evidence.names).toHaveLength(count);
  });

  test('keep the good tools when one is broken', async () => {
    const evidence = await listOn(({ id }, response) =>
      answerJson(response, id, { tools: [{ name: 'a' }, null, { name: 7 }, { name: 'b' }] }),
    );
    expect(evidence).toMatchObject({
      isError: false,
      names: ['a', 'b'],
      anomalies: ['2 of the listed tools have no name'],
    });
  });
});

describe('what is large', () => {
  test('is kept in part, with its size and its fingerprint', async () => {
    const { act } = await attemptOn(({ id }, response) =>
      answerJson(response, id, { content: [{ type: 'text', text: 'ü'.repeat(5_000) }] }),
    );
    const evidence = await act({ target: 'server', tool: 'a' }, { bodyBytes: 1_000 });
    expect(evidence).toMatchObject({
      isError: false,
      truncated: true,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(evidence.bytes).toBeGreaterThan(10_000);
    expect(Buffer.byteLength(String(evidence.text))).toBeLessThanOrEqual(1_002);
    expect(evidence).not.toHaveProperty('result');
    expect(Buffer.byteLength(JSON.stringify(evidence))).toBeLessThan(3_000);
  });

  test('comes in small pieces without end, and is counted', async () => {
    const evidence = await callOn(({ id }, response) => {
      const noise = { jsonrpc: '2.0', method: 'notifications/message', params: { data: 'x'.repeat(100) } };
      answerStream(response, ...Array.from({ length: 1_000 }, () => noise), {
        jsonrpc: '2.0',
        id,
        result: good,
      });
      response.end();
    });
    expect(evidence).toMatchObject({ result: 'good', dropped: 800 });
    expect(evidence.notifications).toHaveLength(200);
  });
});

describe('a stream that breaks off on purpose', () => {
  test('is taken up where it left off', async () => {
    let askedAt = 0;
    const peer = await openPeer(async (request, response) => {
      const lastId = request.headers['last-event-id'];
      if (request.method === 'GET' && lastId === undefined) return void response.writeHead(405).end();
      if (request.method === 'GET') {
        askedAt += 1;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        if (askedAt === 1) return void response.end(`id: e-2\nretry: 5\ndata:\n\n`);
        const message = JSON.stringify({ jsonrpc: '2.0', id: 2, result: { ...good, lastId } });
        return void response.end(`data: ${message}\n\n`);
      }
      const body = await new Response(request as never).text();
      const { id, method } = JSON.parse(body) as { id?: number; method: string };
      if (method === 'initialize') return answerJson(response, id, { protocolVersion: '2025-11-25' });
      if (id === undefined) return void response.writeHead(202).end();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`id: e-1\nretry: 5\ndata:\n\n`);
    });
    const attempt = openAttempt(peer.address);
    alsoEnd(peer, { close: attempt.end });
    expect(await attempt.act({ target: 'server', tool: 'a' })).toMatchObject({ result: 'good' });
    expect(peer.headers.map((headers) => headers['last-event-id']).filter(Boolean)).toEqual(['e-1', 'e-2']);
  });
});

describe('no server', () => {
  test('is there', async () => {
    const peer = await openPeer(() => undefined);
    await peer.close();
    const attempt = openAttempt(peer.address);
    const act = attempt.start({ target: 'server', tool: 'a' });
    await act.done;
    expect(act.evidence()).toMatchObject({ isError: true, error: { kind: 'refused' } });
    expect(act.sentBytes()).toBe(0);
    await attempt.end();
  });

  test('speaks HTTP', async () => {
    const server = createServer((socket) => socket.end('220 mail.example ESMTP\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const url = `http://127.0.0.1:${port}`;
    const attempt = openAttempt({ scheme: 'http', host: '127.0.0.1', port, url });
    alsoEnd({ close: async () => server.close() }, { close: attempt.end });
    const act = attempt.start({ target: 'server', tool: 'a' });
    await act.done;
    expect(act.evidence()).toMatchObject({
      error: { kind: 'garbage', message: expect.stringContaining('does not speak HTTP') },
    });
    expect(act.sentBytes()).toBeGreaterThan(100);
  });

  test.each([
    [{ target: 'nobody' }, 'there is no nobody'],
    [{ tool: 'a' }, 'neither a service nor a program'],
    [{ target: 'server', transport: 'stdio' as const }, 'needs a command line'],
    [{ stdio: ['x'], transport: 'sse' as const }, 'a program does not speak sse'],
    [{ target: 'server', transport: 'sse' as const, era: '2026-07-28' }, 'older than 2026-07-28'],
  ])('is meant by %j', async (step, message) => {
    const attempt = openAttempt(undefined);
    const { error } = await attempt.act(step);
    expect(error).toEqual({ kind: 'not-started', message: expect.stringContaining(message) });
    await attempt.end();
  });
});
