/** Shapes M01 to M23: how messages of the tool protocol travel, which belongs to which, and what comes between. */
import { errorMessage, notification, resultMessage } from '../json-rpc/print-message.ts';
import {
  after,
  asEvents,
  asJson,
  asLines,
  bare,
  isStatelessRequest,
  plainly,
  progressOf,
  takesEvents,
  takesJson,
  toListener,
  toMethod,
  toRequest,
} from './make-mcp.ts';
import { primed } from './mcp-streams.ts';
import { ownPing } from './own-ping.ts';
import type { Shape } from './shape.ts';
import { answerOfBody, answerOfPieces, answerOfTexts } from './wire-answer.ts';

const http = ['mcp-http'] as const;
const stdio = ['mcp-stdio'] as const;
const both = [...http, ...stdio] as const;

export const mcpTransportShapes: readonly Shape[] = [
  {
    id: 'M01',
    tier: '2',
    title: 'notification POST → 202 empty body',
    right: 'no JSON parse',
    seen: ['nearai/ironclaw#1437', 'metorial/metorial-platform#509'],
    over: http,
    makeRpc: ({ request, transport, http }) =>
      request.id === undefined && transport === 'mcp-http' && (http ?? 'POST') === 'POST'
        ? bare(202)
        : undefined,
  },
  {
    id: 'M02',
    tier: '1',
    title: 'SSE sent with status 202',
    right: 'flagged',
    seen: ['mark3labs/mcp-go#379', 'mark3labs/mcp-go#473'],
    over: http,
    makeRpc: toRequest((input) =>
      input.transport === 'mcp-http'
        ? asEvents(input, [resultMessage(input.request.id, input.result)], { status: 202 })
        : undefined,
    ),
  },
  {
    id: 'M03',
    tier: '2',
    title: 'GET → 405',
    right: 'POST-only, no retry loop',
    seen: ['modelcontextprotocol/python-sdk#3420', 'zendev-sh/goai#76'],
    over: http,
    makeRpc: toListener(() => bare(405, { allow: 'POST' })),
  },
  {
    id: 'M04',
    tier: '2c',
    title: 'GET → 404 / 406 / 400',
    right: 'as 405',
    seen: ['modelcontextprotocol/typescript-sdk#1635', 'QwenLM/qwen-code#8784', 'punkpeye/mcp-proxy#62'],
    policy: 'accept',
    over: http,
    makeRpc: toListener((input) =>
      asJson(input, { error: 'no stream to listen to' }, input.random.pick([404, 406, 400])),
    ),
  },
  {
    id: 'M05',
    tier: '1',
    title: 'GET → 200 JSON',
    right: 'stop, no reconnect storm',
    seen: ['f/prompts.chat#1117', 'Jefferson49/webtrees-API#27'],
    over: http,
    makeRpc: toListener((input) => asJson(input, { name: 'server', status: 'ok' })),
  },
  {
    id: 'M06',
    tier: '2',
    title: 'Accept json-only / sse-only / `*/*`',
    right: 'answered in that form',
    seen: [
      'modelcontextprotocol/typescript-sdk#1944',
      'modelcontextprotocol/python-sdk#2349',
      'ComposioHQ/composio#2152',
      'metatool-ai/metamcp#331',
    ],
    over: http,
    makeRpc: toRequest((input) =>
      input.transport === 'mcp-http' ? plainly(input, input.result) : undefined,
    ),
  },
  {
    id: 'M07',
    tier: '2',
    title: 'POST answered by JSON or by SSE',
    right: 'both',
    seen: ['open-metadata/OpenMetadata#28558', 'axiomhq/mcp#77'],
    over: http,
    makeRpc: toRequest((input) => {
      if (input.transport !== 'mcp-http' || !takesEvents(input.accept)) return undefined;
      const message = resultMessage(input.request.id, input.result);
      const isJson = takesJson(input.accept) && input.random.next() < 0.5;
      return isJson ? asJson(input, message) : asEvents(input, [message]);
    }),
  },
  {
    id: 'M08',
    tier: '2',
    title: 'notifications / requests before the response on the POST stream',
    right: 'matched by id',
    seen: ['use-agent-os/agent-os#1157', 'zuplo/mcp#62'],
    over: both,
    makeRpc: toRequest((input) => {
      const log = notification('notifications/message', { level: 'info', data: 'working on it' });
      const asks = !isStatelessRequest(input) && input.random.next() < 0.5;
      return after(input, [log, ...(asks ? [ownPing(input.random)] : []), log]);
    }),
  },
  {
    id: 'M09',
    tier: '2c',
    policy: 'reject',
    title: '404 for known session → re-initialize',
    right: 'a new session; the official clients give up',
    seen: ['danny-avila/LibreChat#11869'],
    over: http,
    makeRpc: toRequest(({ sessionId, request, transport }) => {
      if (transport !== 'mcp-http' || sessionId === undefined || request.method === 'initialize')
        return undefined;
      const error = { code: -32001, message: 'Session not found' };
      return answerOfBody({ jsonrpc: '2.0', id: null, error }, { status: 404 });
    }),
  },
  {
    id: 'M10',
    tier: '1',
    title: 'expired session as 200 + SSE error',
    right: 'not silent death',
    seen: ['actionhero/keryx#503'],
    over: http,
    makeRpc: toRequest(({ transport }) => {
      const error = { code: -32001, message: 'Session not found' };
      const data = JSON.stringify({ jsonrpc: '2.0', id: null, error });
      return transport === 'mcp-http' ? answerOfTexts([`event: error\ndata: ${data}\n\n`]) : undefined;
    }),
  },
  {
    id: 'M11',
    tier: '2',
    title: 'Mcp-Session-Id header case / CORS exposed',
    right: 'captured',
    seen: ['nearai/ironclaw#1437', 'ai-ecoverse/slicc#1824'],
    over: http,
    // The one header whose name is not in lower case: that is what the shape is about.
    makeRpc: toMethod(
      (method) => method === 'initialize',
      (input) => {
        if (input.sessionId === undefined || input.transport !== 'mcp-http') return undefined;
        const { 'mcp-session-id': id = '', ...headers } = plainly(input, input.result).headers;
        const name = input.random.pick(['MCP-SESSION-ID', 'Mcp-Session-Id', 'mcp-Session-ID']);
        const exposed = { 'access-control-expose-headers': 'Mcp-Session-Id' };
        return { ...plainly(input, input.result), headers: { ...headers, ...exposed, [name]: id } };
      },
    ),
  },
  {
    id: 'M12',
    tier: '2',
    title: 'priming event: `id` + empty data (+retry)',
    right: 'cursor only',
    seen: [
      'modelcontextprotocol/typescript-sdk#1184',
      'modelcontextprotocol/go-sdk#768',
      'koala73/worldmonitor#4781',
    ],
    over: http,
    makeRpc: toRequest((input) =>
      input.transport === 'mcp-http' && !isStatelessRequest(input) ? primed(input) : undefined,
    ),
  },
  {
    id: 'M13',
    tier: '2',
    title: '`retry:` honoured; Last-Event-ID only on GET',
    right: 'yes',
    seen: ['simonx1/ruby-mcp-client#168'],
    over: http,
    why: 'the answer is on a second connection, which the client opens by itself',
  },
  {
    id: 'M14',
    tier: '1',
    title: 'Last-Event-ID unknown/expired/foreign session',
    right: 'defined; no cross-session replay',
    seen: ['modelcontextprotocol/modelcontextprotocol#1939', 'agentfront/frontmcp#529'],
    over: http,
    why: 'is sent by the client: the server is under test',
  },
  {
    id: 'M15',
    tier: '2',
    title: 'ids: 0, "", string, large',
    right: 'echoed exactly',
    seen: [
      'modelcontextprotocol/python-sdk#961',
      'DeusData/codebase-memory-mcp#253',
      'radareorg/radare2-mcp#68',
      'soggie/jsonrpc-serializer#9',
    ],
    over: both,
    why: 'is in the request: the server is under test, and whether it echoes the id is judged on every answer',
  },
  {
    id: 'M16',
    tier: '2c',
    title: 'gateway turns 0 into "0"',
    right: 'tolerate',
    seen: ['modelcontextprotocol/rust-sdk#1017', 'modelcontextprotocol/python-sdk#1720'],
    policy: 'accept',
    over: both,
    makeRpc: toRequest((input) => {
      const { id } = input.request;
      return typeof id === 'number'
        ? plainly({ ...input, request: { ...input.request, id: String(id) } }, input.result)
        : undefined;
    }),
  },
  {
    id: 'M17',
    tier: '2',
    title: 'late response after `notifications/cancelled`',
    right: 'ignored, transport kept',
    seen: [
      'anthropics/claude-code#51073',
      'modelcontextprotocol/python-sdk#2481',
      'modelcontextprotocol/rust-sdk#957',
    ],
    over: both,
    why: 'begins with a client that gives up; `delay` of the response does it',
  },
  {
    id: 'M18',
    tier: '2',
    title: 'cancelled for unknown / reused id',
    right: 'ignored',
    seen: ['Effect-TS/effect#7131', 'MarkusPfundstein/mcp-gsuite#21'],
    over: both,
    makeRpc: toRequest((input) => {
      const requestId = `unknown-${input.random.hex(8)}`;
      return after(input, [notification('notifications/cancelled', { requestId, reason: 'never asked' })]);
    }),
  },
  {
    id: 'M19',
    tier: '1',
    title: 'cancel through a proxy that rewrites ids',
    right: 'reaches the owner; no double effect on retry',
    seen: ['lynnswap/XcodeMCPKit#210', 'ohdearquant/khive#2091'],
    over: both,
    why: 'is a behaviour of a proxy over several exchanges, not a form of one answer',
  },
  {
    id: 'M20',
    tier: '2',
    title: 'progress every n s on a slow call',
    right: 'timeout reset, capped',
    seen: ['anomalyco/opencode#24965', 'modelcontextprotocol/inspector#223', 'can1357/oh-my-pi#12259'],
    over: both,
    makeRpc: toRequest((input) => {
      const progress = progressOf(input, 3);
      return progress.length === 0 ? undefined : after(input, progress, 200);
    }),
  },
  {
    id: 'M21',
    tier: '2',
    title: 'server→client request (sampling/roots/elicitation/ping) during tools/call',
    right: 'answered, no deadlock',
    seen: [
      'modelcontextprotocol/modelcontextprotocol#907',
      'github/app#4009',
      'ChromeDevTools/chrome-devtools-mcp#2476',
      'openai/codex#39149',
    ],
    over: both,
    makeRpc: toMethod(
      (method) => method === 'tools/call',
      (input) => (isStatelessRequest(input) ? undefined : after(input, [ownPing(input.random)])),
    ),
  },
  {
    id: 'M22',
    tier: '2',
    title: '`tools/list_changed` during tools/call',
    right: 'no deadlock',
    seen: ['microsoft/agent-framework#4898'],
    over: both,
    makeRpc: toMethod(
      (method) => method === 'tools/call',
      (input) =>
        isStatelessRequest(input)
          ? undefined
          : after(input, [notification('notifications/tools/list_changed')]),
    ),
  },
  {
    id: 'M23',
    tier: '2c',
    title: 'ping unanswered / other error code',
    right: 'alive, no respawn',
    seen: ['microsoft/agent-framework#7656', 'NousResearch/hermes-agent#101025'],
    policy: 'accept',
    over: both,
    makeRpc: toMethod(
      (method) => method === 'ping',
      (input) => {
        const refused = errorMessage(input.request.id, { code: -32601, message: 'Method not found' });
        if (input.random.next() < 0.5) return answerOfPieces([], { end: 'hang' });
        return input.transport === 'mcp-stdio' ? asLines([refused]) : asJson(input, refused);
      },
    ),
  },
];
