/** Draws requests to a tool server and what an honest one says to them. */
import type { Random } from '../../src/kernel/random.ts';
import { withRequestMeta } from '../../src/protocols/mcp/stateless-request.ts';
import type { RpcShapeInput } from '../../src/protocols/shapes/shape.ts';
import { drawText } from '../../test/harness/generate-turn.ts';

export const tools = [
  {
    name: 'add',
    inputSchema: {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'integer' } },
      required: ['a', 'b'],
      additionalProperties: false,
    },
    outputSchema: { type: 'object', properties: { sum: { type: 'integer' } }, required: ['sum'] },
  },
  { name: 'say', inputSchema: { type: 'object', properties: { text: { type: 'string', maxLength: 9 } } } },
  { name: 'now', inputSchema: { type: 'object' } },
] as const;

export function drawRpcInput(random: Random): RpcShapeInput {
  const transport = random.pick(['mcp-http', 'mcp-http', 'mcp-stdio'] as const);
  const accept = random.pick(accepts);
  const session = random.next() < 0.7 ? { sessionId: random.hex(32) } : {};
  const isListener = transport === 'mcp-http' && random.next() < 0.1;
  if (isListener) {
    const request = { method: '' };
    return {
      transport,
      request,
      result: {},
      accept: 'text/event-stream',
      http: 'GET',
      sessionId: 's',
      random,
    };
  }
  const { method, params, result } = drawExchange(random);
  const isNotification = method.startsWith('notifications/');
  const isStateless = random.next() < 0.25 && method !== 'initialize' && method !== 'ping' && !isNotification;
  const request = {
    ...(isNotification ? {} : { id: random.pick(ids) }),
    method,
    params: isStateless ? withRequestMeta(params, '2026-07-28') : params,
  };
  return { transport, request, result, accept, ...session, random };
}

const accepts = [
  'application/json, text/event-stream',
  'application/json, text/event-stream',
  'application/json',
  'text/event-stream',
  '*/*',
];
const ids = [0, 1, -1, 9007199254740991, '', '0', 'a-b-c', '数'];

interface Drawn {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly result: unknown;
}

function drawExchange(random: Random): Drawn {
  const text = drawText(random, 6);
  const [a, b] = [random.integer(0, 99), random.integer(0, 99)];
  return random.pick<Drawn>([
    {
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
      result: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 's', version: '1' },
      },
    },
    { method: 'tools/list', params: {}, result: { tools } },
    {
      method: 'tools/call',
      params: { name: 'add', arguments: { a, b }, _meta: { progressToken: random.pick([7, 'p']) } },
      result: { content: [{ type: 'text', text: String(a + b) }], structuredContent: { sum: a + b } },
    },
    {
      method: 'tools/call',
      params: { name: 'say', arguments: { text: 'hi' } },
      result: { content: [{ type: 'text', text }], isError: random.next() < 0.2 },
    },
    {
      method: 'resources/list',
      params: {},
      result: { resources: [1, 2, 3].map((n) => ({ uri: `file:///${n}`, name: text })) },
    },
    { method: 'ping', params: {}, result: {} },
    { method: 'notifications/initialized', params: {}, result: null },
  ]);
}
