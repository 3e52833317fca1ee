/** Makes answers of tool servers: JSON, a stream of events, or lines, as the transport and the shape require. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import type { Random } from '../../kernel/random.ts';
import type { Outgoing } from '../json-rpc/message.ts';
import { notification, printMessage, resultMessage } from '../json-rpc/print-message.ts';
import { isStateless } from '../mcp/eras.ts';
import { printSse } from '../sse/print-sse.ts';
import type { MakeRpcAnswer, RpcShapeInput, WireAnswer, WirePiece } from './shape.ts';
import { answerOfBody, answerOfTexts } from './wire-answer.ts';

/** A request, which must be answered: with its id. */
export type AskedInput = RpcShapeInput & { readonly request: { readonly id: string | number } };

/** For posts that ask for something; of notifications and listeners the shape makes nothing. */
export function toRequest(make: (input: AskedInput) => WireAnswer | undefined): MakeRpcAnswer {
  return (input) => (isAsked(input) && (input.http ?? 'POST') === 'POST' ? make(input) : undefined);
}

export function toListener(make: (input: RpcShapeInput) => WireAnswer | undefined): MakeRpcAnswer {
  return (input) => (input.http === 'GET' && input.transport === 'mcp-http' ? make(input) : undefined);
}

/** For requests of one method. */
export function toMethod(
  isMeant: (method: string) => boolean,
  make: (input: AskedInput) => WireAnswer | undefined,
): MakeRpcAnswer {
  return toRequest((input) => (isMeant(input.request.method) ? make(input) : undefined));
}

function isAsked(input: RpcShapeInput): input is AskedInput {
  return input.request.id !== undefined;
}

/** In the plainest form that the client takes: lines, JSON, or events where it takes nothing else. */
export function plainly(input: AskedInput, result: unknown): WireAnswer {
  const message = resultMessage(input.request.id, result);
  if (input.transport === 'mcp-stdio') return asLines([message]);
  return takesJson(input.accept) ? asJson(input, message) : asEvents(input, [message]);
}

export function takesJson(accept: string): boolean {
  return accept === '' || /application\/(?:json|\*)|\*\/\*/.test(accept);
}

export function takesEvents(accept: string): boolean {
  return /text\/(?:event-stream|\*)|\*\/\*/.test(accept);
}

/** With other messages ahead of the answer: as lines or as events, and not at all where the client takes neither. */
export function after(
  input: AskedInput,
  messages: readonly Outgoing[],
  paceMs?: number,
): WireAnswer | undefined {
  const all = [...messages, resultMessage(input.request.id, input.result)];
  if (input.transport === 'mcp-stdio') return asLines(all, paceMs);
  return takesEvents(input.accept) ? asEvents(input, all, paceMs === undefined ? {} : { paceMs }) : undefined;
}

export function sessionHeaders({ sessionId }: RpcShapeInput): Record<string, string> {
  return sessionId === undefined ? {} : { 'mcp-session-id': sessionId };
}

export function asJson(input: RpcShapeInput, message: unknown, status = 200): WireAnswer {
  const headers = { 'content-type': 'application/json', ...sessionHeaders(input) };
  return answerOfBody(message, { status, headers });
}

export function asEvents(
  input: RpcShapeInput,
  messages: readonly Outgoing[],
  options: { readonly status?: number; readonly paceMs?: number } = {},
): WireAnswer {
  const texts = messages.map((message) => printSse({ event: 'message', data: printMessage(message) }));
  return answerOfTexts(texts, { ...options, headers: sessionHeaders(input) });
}

/** A piece for each line. */
export function asLines(messages: readonly Outgoing[], paceMs?: number): WireAnswer {
  return ofLines(
    messages.map((message, at) => pieceOf(`${printMessage(message)}\n`, at === 0 ? undefined : paceMs)),
  );
}

export function ofLines(pieces: readonly WirePiece[], end: WireAnswer['end'] = 'whole'): WireAnswer {
  return { status: 200, headers: {}, pieces, end };
}

export function pieceOf(text: string, afterMs?: number): WirePiece {
  const bytes = Buffer.from(text);
  return afterMs === undefined ? { bytes } : { bytes, afterMs };
}

/** Nothing but a status, as it is sent where there is nothing to say. */
export function bare(status: number, headers: Readonly<Record<string, string>> = {}): WireAnswer {
  return { status, headers, pieces: [], end: 'whole' };
}

export function paramsOf({ request }: RpcShapeInput): JsonMap {
  return isMap(request.params) ? request.params : {};
}

function metaOf(input: RpcShapeInput): JsonMap {
  const { _meta: meta } = paramsOf(input);
  return isMap(meta) ? meta : {};
}

/** The request says that it belongs to the era without sessions, in which no server asks a client. */
export function isStatelessRequest(input: RpcShapeInput): boolean {
  const version = metaOf(input)['io.modelcontextprotocol/protocolVersion'];
  return typeof version === 'string' && isStateless(version);
}

/** Progress may only be sent to a client that asked for it. */
export function progressOf(input: RpcShapeInput, steps: number): readonly Outgoing[] {
  const { progressToken } = metaOf(input);
  if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return [];
  return Array.from({ length: steps }, (_, at) =>
    notification('notifications/progress', { progressToken, progress: at + 1, total: steps }),
  );
}

/** How its id begins. */
export const ownPingPrefix = 'shakedown-ping-';

export function ownPing(random: Random): Outgoing {
  return { jsonrpc: '2.0', id: `${ownPingPrefix}${random.hex(6)}`, method: 'ping' };
}

/** Of what a consumer sends: nothing but an answer to such a question. */
export function answersOwnPing(json: unknown): boolean {
  return (
    isMap(json) &&
    json.method === undefined &&
    typeof json.id === 'string' &&
    json.id.startsWith(ownPingPrefix)
  );
}
