/** Reads what a tool server said to one request, as a patient client would, and judges it. */
import type { Incoming } from '../../src/protocols/json-rpc/message.ts';
import { readMessages } from '../../src/protocols/json-rpc/read-messages.ts';
import { judgeMcpExchange } from '../../src/protocols/mcp/judge-mcp-exchange.ts';
import { judgeMcpLine } from '../../src/protocols/mcp/judge-mcp-line.ts';
import { judgeResult } from '../../src/protocols/mcp/judge-result.ts';
import { createLineReader } from '../../src/protocols/mcp/line-reader.ts';
import type { McpBreach, McpHttpMessage } from '../../src/protocols/mcp/mcp-exchange.ts';
import { mirrorHeaders } from '../../src/protocols/mcp/stateless-request.ts';
import type { RpcShapeInput, WireAnswer } from '../../src/protocols/shapes/shape.ts';
import { createSseParser } from '../../src/protocols/sse/sse-parser.ts';

export interface RpcAnswer {
  readonly status: number;
  readonly messages: readonly Incoming[];
  /** Of the request, by its very id. */
  readonly result?: unknown;
  /** The same, whatever the type of the id. */
  readonly likelyResult?: unknown;
  readonly breaches: readonly McpBreach[];
}

const mostLineBytes = 8 * 1024 * 1024;

export function readRpcAnswer(input: RpcShapeInput, answer: WireAnswer): RpcAnswer {
  return input.transport === 'mcp-stdio' ? readLines(input, answer) : readHttp(input, answer);
}

function found(
  input: RpcShapeInput,
  messages: readonly Incoming[],
): Pick<RpcAnswer, 'messages' | 'result' | 'likelyResult'> {
  const results = messages.filter((message) => message.kind === 'result');
  const exact = results.find(({ id }) => id === input.request.id);
  const likely = results.find(({ id }) => String(id) === String(input.request.id));
  return {
    messages,
    ...(exact === undefined ? {} : { result: exact.result }),
    ...(likely === undefined ? {} : { likelyResult: likely.result }),
  };
}

function readLines(input: RpcShapeInput, { pieces, end }: WireAnswer): RpcAnswer {
  const reader = createLineReader(mostLineBytes);
  const lines = pieces.flatMap(({ bytes }) => reader.push(bytes).lines);
  const isCut = end !== 'whole' && reader.unfinishedBytes > 0;
  const messages = lines.flatMap((line) => readMessages(line).messages);
  const seen = found(input, messages);
  const unfinished: readonly McpBreach[] = isCut
    ? [{ by: 'provider', rule: 'mcp.line-cut', what: 'a line has no end' }]
    : [];
  return {
    status: 200,
    ...seen,
    breaches: [
      ...lines.flatMap((line) => judgeMcpLine(line, 'to-client')),
      ...('result' in seen ? judgeResult(input.request.method, seen.result) : []),
      ...unfinished,
    ],
  };
}

function readHttp(input: RpcShapeInput, answer: WireAnswer): RpcAnswer {
  const { request, http = 'POST', accept, sessionId } = input;
  const bytes = Buffer.concat(answer.pieces.map((piece) => piece.bytes));
  const headers = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const body = bodyOf(bytes, headers['content-type'] ?? '');
  const breaches = judgeMcpExchange({
    httpMethod: http,
    request: {
      headers: {
        accept,
        ...(sessionId === undefined ? {} : { 'mcp-session-id': sessionId }),
        ...mirrors(input),
      },
      ...(http === 'POST' ? { json: { jsonrpc: '2.0', ...request } } : {}),
      bytes: 1,
    },
    response: { status: answer.status, headers, ...body },
    ...(answer.end === 'whole' ? {} : { incomplete: 'cut' }),
  });
  return { status: answer.status, ...found(input, messagesOf(body)), breaches };
}

function mirrors({ request }: RpcShapeInput): Record<string, string> {
  const meta = (request.params as { _meta?: Record<string, unknown> } | undefined)?._meta;
  const version = meta?.['io.modelcontextprotocol/protocolVersion'];
  return typeof version === 'string' ? mirrorHeaders(request.method, request.params, version) : {};
}

function bodyOf(bytes: Buffer, type: string): Omit<McpHttpMessage, 'headers'> {
  const text = bytes.toString('utf8');
  const size = { bytes: bytes.length };
  if (bytes.length === 0) return size;
  if (!type.startsWith('text/event-stream')) {
    return type.startsWith('application/json')
      ? { ...size, json: JSON.parse(text) as unknown }
      : { ...size, text };
  }
  const events = createSseParser()
    .push(bytes)
    .map(({ event, data }) => ({
      ...(event === undefined ? {} : { event }),
      data: data === '' ? '' : (JSON.parse(data) as unknown),
    }));
  return { ...size, events };
}

function messagesOf({ json, events = [] }: Omit<McpHttpMessage, 'headers'>): readonly Incoming[] {
  const values = [
    ...(json === undefined ? [] : [json]),
    ...events.map(({ data }) => data).filter((data) => data !== ''),
  ];
  return values.flatMap((value) => readMessages(JSON.stringify(value)).messages);
}
