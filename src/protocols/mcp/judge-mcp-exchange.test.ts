import { describe, expect, test } from 'vitest';
import { judgeMcpExchange } from './judge-mcp-exchange.ts';
import { judgeMcpLine } from './judge-mcp-line.ts';
import type { McpExchange } from './mcp-exchange.ts';

const both = 'application/json, text/event-stream';
const session = { accept: both, 'mcp-session-id': 's', 'mcp-protocol-version': '2025-11-25' };
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'say', arguments: {} } };
const content = [{ type: 'text', text: 'Hi' }];
const result = { jsonrpc: '2.0', id: 1, result: { content } };

type Said = Partial<NonNullable<McpExchange['response']>>;

function exchange(json: unknown, said: Said | undefined, more: Partial<McpExchange> = {}): McpExchange {
  const request = { headers: session, json, bytes: 10 };
  if (said === undefined) return { httpMethod: 'POST', request, ...more };
  const isStream = said.events !== undefined;
  const headers = { 'content-type': isStream ? 'text/event-stream' : 'application/json' };
  return { httpMethod: 'POST', request, response: { status: 200, bytes: 10, headers, ...said }, ...more };
}

const rules = (one: McpExchange): readonly string[] =>
  judgeMcpExchange(one).map(({ by, rule }) => `${by} ${rule}`);
const answered = (message: object): McpExchange => exchange(call, { json: { ...result, ...message } });
const toolResult = (value: unknown): McpExchange => answered({ result: value });
const list = { ...call, method: 'tools/list', params: {} };
const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
const stateless = (headers: object, more: object = {}): McpExchange => {
  const params = { name: 'say', _meta: meta };
  return exchange(
    { ...call, params, ...more },
    { json: result },
    { request: { headers: { accept: both, ...headers }, json: { ...call, params, ...more }, bytes: 9 } },
  );
};
const mirrored = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'say' };

describe('what a server does wrong', () => {
  test.each<[string, McpExchange]>([
    ['json-rpc.answer-id', answered({ id: 2 })],
    ['json-rpc.answer-id', answered({ id: null })],
    ['json-rpc.answer-id-type', answered({ id: '1' })],
    ['json-rpc.answered-twice', exchange(call, { events: [{ data: result }, { data: result }] })],
    ['json-rpc.result-or-error', answered({ error: { code: 1, message: 'no' } })],
    ['json-rpc.result-or-error', exchange(call, { json: { jsonrpc: '2.0', id: 1 } })],
    ['json-rpc.error', exchange(call, { json: { jsonrpc: '2.0', id: 1, error: 'no' } })],
    ['json-rpc.version', exchange(call, { json: { id: 1, result: { content } } })],
    ['json-rpc.not-json', exchange(call, { text: '{"jsonrpc":' })],
    ['json-rpc.not-object', exchange(call, { events: [{ data: 'hello' }, { data: result }] })],
    ['mcp.stream-with-202', exchange(call, { status: 202, events: [{ data: result }] })],
    ['mcp.empty-answer', exchange(call, { bytes: 0 })],
    ['mcp.empty-answer', exchange(call, { status: 202, bytes: 0, headers: {} })],
    ['mcp.content-type', exchange(call, { text: '<html>', headers: { 'content-type': 'text/html' } })],
    ['mcp.no-answer', exchange(call, { json: { jsonrpc: '2.0', method: 'notifications/message' } })],
    ['mcp.batch', exchange(call, { json: [result] })],
    ['mcp.result-not-object', toolResult([])],
    ['mcp.result-not-object', toolResult(null)],
    ['mcp.tool-content', toolResult({})],
    ['mcp.tool-content', toolResult({ content: 'Hi' })],
    ['mcp.tool-content-block', toolResult({ content: ['Hi'] })],
    ['mcp.tool-content-block', toolResult({ content: [{ type: 'text' }] })],
    ['mcp.tool-is-error', toolResult({ content, isError: 'no' })],
    ['mcp.result-list', exchange(list, { json: { ...result, result: {} } })],
    [
      'mcp.tool-schema',
      exchange(list, { json: { ...result, result: { tools: [{ name: 'a', inputSchema: null }] } } }),
    ],
    ['mcp.unnamed-tool', exchange(list, { json: { ...result, result: { tools: [{ inputSchema: {} }] } } })],
    ['mcp.greeting', exchange({ ...call, method: 'initialize' }, { json: { ...result, result: {} } })],
    [
      'mcp.notification-answered',
      exchange({ jsonrpc: '2.0', method: 'notifications/initialized' }, { json: result }),
    ],
    ['mcp.get-not-stream', { ...exchange(undefined, { json: {} }), httpMethod: 'GET' }],
    [
      'mcp.request-to-client',
      {
        ...stateless(mirrored),
        response: {
          status: 200,
          headers: { 'content-type': 'text/event-stream' },
          bytes: 9,
          events: [{ data: { jsonrpc: '2.0', id: 7, method: 'sampling/createMessage' } }, { data: result }],
        },
      },
    ],
  ])('%s', (rule, one) => {
    expect(rules(one)).toEqual([`provider ${rule}`]);
  });
});

describe('what a consumer does wrong', () => {
  test.each<[string, McpExchange]>([
    ['json-rpc.id', exchange({ ...call, id: null }, undefined)],
    ['json-rpc.id', exchange({ ...call, id: 1.5 }, undefined)],
    ['json-rpc.version', exchange({ id: 1, method: 'tools/list' }, undefined)],
    [
      'json-rpc.not-json',
      exchange(undefined, undefined, { request: { headers: session, text: '{"a"', bytes: 4 } }),
    ],
    ['mcp.params', exchange({ ...call, params: ['say'] }, undefined)],
    ['mcp.tool-name', exchange({ ...call, params: {} }, undefined)],
    [
      'mcp.notification-id',
      exchange({ ...call, method: 'notifications/initialized', params: {} }, undefined),
    ],
    ['mcp.batch', exchange([call], undefined)],
    [
      'mcp.version-header',
      exchange(call, undefined, {
        agreedVersion: '2025-06-18',
        request: { headers: { accept: both }, json: call, bytes: 9 },
      }),
    ],
    ['mcp.version-header', stateless({ ...mirrored, 'mcp-protocol-version': '2025-11-25' })],
    ['mcp.mirror-header', stateless({ ...mirrored, 'mcp-method': 'tools/list' })],
    ['mcp.mirror-header', stateless({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' })],
  ])('%s', (rule, one) => {
    expect(rules(one)).toEqual([`consumer ${rule}`]);
  });
});

describe('what is not a breach, or might not be one', () => {
  const older = { headers: { accept: '*/*' }, json: call, bytes: 9 };

  test.each<[string, McpExchange]>([
    ['a plain answer', exchange(call, { json: result })],
    [
      'a stream that says something first',
      exchange(call, {
        events: [{ data: { jsonrpc: '2.0', method: 'notifications/progress' } }, { data: result }],
      }),
    ],
    [
      'a stream that asks something first',
      exchange(call, { events: [{ data: { jsonrpc: '2.0', id: 7, method: 'ping' } }, { data: result }] }),
    ],
    ['a first event without data', exchange(call, { events: [{ data: '' }, { data: result }] })],
    ['events of another name', exchange(call, { events: [{ event: 'ping', data: 'x' }, { data: result }] })],
    ['a stream that ends without an answer', exchange(call, { events: [{ data: '' }] })],
    ['an error', exchange(call, { json: { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'no' } } })],
    [
      'an error that could not read the id',
      exchange(call, { json: { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no' } } }),
    ],
    [
      'a refusal of any form',
      exchange(call, { status: 502, text: '<html>', headers: { 'content-type': 'text/html' } }),
    ],
    ['a session that is gone', exchange(call, { status: 404, bytes: 0 })],
    [
      'the older transport, acknowledged',
      exchange(call, { status: 202, text: 'Accepted', headers: {} }, { request: older }),
    ],
    [
      'the older transport, acknowledged with nothing',
      exchange(call, { bytes: 0, headers: {} }, { request: older }),
    ],
    [
      'a notification, accepted',
      exchange(
        { jsonrpc: '2.0', method: 'notifications/initialized' },
        { status: 202, bytes: 0, headers: {} },
      ),
    ],
    ['a question in return', toolResult({ resultType: 'input_required', inputRequests: {} })],
    ['a task', toolResult({ task: { taskId: '1' } })],
    ['an answer that was cut off', exchange(call, { text: '{"jsonrpc"' }, { incomplete: 'cut' })],
    ['a body that is too large', exchange(call, {}, { incomplete: 'too-large' })],
    [
      'a batch where it is allowed',
      exchange(
        [call],
        { json: [result] },
        {
          request: { headers: { ...session, 'mcp-protocol-version': '2025-03-26' }, json: [call], bytes: 9 },
        },
      ),
    ],
    [
      'a batch of an unknown version',
      exchange(
        [call],
        { json: [result] },
        { request: { headers: { accept: both }, json: [call], bytes: 9 } },
      ),
    ],
    ['GET refused', { ...exchange(undefined, { status: 405, text: 'no', headers: {} }), httpMethod: 'GET' }],
    [
      'GET refused otherwise',
      { ...exchange(undefined, { status: 404, text: 'no', headers: {} }), httpMethod: 'GET' },
    ],
    ['a stateless call', stateless(mirrored)],
    [
      'a stateless call of a name that no header can carry',
      stateless(
        { ...mirrored, 'mcp-name': '=?base64?Z3LDtsOfZQ==?=' },
        { params: { name: 'größe', _meta: meta } },
      ),
    ],
    [
      'another JSON-RPC',
      exchange(
        { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [] },
        { bytes: 0 },
        {
          request: { headers: {}, json: { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [] }, bytes: 9 },
        },
      ),
    ],
    ['another HTTP', { httpMethod: 'POST', request: { headers: {}, json: { a: 1 }, bytes: 9 } }],
    [
      'nesting beyond our own limits',
      exchange(call, { json: { ...result, result: JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`) } }),
    ],
  ])('%s', (_, one) => {
    expect(rules(one)).toEqual([]);
  });
});

describe('lines', () => {
  test.each<[string, string | Uint8Array]>([
    ['mcp.noise', 'Server running on stdio'],
    ['mcp.noise', '\u001b[32mready\u001b[0m'],
    ['mcp.content-length', 'Content-Length: 52'],
    ['mcp.byte-order-mark', `\ufeff${JSON.stringify(result)}`],
    ['mcp.embedded-newline', '{'],
    ['mcp.embedded-newline', '  "jsonrpc": "2.0",'],
    ['mcp.embedded-newline', JSON.stringify(result, undefined, 1)],
    ['mcp.not-utf8', Buffer.from('{"a":"ü"}', 'latin1')],
    ['json-rpc.version', '{"level":"info","msg":"ready"}'],
    ['json-rpc.id', '{"jsonrpc":"2.0","id":null,"method":"ping"}'],
  ])('%s: %j', (rule, line) => {
    expect(judgeMcpLine(line, 'to-client')).toEqual([{ by: 'provider', rule, what: expect.any(String) }]);
    expect(judgeMcpLine(line, 'to-server')[0]?.by).toBe('consumer');
  });

  test.each([JSON.stringify(result), '', '  \t', `${JSON.stringify(call)}\r`, JSON.stringify([call])])(
    '%j is in order',
    (line) => {
      expect(judgeMcpLine(line, 'to-client')).toEqual([]);
      expect(judgeMcpLine(Buffer.from(line), 'to-server')).toEqual([]);
    },
  );
});
