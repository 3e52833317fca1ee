/** Shapes M24 to M44: what messages of the tool protocol hold, in which era, and how lines of a program go wrong. */
import { isMap, type JsonMap } from '../json-rpc/is-map.ts';
import { errorMessage } from '../json-rpc/print-message.ts';
import { headerMismatch } from '../mcp/eras.ts';
import {
  asJson,
  bare,
  isStatelessRequest,
  plainly,
  sessionHeaders,
  toMethod,
  toRequest,
} from './make-mcp.ts';
import { inCircles, inPages, isList, withBadSchema, withReferences } from './mcp-lists.ts';
import { behindNoise, brokenLine, framedByLength, inOddPieces } from './mcp-streams.ts';
import type { Shape } from './shape.ts';
import { answerOfPieces } from './wire-answer.ts';

const http = ['mcp-http'] as const;
const stdio = ['mcp-stdio'] as const;
const both = [...http, ...stdio] as const;

const isCall = (method: string): boolean => method === 'tools/call';

export const mcpContentShapes: readonly Shape[] = [
  {
    id: 'M24',
    tier: '2',
    title: 'paginated lists',
    right: 'all pages',
    seen: ['vercel/ai#19240', 'github/copilot-cli#4006', 'kirodotdev/Kiro#9935', 'Factory-AI/factory#7'],
    over: both,
    makeRpc: toMethod(isList, inPages),
  },
  {
    id: 'M25',
    tier: '1',
    title: 'non-advancing / cyclic cursor',
    right: 'bounded',
    seen: ['DeusData/codebase-memory-mcp#1247'],
    over: both,
    makeRpc: toMethod(isList, inCircles),
  },
  {
    id: 'M26',
    tier: '2',
    title: 'isError with text only, though outputSchema declared',
    right: 'real error shown',
    seen: [
      'modelcontextprotocol/typescript-sdk#654',
      'yamadashy/repomix#833',
      'HexSleeves/tailscale-mcp#101',
      'openai/openai-agents-python#4224',
    ],
    over: both,
    makeRpc: toMethod(isCall, (input) => {
      const { structuredContent: _, ...rest } = isMap(input.result) ? input.result : {};
      return plainly(input, {
        ...rest,
        content: [{ type: 'text', text: 'the disk is full' }],
        isError: true,
      });
    }),
  },
  {
    id: 'M27',
    tier: '1',
    title: 'outputSchema declared, structuredContent missing / mismatched',
    right: 'typed',
    seen: ['cristianuibar/bricks-mcp#45', 'cyanheads/obsidian-mcp-server#108'],
    over: both,
    makeRpc: toMethod(isCall, (input) => {
      if (!isMap(input.result) || !isMap(input.result.structuredContent)) return undefined;
      const { structuredContent: _, ...rest } = input.result;
      const wrong = { ...rest, structuredContent: 'not what the schema says' };
      return plainly(input, input.random.pick<JsonMap>([rest, wrong]));
    }),
  },
  {
    id: 'M28',
    tier: '1',
    title: '`result: []` for `{}`',
    right: 'contained',
    seen: ['cristianuibar/bricks-mcp#45'],
    over: both,
    makeRpc: toRequest((input) => plainly(input, [])),
  },
  {
    id: 'M29',
    tier: '2',
    title: 'inputSchema: no properties, $defs/$ref, $ref into properties, root anyOf, integer types',
    right: 'tool usable',
    seen: [
      'github/copilot-cli#1876',
      'n8n-io/n8n#36780',
      'promptfoo/promptfoo#5960',
      'GoogleCloudPlatform/kubectl-ai#374',
      'lmstudio-ai/lmstudio-bug-tracker#738',
    ],
    over: both,
    makeRpc: toMethod(isList, withReferences),
  },
  {
    id: 'M30',
    tier: '1',
    title: 'one bad tool schema among many',
    right: 'only that tool lost',
    seen: ['anthropics/claude-code#88049'],
    over: both,
    makeRpc: toMethod(isList, withBadSchema),
  },
  {
    id: 'M31',
    tier: '2',
    title: 'version negotiation: server answers older/newer',
    right: 'negotiate, not 400',
    seen: ['Graylog2/graylog2-server#24701', 'xpzouying/xiaohongshu-mcp#697', 'newo-ether/Agora#78'],
    over: both,
    makeRpc: toMethod(
      (method) => method === 'initialize',
      (input) =>
        isMap(input.result) ? plainly(input, { ...input.result, protocolVersion: '2025-03-26' }) : undefined,
    ),
  },
  {
    id: 'M32',
    tier: '2',
    title: 'post-init header must be the _negotiated_ version',
    right: 'yes',
    seen: ['NousResearch/hermes-agent#114350', 'modelcontextprotocol/csharp-sdk#495'],
    over: http,
    why: 'is sent by the client: M31 makes it negotiate, and what it sends then is judged',
  },
  {
    id: 'M33',
    tier: '2',
    title: '2026-07-28: no initialize, `_meta` per request, server/discover, resultType',
    right: 'dual-era',
    seen: ['openobserve/openobserve#13526', 'langgenius/dify#42412'],
    over: both,
    makeRpc: toRequest((input) => {
      if (!isStatelessRequest(input) || !isMap(input.result)) return undefined;
      const cached = isList(input.request.method) ? { ttlMs: 60_000, cacheScope: 'private' } : {};
      return plainly(input, { resultType: 'complete', ...cached, ...input.result });
    }),
  },
  {
    id: 'M34',
    tier: '1',
    title: 'header/body mismatch → 400/-32020; version → 400/-32022; unknown → 404/-32601',
    right: 'not read as legacy',
    seen: ['beep-effect/beep-effect#1169', 'brandhaug/b2b-saas-starter#148'],
    over: http,
    makeRpc: toRequest((input) => {
      if (!isStatelessRequest(input) || input.transport !== 'mcp-http') return undefined;
      const [status, error] = input.random.pick([
        [400, { code: headerMismatch, message: 'Header mismatch' }],
        [400, { code: -32022, message: 'Unsupported protocol version', data: { supported: ['2026-07-28'] } }],
        [404, { code: -32601, message: 'Method not found' }],
      ] as const);
      return asJson(input, errorMessage(input.request.id, error), status);
    }),
  },
  {
    id: 'M35',
    tier: '2',
    title: 'modern client → gateway → legacy stateful backend',
    right: 'synthetic init',
    seen: ['agentgateway/agentgateway#2982'],
    over: http,
    why: 'is a behaviour of a gateway between two eras, not a form of one answer',
  },
  {
    id: 'M36',
    tier: '1',
    title: 'stdio: log line / banner / ANSI on stdout',
    right: 'skip + report',
    seen: [
      'microsoft/azure-devops-mcp#147',
      'editor-code-assistant/eca#298',
      'ZubeidHendricks/youtube-mcp-server#26',
    ],
    over: stdio,
    makeRpc: toRequest((input) => (input.transport === 'mcp-stdio' ? behindNoise(input) : undefined)),
  },
  {
    id: 'M37',
    tier: '1',
    title: 'stdio: Content-Length (LSP) framing',
    right: 'detected, named',
    seen: ['use-agent-os/agent-os#894', 'paiml/rust-mcp-sdk#158', 'danielvm-git/bigpowers#131'],
    over: stdio,
    makeRpc: toRequest((input) => (input.transport === 'mcp-stdio' ? framedByLength(input) : undefined)),
  },
  {
    id: 'M38',
    tier: '2',
    title: 'stdio: message split over writes, several per write, CRLF ends',
    right: 'ok',
    seen: ['use-agent-os/agent-os#1157', 'chrisdoc/hevy-mcp#796'],
    over: stdio,
    makeRpc: toRequest((input) => (input.transport === 'mcp-stdio' ? inOddPieces(input) : undefined)),
  },
  {
    id: 'M39',
    tier: '1',
    title: 'stdio: EOF mid-line, non-UTF-8, 100 MB line',
    right: 'bounded, typed',
    seen: ['use-agent-os/agent-os#898', 'btsouth/toolport#311'],
    over: stdio,
    makeRpc: toRequest((input) => (input.transport === 'mcp-stdio' ? brokenLine(input) : undefined)),
  },
  {
    id: 'M40',
    tier: '1',
    title: 'stdio: > 64 KiB on stderr',
    right: 'drained, no deadlock',
    seen: ['mark3labs/mcp-go#956', 'simonx1/ruby-mcp-client#142', 'kubestellar/console#7960'],
    over: stdio,
    why: 'is written to standard error, which no answer is on',
  },
  {
    id: 'M41',
    tier: '1',
    title: 'stdio: client dies / stdin EOF / EPIPE',
    right: 'server exits, no 100 % CPU orphan',
    seen: ['web-infra-dev/midscene#2157', 'hangwin/mcp-chrome#300'],
    over: stdio,
    why: 'is done by the client: the server is under test',
  },
  {
    id: 'M42',
    tier: '1',
    title: 'HTTP tool call never answers',
    right: 'client timeout',
    seen: ['anthropics/claude-code#69593'],
    over: http,
    makeRpc: toMethod(isCall, (input) =>
      input.transport === 'mcp-http'
        ? answerOfPieces([], { headers: sessionHeaders(input), end: 'hang' })
        : undefined,
    ),
  },
  {
    id: 'M43',
    tier: '2',
    title: 'JSON-RPC batch (2025-03-26 only), notification-only batch',
    right: 'per version',
    seen: ['ooples/token-optimizer-mcp#400'],
    over: http,
    why: 'is in the request: only a list may be answered with a list',
  },
  {
    id: 'M44',
    tier: '1',
    title: 'SSE frames CRLF in MCP tooling, empty body 200 to a request',
    right: 'typed',
    seen: ['modelcontextprotocol/inspector#2006', 'ggg123124/vrchat-assistant#37'],
    over: http,
    makeRpc: toRequest((input) =>
      input.transport === 'mcp-http'
        ? bare(200, { 'content-type': 'application/json', ...sessionHeaders(input) })
        : undefined,
    ),
  },
];
