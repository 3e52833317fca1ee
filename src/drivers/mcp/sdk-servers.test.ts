import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../../../test/harness/until.ts';
import { type McpEvidence, openAttempt, type TestAttempt } from '../../../test/mcp/act-on.ts';
import type { HttpPeer } from '../../../test/mcp/http-peer.ts';
import { serveSse, serveStateful, serveStateless } from '../../../test/mcp/serve-toolbox.ts';
import { handshakeVersions } from '../../protocols/mcp/eras.ts';
import { mcpDriver } from './mcp-driver.ts';
import type { McpStep } from './mcp-step.ts';

const open: { close(): Promise<unknown> }[] = [];

afterEach(async () => {
  for (const thing of open.splice(0).reverse()) await thing.close();
});

async function attemptOn<Peer extends HttpPeer>(
  serving: Promise<Peer>,
): Promise<TestAttempt & { peer: Peer }> {
  const peer = await serving;
  const attempt = openAttempt(peer.address);
  open.push(peer, { close: attempt.end });
  return { ...attempt, peer };
}

function attemptAlone(): TestAttempt {
  const attempt = openAttempt(undefined);
  open.push({ close: attempt.end });
  return attempt;
}

const program = [
  process.execPath,
  fileURLToPath(new URL('../../../test/mcp/stdio-toolbox.ts', import.meta.url)),
];
const toolNames = [
  'say',
  'add',
  'repeat',
  'refuse',
  'wait',
  'report',
  'ask',
  'ask-aside',
  'consult',
  'confirm',
  'declared',
  'headers',
  'env',
  'change',
];

const variants: readonly {
  readonly name: string;
  readonly transport: string;
  readonly step: McpStep;
  readonly begin: () => Promise<TestAttempt>;
  /** What the SDK can do in this setting: send a notification before it answers, send a request, send an unsolicited message. */
  readonly can: readonly ('report' | 'ask' | 'speak')[];
}[] = [
  {
    name: 'streamable HTTP with sessions, answers as streams',
    transport: 'streamable-http',
    step: { target: 'server' },
    begin: () => attemptOn(serveStateful()),
    can: ['report', 'ask', 'speak'],
  },
  {
    name: 'streamable HTTP with sessions, answers as JSON',
    transport: 'streamable-http',
    step: { target: 'server' },
    begin: () => attemptOn(serveStateful({ enableJsonResponse: true })),
    can: ['speak'],
  },
  {
    name: 'streamable HTTP without sessions, answers as streams',
    transport: 'streamable-http',
    step: { target: 'server' },
    begin: () => attemptOn(serveStateless(false)),
    can: ['report'],
  },
  {
    name: 'streamable HTTP without sessions, answers as JSON',
    transport: 'streamable-http',
    step: { target: 'server' },
    begin: () => attemptOn(serveStateless(true)),
    can: [],
  },
  {
    name: 'HTTP+SSE, found by itself',
    transport: 'sse',
    step: { target: 'server' },
    begin: () => attemptOn(serveSse()),
    can: ['report', 'ask', 'speak'],
  },
  {
    name: 'HTTP+SSE, named',
    transport: 'sse',
    step: { target: 'server', transport: 'sse' },
    begin: () => attemptOn(serveSse()),
    can: ['report', 'ask', 'speak'],
  },
  {
    name: 'stdio',
    transport: 'stdio',
    step: { stdio: program },
    begin: async () => attemptAlone(),
    can: ['report', 'ask', 'speak'],
  },
];

describe.each(variants)('$name', ({ transport, step, begin }) => {
  test('lists, and reports the name of the server', async () => {
    const { act } = await begin();
    const tools = await act({ ...step, list: 'tools' });
    expect(tools).toMatchObject({
      isError: false,
      transport,
      server: { name: 'toolbox', version: '1.2.3' },
      names: toolNames,
      pages: 1,
    });
    expect(tools.tools).toHaveLength(toolNames.length);
    expect((await act({ ...step, list: 'resources' })).names).toEqual(['file:///readme']);
    expect((await act({ ...step, list: 'prompts' })).names).toEqual(['greet']);
  });

  test('calls tools, and gives what they answer as plain values', async () => {
    const { act } = await begin();
    expect(await act({ ...step, tool: 'add', args: { a: 2, b: 3 } })).toMatchObject({
      isError: false,
      result: { sum: 5 },
      content: [{ type: 'text', text: 'see the structure' }],
    });
    expect((await act({ ...step, tool: 'say', args: { text: '{"a":[1]}' } })).result).toEqual({ a: [1] });
    expect((await act({ ...step, tool: 'say', args: { text: 'grüezi\n„😀“' } })).result).toBe('grüezi\n„😀“');
    expect(await act({ ...step, tool: 'refuse' })).toMatchObject({ isError: true, result: 'not today' });
  });

  test('reports what a server refuses as a JSON-RPC error', async () => {
    const { act } = await begin();
    const evidence = await act({ ...step, request: 'no/such', params: { a: 1 } });
    expect(evidence).toMatchObject({
      isError: true,
      rpcError: { code: -32601, message: 'Method not found' },
      during: 'no/such',
      request: { method: 'no/such', params: { a: 1 } },
    });
    expect(evidence).not.toHaveProperty('error');
    const { result } = await act({ ...step, request: 'resources/read', params: { uri: 'file:///readme' } });
    expect(result).toEqual({ contents: [{ uri: 'file:///readme', text: 'hello' }] });
  });

  test('many at once share the conversation', async () => {
    const { act } = await begin();
    const texts = Array.from({ length: 20 }, (_, index) => `number ${index}`);
    const answers = await Promise.all(texts.map((text) => act({ ...step, tool: 'say', args: { text } })));
    expect(answers.map(({ result }) => result)).toEqual(texts);
  });

  test('asks in the version that the step requests', async () => {
    const { act } = await begin();
    for (const era of handshakeVersions) {
      const evidence = await act({ ...step, era, tool: 'say', args: { text: era } });
      expect(evidence).toMatchObject({ isError: false, protocolVersion: era, result: era });
    }
  });
});

describe.each(variants.filter(({ can }) => can.includes('report')))('$name', ({ step, begin }) => {
  test('receives what the server sends before it answers', async () => {
    const { act } = await begin();
    const params = { name: 'report', arguments: {}, _meta: { progressToken: 'p' } };
    const { notifications, result } = await act({ ...step, request: 'tools/call', params });
    expect(result).toBe('reported');
    expect(notifications).toEqual(
      [1, 2].map((progress) => ({
        method: 'notifications/progress',
        params: { progressToken: 'p', progress },
      })),
    );
  });
});

describe.each(variants.filter(({ can }) => can.includes('ask')))('$name', ({ step, begin }) => {
  test('answers what the server asks', async () => {
    const { act } = await begin();
    const asked = await act({ ...step, tool: 'ask' });
    expect(asked).toMatchObject({ result: { pong: {}, roots: -32601 } });
    expect(asked.requests?.map(({ method }) => method)).toEqual(['ping', 'roots/list']);
    expect(await act({ ...step, tool: 'ask-aside' })).toMatchObject({
      result: {},
      requests: [{ method: 'ping' }],
    });
  });

  test('answers it with what the step has prepared, and reports both', async () => {
    const { act } = await begin();
    const client = {
      roots: ['file:///a', { uri: 'file:///b', name: 'b' }],
      sampling: ['first', { content: { type: 'text', text: 'second' }, model: 'm' }],
      elicitation: { action: 'accept', content: { name: 'ada' } },
    };
    const roots = { roots: [{ uri: 'file:///a' }, { uri: 'file:///b', name: 'b' }] };
    expect(await act({ ...step, client, tool: 'declared' })).toMatchObject({
      result: { roots: {}, sampling: {}, elicitation: {} },
    });
    expect(await act({ ...step, client, tool: 'ask' })).toMatchObject({
      result: { roots },
      requests: [
        { method: 'ping', result: {} },
        { method: 'roots/list', result: roots },
      ],
      anomalies: [],
    });
    const consulted = await act({ ...step, client, tool: 'consult', args: { about: ['x', 'y', 'z'] } });
    const [first, second] = consulted.result as unknown[];
    expect([first, second]).toMatchObject([
      { role: 'assistant', model: 'scripted', content: { text: 'first' } },
      { role: 'assistant', model: 'm', content: { text: 'second' } },
    ]);
    expect(consulted).toMatchObject({
      result: [first, second, -32603],
      requests: [
        { method: 'sampling/createMessage', params: { maxTokens: 9 }, result: first },
        { result: second },
        { error: { code: -32603, message: 'no answer is left for sampling/createMessage 3' } },
      ],
    });
    const accepted = { action: 'accept', content: { name: 'ada' } };
    expect(await act({ ...step, client, tool: 'confirm' })).toMatchObject({
      result: accepted,
      requests: [{ method: 'elicitation/create', params: { message: 'Who are you?' }, result: accepted }],
    });
    const declining = { ...client, elicitation: 'decline' };
    expect((await act({ ...step, client: declining, tool: 'confirm' })).result).toEqual({
      action: 'decline',
    });
  });

  test('what was not declared is refused, and what is declared besides answers is sent', async () => {
    const { act } = await begin();
    expect(await act({ ...step, client: { roots: [] }, tool: 'confirm' })).toMatchObject({
      isError: true,
      requests: [{ method: 'elicitation/create', error: { code: -32601 } }],
    });
    const client = { elicitation: 'cancel', capabilities: { elicitation: { form: {}, url: {} } } };
    expect((await act({ ...step, client, tool: 'declared' })).result).toEqual(client.capabilities);
  });
});

test('headers go with each request of the conversation, over both transports of HTTP', async () => {
  for (const serving of [serveStateful(), serveSse()]) {
    const { act, peer } = await attemptOn(serving);
    const headers = { 'X-Tenant': 'blue', Authorization: 'Bearer abc' };
    expect((await act({ target: 'server', headers, tool: 'headers' })).result).toMatchObject({
      'x-tenant': 'blue',
      authorization: 'Bearer abc',
    });
    expect(peer.headers.map((sent) => sent['x-tenant'])).toEqual(peer.headers.map(() => 'blue'));
    const plain = await act({ target: 'server', tool: 'headers' });
    expect(plain.result).not.toHaveProperty('x-tenant');
  }
});

test('a program has the variables that the step gives it, and no headers', async () => {
  const { act } = attemptAlone();
  const { result } = await act({ stdio: program, env: { TOKEN: 'blue' }, tool: 'env' });
  expect(result).toMatchObject({ TOKEN: 'blue' });
  expect((await act({ stdio: program, tool: 'env' })).result).not.toHaveProperty('TOKEN');
  expect((await act({ stdio: program, headers: { a: 'b' } })).error).toMatchObject({ kind: 'not-started' });
});

describe.each(variants.filter(({ can }) => can.includes('speak')))('$name', ({ step, begin }) => {
  test('keeps receiving until the next step begins', async () => {
    const { start } = await begin();
    const first = start({ ...step, tool: 'change' });
    await first.done;
    await until(
      'the notification',
      5_000,
      () => first.evidence().notifications as { method: string }[],
      (heard) => heard.some(({ method }) => method === 'notifications/tools/list_changed'),
    );
    const before = first.evidence().notifications;
    const second = start({ ...step, tool: 'change' });
    await second.done;
    await until(
      'the second notification',
      5_000,
      () => second.evidence().notifications as object[],
      (heard) => heard.length === 1,
    );
    expect(first.evidence().notifications).toEqual(before);
  });
});

test('what the server sends on an answer is for the step that asked', async () => {
  const { act } = await attemptOn(serveStateful());
  await act({ target: 'server' });
  const report = (progressToken: string) =>
    act({ target: 'server', request: 'tools/call', params: { name: 'report', _meta: { progressToken } } });
  const [a, b] = await Promise.all([report('a'), report('b')]);
  const tokens = (evidence: McpEvidence | undefined) =>
    evidence?.notifications?.map(({ params }) => (params as { progressToken: string }).progressToken);
  expect([tokens(a), tokens(b)]).toEqual([
    ['a', 'a'],
    ['b', 'b'],
  ]);
});

describe('a conversation', () => {
  test('is kept for the attempt, restarted on demand, and ended with the attempt', async () => {
    const peer = await serveStateful();
    const attempt = openAttempt(peer.address);
    open.push(peer);
    const say = { target: 'server', tool: 'say', args: { text: 'x' } };
    await attempt.act(say);
    await attempt.act(say);
    expect(peer.sessions()).toBe(1);
    await attempt.act({ ...say, session: 'new' });
    await attempt.act(say);
    expect(peer.sessions()).toBe(2);
    await attempt.act({ ...say, era: '2025-03-26' });
    expect(peer.sessions()).toBe(3);
    expect(await attempt.end()).toEqual([]);
    expect(peer.sessions()).toBe(0);
    await until('closed connections', 5_000, peer.connections, (count) => count === 0);
  });

  test('ends for the server when the step gives up, of which it is notified', async () => {
    for (const serving of [serveStateful(), serveSse()]) {
      const { act, peer } = await attemptOn(serving);
      const evidence = await act({ target: 'server', tool: 'wait' }, { timeoutMs: 300 });
      expect(evidence.error).toEqual({
        kind: 'timeout',
        message: 'tools/call was not answered within 300 ms',
      });
      await until(
        'the word',
        5_000,
        () => peer.cancelled,
        (cancelled) => cancelled.length === 1,
      );
      expect(peer.cancelled).toEqual(['the client no longer waits for it']);
      expect(await act({ target: 'server', tool: 'say', args: { text: 'still here' } })).toMatchObject({
        result: 'still here',
      });
    }
  });

  test('that the server has dropped is reported, and the next step initializes again', async () => {
    const { act, peer } = await attemptOn(serveStateful());
    const say = { target: 'server', tool: 'say', args: { text: 'x' } };
    await act(say);
    peer.forget();
    expect(await act(say)).toMatchObject({
      isError: true,
      status: 404,
      error: { kind: 'closed', message: expect.stringContaining('the server forgot the session') },
    });
    expect(await act(say)).toMatchObject({ isError: false, result: 'x' });
  });

  test('over HTTP+SSE that broke off is restarted', async () => {
    const { act, peer } = await attemptOn(serveSse());
    const say = { target: 'server', tool: 'say', args: { text: 'x' } };
    const first = await act(say);
    expect(first.transport).toBe('sse');
    peer.forget();
    expect((await act(say)).error).toMatchObject({ kind: 'closed' });
    expect(await act(say)).toMatchObject({ result: 'x' });
  });

  test('is used by name as long as its attempt lives, without anything in common', async () => {
    const { context, peer } = await attemptOn(serveStateful());
    const { resources: _, ...alone } = context;
    const first = mcpDriver.start({ target: 'server' }, alone);
    await first.done;
    expect(first.evidence()).toMatchObject({ isError: false, result: { serverInfo: { name: 'toolbox' } } });
    const second = first.connection?.start({ tool: 'say', args: { text: 'same' } }, context);
    await second?.done;
    expect(second?.evidence()).toMatchObject({ result: 'same' });
    expect(peer.sessions()).toBe(1);
    await first.connection?.close();
    expect(peer.sessions()).toBe(0);
  });
});
