import type { ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { until } from '../../../test/harness/until.ts';
import { openAttempt, type TestAttempt } from '../../../test/mcp/act-on.ts';
import { type Asked, type HttpPeer, openPeer, readAsked } from '../../../test/mcp/http-peer.ts';

const open: { close(): Promise<unknown> }[] = [];

afterEach(async () => {
  for (const thing of open.splice(0).reverse()) await thing.close();
});

interface Manners {
  /** The answer to `GET /sse`; by default it names where to post. */
  readonly onStream?: (response: ServerResponse) => void;
  /** What is done with a call of a tool. */
  readonly onCall?: (asked: Asked, stream: ServerResponse, post: ServerResponse) => void;
}

const streamHead = { 'content-type': 'text/event-stream; charset=utf-8' };

async function begin(manners: Manners): Promise<TestAttempt & { peer: HttpPeer; greetings: Asked[] }> {
  const greetings: Asked[] = [];
  let stream: ServerResponse | undefined;
  const peer = await openPeer(async (request, response) => {
    if (request.method === 'GET' && request.url === '/sse') {
      stream = response;
      if (manners.onStream) return manners.onStream(response);
      return void response
        .writeHead(200, streamHead)
        .write('event: endpoint\r\ndata: /post?session=1\r\n\r\n');
    }
    const asked = await readAsked(request);
    if (request.url !== '/post?session=1' || !stream) return void response.writeHead(404).end('no such page');
    if (asked.method === 'tools/call') return manners.onCall?.(asked, stream, response);
    response.writeHead(202).end('Accepted');
    if (asked.method === 'initialize') greetings.push(asked);
    if (asked.method === 'initialize') send(stream, asked.id, { protocolVersion: '2024-11-05' });
    return undefined;
  });
  const attempt = openAttempt(peer.address);
  open.push(peer, { close: attempt.end });
  return { ...attempt, peer, greetings };
}

function send(stream: ServerResponse, id: unknown, result: unknown): void {
  stream.write(`event: message\r\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\r\n\r\n`);
}

const call = { target: 'server', tool: 'a' };

test('a server of 2024 is asked in the version of its time', async () => {
  const { act, greetings } = await begin({
    onCall: ({ id }, stream, post) => {
      post.writeHead(202).end();
      send(stream, id, { content: [{ type: 'text', text: 'good' }] });
    },
  });
  expect(await act(call)).toMatchObject({
    isError: false,
    result: 'good',
    transport: 'sse',
    protocolVersion: '2024-11-05',
    server: {},
  });
  expect(greetings.map(({ params }) => params?.protocolVersion)).toEqual(['2024-11-05']);
});

test.each<[string, Manners, string, string]>([
  [
    'a stream that ends at once',
    { onStream: (response) => response.writeHead(200, streamHead).end() },
    'closed',
    'the server ended its stream /sse',
  ],
  [
    'another origin',
    {
      onStream: (response) =>
        response.writeHead(200, streamHead).write('event: endpoint\ndata: http://localhost:1/post\n\n'),
    },
    'garbage',
    'the server expects its messages at http://localhost:1',
  ],
  [
    'no address',
    {
      onStream: (response) => response.writeHead(200, streamHead).write('event: endpoint\ndata: http://\n\n'),
    },
    'garbage',
    'the server gave no address for messages but http://',
  ],
  [
    'a page',
    { onStream: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hi') },
    'garbage',
    'GET /sse: text/html instead of a stream: <p>hi',
  ],
  [
    'a stream that ends within the call',
    {
      onCall: (_, stream, post) => {
        post.writeHead(202).end();
        stream.end();
      },
    },
    'closed',
    'the server ended its stream /sse',
  ],
  [
    'a stream that breaks within the call',
    {
      onCall: (_, stream, post) => {
        post.writeHead(202).end();
        stream.socket?.resetAndDestroy();
      },
    },
    'reset',
    'the connection was reset',
  ],
  [
    'a session that is unknown',
    { onCall: (_, __, post) => post.writeHead(404).end('who?') },
    'closed',
    'the server forgot the session (HTTP 404): who?',
  ],
  ['a fault', { onCall: (_, __, post) => post.writeHead(500).end('oops') }, 'garbage', 'HTTP 500: oops'],
])('is reported: %s', async (_, manners, kind, message) => {
  const { act } = await begin(manners);
  const evidence = await act({ ...call, transport: 'sse' });
  expect(evidence).toMatchObject({ isError: true, transport: 'sse' });
  expect(evidence.error).toEqual({ kind, message: expect.stringContaining(message) });
});

test.each<[string, Manners, string]>([
  [
    'where to post',
    { onStream: (response) => response.writeHead(200, streamHead).write(': hello\n\n') },
    'stream',
  ],
  ['anything', { onStream: () => undefined }, 'stream'],
  ['the answer', { onCall: (_, __, post) => post.writeHead(202).end() }, 'tools/call was not answered'],
  [
    'the answer, but another one',
    {
      onCall: (_, stream, post) => {
        post.writeHead(202).end();
        send(stream, 'other', {});
      },
    },
    'an answer came with the id "other"',
  ],
  [
    'the answer, but nonsense',
    {
      onCall: (_, stream, post) => {
        post.writeHead(202).end();
        stream.write('data: hello\n\n');
      },
    },
    'the server sent an invalid message: it is not JSON: "hello"',
  ],
])('a server that never says %s is left in time', async (_, manners, message) => {
  const { act, peer, end } = await begin(manners);
  const { error } = await act({ ...call, transport: 'sse' }, { timeoutMs: 250 });
  expect(error).toEqual({ kind: 'timeout', message: expect.stringContaining(message) });
  await end();
  await until('closed connections', 5_000, peer.connections, (count) => count === 0);
});

test('an answer that comes after the deadline is dropped, and the conversation goes on', async () => {
  let late: (() => void) | undefined;
  const { act } = await begin({
    onCall: ({ id, params }, stream, post) => {
      post.writeHead(202).end();
      const answer = (): void =>
        send(stream, id, { content: [{ type: 'text', text: String(params?.name) }] });
      if (params?.name === 'slow') late = answer;
      else {
        late?.();
        answer();
      }
    },
  });
  expect((await act({ ...call, tool: 'slow' }, { timeoutMs: 250 })).error?.kind).toBe('timeout');
  const next = await act({ ...call, tool: 'quick' });
  expect(next).toMatchObject({ isError: false, result: 'quick' });
  expect(next.anomalies).toEqual([]);
});
