/** Shapes M24 to M44: what messages of the tool protocol hold, in which era, and how lines of a program go wrong. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
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
import type { MakeRpcAnswer } from './shape.ts';
import { answerOfPieces } from './wire-answer.ts';

const isCall = (method: string): boolean => method === 'tools/call';

export const mcpContentMakers: Readonly<Record<string, MakeRpcAnswer>> = {
  M24: toMethod(isList, inPages),
  M25: toMethod(isList, inCircles),
  M26: toMethod(isCall, (input) => {
    const { structuredContent: _, ...rest } = isMap(input.result) ? input.result : {};
    return plainly(input, {
      ...rest,
      content: [{ type: 'text', text: 'the disk is full' }],
      isError: true,
    });
  }),
  M27: toMethod(isCall, (input) => {
    if (!isMap(input.result) || !isMap(input.result.structuredContent)) return undefined;
    const { structuredContent: _, ...rest } = input.result;
    const wrong = { ...rest, structuredContent: 'not what the schema says' };
    return plainly(input, input.random.pick<JsonMap>([rest, wrong]));
  }),
  M28: toRequest((input) => plainly(input, [])),
  M29: toMethod(isList, withReferences),
  M30: toMethod(isList, withBadSchema),
  M31: toMethod(
    (method) => method === 'initialize',
    (input) =>
      isMap(input.result) ? plainly(input, { ...input.result, protocolVersion: '2025-03-26' }) : undefined,
  ),
  M33: toRequest((input) => {
    if (!isStatelessRequest(input) || !isMap(input.result)) return undefined;
    const cached = isList(input.request.method) ? { ttlMs: 60_000, cacheScope: 'private' } : {};
    return plainly(input, { resultType: 'complete', ...cached, ...input.result });
  }),
  M34: toRequest((input) => {
    if (!isStatelessRequest(input) || input.transport !== 'mcp-http') return undefined;
    const [status, error] = input.random.pick([
      [400, { code: headerMismatch, message: 'Header mismatch' }],
      [400, { code: -32022, message: 'Unsupported protocol version', data: { supported: ['2026-07-28'] } }],
      [404, { code: -32601, message: 'Method not found' }],
    ] as const);
    return asJson(input, errorMessage(input.request.id, error), status);
  }),
  M36: toRequest((input) => (input.transport === 'mcp-stdio' ? behindNoise(input) : undefined)),
  M37: toRequest((input) => (input.transport === 'mcp-stdio' ? framedByLength(input) : undefined)),
  M38: toRequest((input) => (input.transport === 'mcp-stdio' ? inOddPieces(input) : undefined)),
  M39: toRequest((input) => (input.transport === 'mcp-stdio' ? brokenLine(input) : undefined)),
  M42: toMethod(isCall, (input) =>
    input.transport === 'mcp-http'
      ? answerOfPieces([], { headers: sessionHeaders(input), end: 'hang' })
      : undefined,
  ),
  M44: toRequest((input) =>
    input.transport === 'mcp-http'
      ? bare(200, { 'content-type': 'application/json', ...sessionHeaders(input) })
      : undefined,
  ),
};
