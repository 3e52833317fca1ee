/** Shapes M01 to M23: how messages of the tool protocol travel, which belongs to which, and what comes between. */
import { errorMessage, notification, resultMessage } from '../json-rpc/print-message.ts';
import {
  after,
  asEvents,
  asJson,
  asLines,
  bare,
  isStatelessRequest,
  ownPing,
  plainly,
  progressOf,
  takesEvents,
  takesJson,
  toListener,
  toMethod,
  toRequest,
} from './make-mcp.ts';
import { primed } from './mcp-streams.ts';
import type { MakeRpcAnswer } from './shape.ts';
import { answerOfBody, answerOfPieces, answerOfTexts } from './wire-answer.ts';

export const mcpTransportMakers: Readonly<Record<string, MakeRpcAnswer>> = {
  M01: ({ request, transport, http }) =>
    request.id === undefined && transport === 'mcp-http' && (http ?? 'POST') === 'POST'
      ? bare(202)
      : undefined,
  M02: toRequest((input) =>
    input.transport === 'mcp-http'
      ? asEvents(input, [resultMessage(input.request.id, input.result)], { status: 202 })
      : undefined,
  ),
  M03: toListener(() => bare(405, { allow: 'POST' })),
  M04: toListener((input) =>
    asJson(input, { error: 'no stream to listen to' }, input.random.pick([404, 406, 400])),
  ),
  M05: toListener((input) => asJson(input, { name: 'server', status: 'ok' })),
  M06: toRequest((input) => (input.transport === 'mcp-http' ? plainly(input, input.result) : undefined)),
  M07: toRequest((input) => {
    if (input.transport !== 'mcp-http' || !takesEvents(input.accept)) return undefined;
    const message = resultMessage(input.request.id, input.result);
    const isJson = takesJson(input.accept) && input.random.next() < 0.5;
    return isJson ? asJson(input, message) : asEvents(input, [message]);
  }),
  M08: toRequest((input) => {
    const log = notification('notifications/message', { level: 'info', data: 'working on it' });
    const asks = !isStatelessRequest(input) && input.random.next() < 0.5;
    return after(input, [log, ...(asks ? [ownPing(input.random)] : []), log]);
  }),
  M09: toRequest(({ sessionId, request, transport }) => {
    if (transport !== 'mcp-http' || sessionId === undefined || request.method === 'initialize')
      return undefined;
    const error = { code: -32001, message: 'Session not found' };
    return answerOfBody({ jsonrpc: '2.0', id: null, error }, { status: 404 });
  }),
  M10: toRequest(({ transport }) => {
    const error = { code: -32001, message: 'Session not found' };
    const data = JSON.stringify({ jsonrpc: '2.0', id: null, error });
    return transport === 'mcp-http' ? answerOfTexts([`event: error\ndata: ${data}\n\n`]) : undefined;
  }),
  M11: toMethod(
    (method) => method === 'initialize',
    (input) => {
      if (input.sessionId === undefined || input.transport !== 'mcp-http') return undefined;
      const { 'mcp-session-id': id = '', ...headers } = plainly(input, input.result).headers;
      const name = input.random.pick(['MCP-SESSION-ID', 'Mcp-Session-Id', 'mcp-Session-ID']);
      const exposed = { 'access-control-expose-headers': 'Mcp-Session-Id' };
      return { ...plainly(input, input.result), headers: { ...headers, ...exposed, [name]: id } };
    },
  ),
  M12: toRequest((input) =>
    input.transport === 'mcp-http' && !isStatelessRequest(input) ? primed(input) : undefined,
  ),
  M16: toRequest((input) => {
    const { id } = input.request;
    return typeof id === 'number'
      ? plainly({ ...input, request: { ...input.request, id: String(id) } }, input.result)
      : undefined;
  }),
  M18: toRequest((input) => {
    const requestId = `unknown-${input.random.hex(8)}`;
    return after(input, [notification('notifications/cancelled', { requestId, reason: 'never asked' })]);
  }),
  M20: toRequest((input) => {
    const progress = progressOf(input, 3);
    return progress.length === 0 ? undefined : after(input, progress, 200);
  }),
  M21: toMethod(
    (method) => method === 'tools/call',
    (input) => (isStatelessRequest(input) ? undefined : after(input, [ownPing(input.random)])),
  ),
  M22: toMethod(
    (method) => method === 'tools/call',
    (input) =>
      isStatelessRequest(input)
        ? undefined
        : after(input, [notification('notifications/tools/list_changed')]),
  ),
  M23: toMethod(
    (method) => method === 'ping',
    (input) => {
      const refused = errorMessage(input.request.id, { code: -32601, message: 'Method not found' });
      if (input.random.next() < 0.5) return answerOfPieces([], { end: 'hang' });
      return input.transport === 'mcp-stdio' ? asLines([refused]) : asJson(input, refused);
    },
  ),
};
