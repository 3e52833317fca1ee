import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../../../test/harness/until.ts';
import { rawAttempts } from '../../../test/mcp/raw-attempt.ts';
import { answerJson, answerStream, type Misbehave, refuseJson } from '../../../test/mcp/raw-server.ts';

const { attemptOn, callOn, end } = rawAttempts();

afterEach(end);

const good = { content: [{ type: 'text', text: 'good' }] };

describe('an invalid answer', () => {
  test.each<[string, Misbehave, string, string]>([
    [
      'another id',
      (_, response) => answerJson(response, 99, good),
      'garbage',
      'the id 99, which no request has',
    ],
    [
      'an id that was used up',
      (_, response) => answerJson(response, 1, good),
      'garbage',
      'had its answer already',
    ],
    [
      'another id, as a stream',
      (_, response) => {
        answerStream(response, { jsonrpc: '2.0', id: 'x', result: good });
        response.end();
      },
      'garbage',
      'the id "x", which no request has',
    ],
    [
      'a page of HTML',
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>'),
      'garbage',
      'the answer is not JSON (HTTP 200, text/html): <h1>Hello</h1>',
    ],
    [
      'half a JSON',
      (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc":'),
      'garbage',
      'is not JSON',
    ],
    [
      'a key twice',
      ({ id }, response) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(`{"jsonrpc":"2.0","id":${id},"result":{"structuredContent":{"paid":false,"paid":true}}}`),
      'garbage',
      'has the same key twice in a map',
    ],
    [
      'JSON that is not a message',
      (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}'),
      'garbage',
      'does not say `jsonrpc: "2.0"`',
    ],
    [
      'nothing',
      (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(),
      'garbage',
      'the answer is empty (HTTP 200, application/json)',
    ],
    [
      'a receipt',
      (_, response) => response.writeHead(202).end(),
      'garbage',
      'the answer is empty (HTTP 202, no content type)',
    ],
    [
      'a stream without a response',
      (_, response) => {
        answerStream(response, { jsonrpc: '2.0', method: 'notifications/message' });
        response.end();
      },
      'closed',
      'the server ended its stream without a response',
    ],
    [
      'a list for a result',
      ({ id }, response) => answerJson(response, id, []),
      'garbage',
      'is a list, not an object',
    ],
    [
      'a page of a proxy',
      (_, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('Bad\n  Gateway'),
      'garbage',
      'HTTP 502: Bad Gateway',
    ],
    [
      'a redirect to another server',
      (_, response) => response.writeHead(307, { location: 'http://localhost:1/mcp' }).end(),
      'garbage',
      'HTTP 307 to http://localhost:1/mcp',
    ],
    [
      'a closed door',
      (_, response) => response.socket?.destroy(),
      'closed',
      'before its answer was complete',
    ],
    ['a reset', (_, response) => response.socket?.resetAndDestroy(), 'reset', 'the connection was reset'],
    [
      'the beginning of a stream',
      (_, response) => {
        answerStream(response, { jsonrpc: '2.0', method: 'notifications/message' });
        response.write('event: message\ndata: {"jso', () => response.socket?.destroy());
      },
      'closed',
      'before its answer was complete',
    ],
    [
      'more than fits',
      async ({ id }, response) => answerJson(response, id, { content: ['x'.repeat(9 * 1024 * 1024)] }),
      'too-large',
      'a message of more than 8388608 bytes',
    ],
    [
      'an event that is more than fits',
      async ({ id }, response) =>
        answerStream(response, { jsonrpc: '2.0', id, result: { content: ['x'.repeat(9 * 1024 * 1024)] } }),
      'too-large',
      'a message of more than 8388608 bytes',
    ],
  ])('is reported: %s', async (_, misbehave, kind, message) => {
    const evidence = await callOn(misbehave);
    expect(evidence).toMatchObject({ isError: true, transport: 'streamable-http', server: { name: 'raw' } });
    expect(evidence.error).toEqual({ kind, message: expect.stringContaining(message) });
  });
});

test('bytes that are not UTF-8 are marked', async () => {
  const evidence = await callOn(({ id }, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(
        Buffer.from(
          `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"refus\u00e9"}]}}`,
          'latin1',
        ),
      ),
  );
  expect(evidence).toMatchObject({ isError: false, result: 'refus‹no-utf8›' });
});

describe('a server that does not answer in time', () => {
  test.each<[string, Misbehave, string]>([
    ['in silence', () => undefined, 'tools/call was not answered within 250 ms'],
    ['after the head of its answer', (_, response) => answerStream(response), 'tools/call was not answered'],
    [
      'with signs of life',
      (_, response) => {
        answerStream(response);
        const beat = setInterval(() => response.write(': still here\n\n'), 20);
        response.on('close', () => clearInterval(beat));
      },
      'tools/call was not answered',
    ],
    [
      'with the answer to something else',
      (_, response) => answerStream(response, { jsonrpc: '2.0', id: 99, result: good }),
      'was not answered within 250 ms; an answer came with the id 99',
    ],
  ])('%s', async (_, misbehave, message) => {
    const { act, peer } = await attemptOn(misbehave);
    const evidence = await act({ target: 'server', tool: 'a' }, { timeoutMs: 250 });
    expect(evidence.error).toEqual({ kind: 'timeout', message: expect.stringContaining(message) });
    const cancelled = await until(
      'the cancellation',
      5_000,
      () => peer.asked.find(({ method }) => method === 'notifications/cancelled'),
      (found) => found !== undefined,
    );
    expect(cancelled?.params).toMatchObject({ requestId: 2 });
    await until('closed connections', 5_000, peer.connections, (count) => count === 0);
  });

  test('for initialize sends no cancellation, which the protocol forbids', async () => {
    const { act, peer } = await attemptOn(() => undefined, { greets: false });
    const evidence = await act({ target: 'server', tool: 'a' }, { timeoutMs: 250 });
    expect(evidence.error).toEqual({ kind: 'timeout', message: 'initialize was not answered within 250 ms' });
    await until('closed connections', 5_000, peer.connections, (count) => count === 0);
    expect(peer.asked.map(({ method }) => method)).toEqual(['initialize']);
  });

  test('is left at once when the attempt is given up', async () => {
    const { start, peer, giveUp } = await attemptOn(() => undefined);
    const act = start({ target: 'server', tool: 'a' });
    await until(
      'the call',
      5_000,
      () => peer.asked.length,
      (count) => count === 3,
    );
    giveUp();
    await act.done;
    expect(act.evidence()).toMatchObject({ error: { kind: 'closed', message: 'the attempt was given up' } });
  });
});

describe('deviations that are accepted', () => {
  test('an id that became a text', async () => {
    const evidence = await callOn(({ id }, response) => answerJson(response, String(id), good));
    expect(evidence).toMatchObject({
      isError: false,
      result: 'good',
      anomalies: ['the id 2 came back as "2"'],
    });
  });

  test.each([
    ['2025-03-26', undefined],
    ['2025-06-18', ['messages came in a list, which 2025-06-18 does not allow']],
  ])('messages in a list, in %s', async (version, anomalies) => {
    const evidence = await callOn(
      ({ id }, response) => {
        response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
        const notification = { jsonrpc: '2.0', method: 'notifications/message', params: { data: 1 } };
        response.end(JSON.stringify([notification, { jsonrpc: '2.0', id, result: good }]));
      },
      { version },
    );
    expect(evidence).toMatchObject({ result: 'good', notifications: [{ method: 'notifications/message' }] });
    expect(evidence.anomalies).toEqual(anomalies ?? []);
  });

  test('a stream with HTTP 202', async () => {
    const evidence = await callOn(({ id }, response) => {
      response.writeHead(202, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: good })}\n\n`);
    });
    expect(evidence).toMatchObject({ result: 'good', anomalies: [expect.stringContaining('HTTP 202')] });
  });

  test('a stream with other line ends, comments, empty events and lines of data, which is never closed', async () => {
    const { act, peer } = await attemptOn(({ id }, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`:\r\n\r\nid: 1\r\ndata:\r\n\r\nevent: other\r\ndata: {}\r\n\r\n`);
      response.write(`data:{"jsonrpc":"2.0","id":${id},\r\ndata:"result":{"content":[]}}\r\n\r\n`);
    });
    expect(await act({ target: 'server', tool: 'a' })).toMatchObject({ isError: false, content: [] });
    await until('closed connections', 5_000, peer.connections, (count) => count === 0);
  });

  test('a task still running is the result, to be polled, and not a success yet', async () => {
    const result = { task: { taskId: 't1', status: 'working' } };
    const evidence = await callOn(({ id }, response) => answerJson(response, id, result));
    expect(evidence).toMatchObject({ result });
    expect(evidence).not.toHaveProperty('isError');
    expect(evidence).not.toHaveProperty('content');
  });

  test('a refusal in JSON-RPC with an id that the server made up', async () => {
    const evidence = await callOn((_, response) => refuseJson(response, 400, 'server-error', -32600));
    expect(evidence).toMatchObject({
      isError: true,
      status: 400,
      rpcError: { code: -32600 },
      during: 'tools/call',
    });
    expect(evidence).not.toHaveProperty('error');
  });

  test('another place within the same server', async () => {
    const { act, peer } = await attemptOn(
      (asked, response, request) => {
        if (request.url === '/mcp') return void response.writeHead(307, { location: '/mcp/' }).end();
        if (asked.method === 'tools/call') return answerJson(response, asked.id, good);
        const serverInfo = { name: 'moved', version: '0' };
        answerJson(response, asked.id, { protocolVersion: '2025-06-18', capabilities: {}, serverInfo });
      },
      { greets: false },
    );
    expect(await act({ target: 'server', tool: 'a' })).toMatchObject({
      result: 'good',
      server: { name: 'moved' },
    });
    expect(peer.heard.filter((line) => line === 'POST /mcp')).toHaveLength(1);
  });
});
