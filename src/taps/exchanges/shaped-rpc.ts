/** A tool server's answer in another shape: its result is extracted, and sent again. */
import { isAnyNumber } from '../../kernel/exact-json.ts';
import { isMap } from '../../kernel/is-map.ts';
import type { RequestHead } from '../../protocols/http/http-message.ts';
import { mediaKind } from '../../protocols/http/media-type.ts';
import { looseJson } from '../../protocols/json-rpc/read-json.ts';
import { asksForOwnPage } from '../../protocols/shapes/mcp-lists.ts';
import type { RpcShapeInput, WireAnswer } from '../../protocols/shapes/shape.ts';
import { createSseParser } from '../../protocols/sse/sse-parser.ts';
import { keyOf, rpcAnswersIn } from '../calls/rpc-calls.ts';
import type { Reshaping, WholeResponse } from './shaped-turn.ts';

/** Undefined where there is no result to be sent, or where the shape does not apply. */
export function shapedRpc({ shape, about, request, response }: Reshaping): WireAnswer | undefined {
  if (!shape.over.includes('mcp-http')) return undefined;
  const { method, headers } = about.request;
  const asked = isListener(about.request) ? { method: '' } : rpcRequest(request);
  if (asked === undefined) return undefined;
  const key = keyOf(asked.id);
  const isKnown = key === undefined || asksForOwnPage(asked.method, asked.params);
  const said = key === undefined ? undefined : resultFor(key, response);
  const result = said ?? (isKnown ? { value: undefined } : undefined);
  if (result === undefined) return undefined;
  const sessionId = response.head.headers['mcp-session-id'] ?? headers['mcp-session-id'];
  return shape.makeRpc?.({
    transport: 'mcp-http',
    request: asked,
    result: result.value,
    accept: headers.accept ?? '',
    http: method,
    ...(sessionId === undefined ? {} : { sessionId }),
    random: about.random,
  });
}

/** Without a session and a version it may be the stream of HTTP+SSE, which is not an offer but the transport itself. */
function isListener({ method, headers }: RequestHead): boolean {
  return method === 'GET' && (headers['mcp-session-id'] ?? headers['mcp-protocol-version']) !== undefined;
}

/** The only message of a request; a batch has none of its own. */
export function rpcRequest(body: Buffer): RpcShapeInput['request'] | undefined {
  const message = looseJson(body.toString('utf8'));
  if (!isMap(message) || message.jsonrpc !== '2.0' || typeof message.method !== 'string') return undefined;
  const { id, method, params } = message;
  const isAsked = typeof id === 'string' || isAnyNumber(id);
  return {
    method,
    ...(isAsked ? { id: id as string | number } : {}),
    ...(params === undefined ? {} : { params }),
  };
}

function resultFor(key: string, { head, body }: WholeResponse): { readonly value: unknown } | undefined {
  if (head.status < 200 || head.status > 299) return undefined;
  const isStream = mediaKind(head.headers['content-type']) === 'events';
  const texts = isStream
    ? createSseParser()
        .push(body)
        .map(({ data }) => data)
    : [body.toString('utf8')];
  const answers = texts.flatMap((text) => rpcAnswersIn(looseJson(text)));
  const said = answers.find((answer) => answer.key === key)?.said;
  return said !== undefined && 'result' in said ? { value: said.result } : undefined;
}
