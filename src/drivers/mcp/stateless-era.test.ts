import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../../../test/harness/until.ts';
import { openAttempt, type TestAttempt } from '../../../test/mcp/act-on.ts';
import { serveStateful } from '../../../test/mcp/serve-toolbox.ts';
import { openStatelessServer, type StatelessServer } from '../../../test/mcp/stateless-server.ts';
import type { McpStep } from './mcp-step.ts';

const open: { close(): Promise<unknown> }[] = [];

afterEach(async () => {
  for (const thing of open.splice(0).reverse()) await thing.close();
});

async function begin(): Promise<TestAttempt & { peer: StatelessServer }> {
  const peer = await openStatelessServer();
  const attempt = openAttempt(peer.address);
  open.push(peer, { close: attempt.end });
  return { ...attempt, peer };
}

const era = '2026-07-28';
const program = [
  process.execPath,
  fileURLToPath(new URL('../../../test/mcp/stdio-stateless.ts', import.meta.url)),
];
const names = ['say', 'stream', 'wait', 'need', 'größe'];

const servers: readonly [string, McpStep][] = [
  ['HTTP, chosen', { target: 'server', era }],
  ['HTTP, found by itself', { target: 'server' }],
  ['stdio, chosen', { stdio: program, era }],
  ['stdio, found by itself', { stdio: program }],
];

describe.each(servers)('without a handshake, over %s', (_, step) => {
  test('lists and calls, and reports the name of the server', async () => {
    const { act } = await begin();
    const facts = { isError: false, protocolVersion: era, server: { name: 'stateless', version: '2' } };
    expect(await act({ ...step, list: 'tools' })).toMatchObject({ ...facts, names });
    expect(await act({ ...step, tool: 'say', args: { a: 1 } })).toMatchObject({
      ...facts,
      result: { a: 1 },
      resultType: 'complete',
    });
  });

  test('shows a question in return, which a later step can answer', async () => {
    const { act } = await begin();
    const asked = await act({ ...step, tool: 'need' });
    expect(asked).not.toHaveProperty('isError');
    expect(asked).toMatchObject({
      resultType: 'input_required',
      result: { requestState: 'opaque', inputRequests: { who: { method: 'elicitation/create' } } },
    });
    const inputResponses = { who: { action: 'accept', content: { name: 'ada' } } };
    const params = { name: 'need', inputResponses, requestState: 'opaque' };
    expect(await act({ ...step, request: 'tools/call', params })).toMatchObject({ result: inputResponses });
  });

  test('reports what is unknown as a JSON-RPC error', async () => {
    const { act } = await begin();
    expect(await act({ ...step, request: 'no/such' })).toMatchObject({
      isError: true,
      rpcError: { code: -32601 },
    });
  });
});

test('a tool that asks back gets what the step has prepared, and says so', async () => {
  const { act, peer } = await begin();
  const accepted = { action: 'accept', content: { name: 'ada' } };
  const client = { elicitation: accepted };
  const evidence = await act({ target: 'server', era, client, tool: 'need' });
  expect(evidence).toMatchObject({
    isError: false,
    resultType: 'complete',
    result: {},
    requests: [{ method: 'elicitation/create', params: { message: 'Who are you?' }, result: accepted }],
  });
  const [, , again] = peer.asked;
  expect(again?.params).toMatchObject({
    inputResponses: { who: accepted },
    requestState: 'opaque',
    _meta: { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } },
  });
  const unprepared = await act({ target: 'server', era, client: { roots: [] }, tool: 'need' });
  expect(unprepared).toMatchObject({
    resultType: 'input_required',
    requests: [{ method: 'elicitation/create', error: { code: -32601 } }],
  });
});

describe('over HTTP', () => {
  test('every request says the same in its body and in its headers, and there is no session', async () => {
    const { act, peer } = await begin();
    expect(await act({ target: 'server', era, tool: 'größe' })).toMatchObject({ isError: false });
    expect(await act({ target: 'server', era, tool: 'stream' })).toMatchObject({
      isError: false,
      notifications: [{ method: 'notifications/progress' }],
    });
    expect(peer.asked.map(({ method }) => method)).toEqual(['server/discover', 'tools/call', 'tools/call']);
    expect(peer.headers[1]).toMatchObject({
      'mcp-method': 'tools/call',
      'mcp-name': '=?base64?Z3LDtsOfZQ==?=',
    });
    expect(peer.headers[1]).not.toHaveProperty('mcp-session-id');
  });

  test('arguments that a tool expects in headers are sent there, once the server misses them', async () => {
    const { act, peer } = await begin();
    const evidence = await act({ target: 'server', era, tool: 'say', args: { region: 'Zürich' } });
    expect(evidence).toMatchObject({ isError: false, result: { region: 'Zürich' } });
    expect(peer.asked.map(({ method }) => method)).toEqual([
      'server/discover',
      'tools/call',
      'tools/list',
      'tools/call',
    ]);
    expect(peer.headers.at(-1)?.['mcp-param-region']).toBe('=?base64?WsO8cmljaA==?=');
  });

  test('a call that takes too long is closed without a cancellation', async () => {
    const { act, peer } = await begin();
    const evidence = await act({ target: 'server', era, tool: 'wait' }, { timeoutMs: 250 });
    expect(evidence.error?.kind).toBe('timeout');
    await until('closed connections', 5_000, peer.connections, (count) => count === 0);
    expect(peer.asked.map(({ method }) => method)).toEqual(['server/discover', 'tools/call']);
  });

  test('a version that the server does not know is reported with those that it knows', async () => {
    const { act, peer } = await begin();
    expect(await act({ target: 'server', era: '2027-01-01', tool: 'say' })).toMatchObject({
      isError: true,
      status: 400,
      rpcError: { code: -32022, data: { supported: [era] } },
      during: 'server/discover',
    });
    expect(peer.heard).not.toContain('GET /sse');
  });

  test('an older server says that it does not know this', async () => {
    const peer = await serveStateful();
    const attempt = openAttempt(peer.address);
    open.push(peer, { close: attempt.end });
    expect(await attempt.act({ target: 'server', era, list: 'tools' })).toMatchObject({
      isError: true,
      status: 400,
      rpcError: { code: -32000 },
      during: 'server/discover',
    });
  });
});
