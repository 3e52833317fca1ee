/** MCP over streamable HTTP: each message is a post, and what is asked is answered there, as JSON or as a stream. */
import type { Clock } from '../../kernel/clock.ts';
import { within } from '../../kernel/deadline.ts';
import { mediaType } from '../../protocols/http/media-type.ts';
import type { Incoming, JsonRpcId, Outgoing } from '../../protocols/json-rpc/message.ts';
import { readMessages } from '../../protocols/json-rpc/read-messages.ts';
import { allowsBatches, isStateless, namesVersionInHeader } from '../../protocols/mcp/eras.ts';
import { mirrorHeaders } from '../../protocols/mcp/stateless-request.ts';
import type { SseEvent } from '../../protocols/sse/sse-parser.ts';
import { shorten } from './act-record.ts';
import { exchangeHttp, type HttpAnswer } from './http-exchange.ts';
import { mcpLimits } from './mcp-limits.ts';
import { forgotten, glance, readBody, readEvents, refusal } from './read-body.ts';
import { aside, type Delivery, failed, type Inbox, type Posting, type Transport } from './transport.ts';

export interface HttpServer {
  readonly url: URL;
  /** Of the step: they override the defaults. */
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly inbox: Inbox;
}

interface Connection extends Omit<HttpServer, 'url'> {
  url: URL;
  /** Ends the streams that are still open. */
  readonly whole: AbortController;
  session: string | undefined;
  version: string | undefined;
  /** Resolves when no stream is open any more. */
  listening: Promise<void>;
}

export function streamableHttp(server: HttpServer): Transport {
  const whole = new AbortController();
  const connection: Connection = {
    ...server,
    whole,
    session: undefined,
    version: undefined,
    listening: Promise.resolve(),
  };
  return {
    kind: 'streamable-http',
    open: async () => undefined,
    agree: (version) => {
      connection.version = version;
    },
    send: (message, posting) => post(connection, message, posting),
    listen: (posting) => listen(connection, posting),
    close: async () => {
      // Servers fail on a session that ends while a stream is still open in it.
      whole.abort();
      await within(connection.clock, mcpLimits.farewellMs, connection.listening);
      if (connection.session !== undefined) await sayFarewell(connection);
    },
  };
}

async function post(connection: Connection, message: Outgoing, posting: Posting): Promise<Delivery> {
  const body = JSON.stringify(message);
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headersOf(connection, message),
    ...posting.headers,
  };
  const signal = AbortSignal.any([posting.signal, connection.whole.signal]);
  const answer = await exchangeHttp(
    { method: 'POST', url: connection.url, headers, body },
    { ...posting, signal },
  );
  if ('error' in answer) return failed(answer.error);
  connection.url = answer.url;
  const isOk = answer.status >= 200 && answer.status < 300;
  if (!('method' in message) || message.id === undefined) return readReceipt(answer, isOk);
  if (message.method === 'initialize' && isOk) connection.session = answer.header('mcp-session-id');
  if (!isOk) return readRefusal(connection, answer, message.id);
  if (answer.status === 202 && mediaType(answer.header('content-type')) === 'text/event-stream') {
    connection.inbox.note(
      'the answer came as a stream with HTTP 202, which means that none will come',
      message.id,
    );
  }
  if (mediaType(answer.header('content-type')) === 'text/event-stream') {
    return readStream(connection, answer, message.id, { ...posting, signal });
  }
  return readJson(connection, answer, message.id);
}

function headersOf({ session, version, headers }: Connection, message: Outgoing): Record<string, string> {
  if (version !== undefined && isStateless(version)) {
    return {
      ...('method' in message ? mirrorHeaders(message.method, message.params, version) : {}),
      ...headers,
    };
  }
  return {
    ...(session === undefined ? {} : { 'mcp-session-id': session }),
    ...(version !== undefined && namesVersionInHeader(version) ? { 'mcp-protocol-version': version } : {}),
    ...headers,
  };
}

/** A notification or an answer from the client is only acknowledged. */
async function readReceipt(answer: HttpAnswer, isOk: boolean): Promise<Delivery> {
  const said = glance(answer);
  return isOk ? { state: 'delivered' } : failed(refusal(answer, await said));
}

/** A refusal that says why in JSON-RPC is an answer; an unknown session is the end of the conversation. */
async function readRefusal(connection: Connection, answer: HttpAnswer, id: JsonRpcId): Promise<Delivery> {
  const { text } = await readBody(answer);
  if (answer.status === 404 && connection.session !== undefined) {
    connection.session = undefined;
    return forgotten(connection.inbox, shorten(text));
  }
  // A server that refuses a post may not know its id, or make one up; what it says is still about this post.
  const errors = readMessages(text, 'strict').messages.filter(({ kind }) => kind === 'error');
  connection.inbox.receive(
    errors.map((error) => ({ ...error, id: null }) as Incoming),
    id,
  );
  return failed(refusal(answer, shorten(text)));
}

async function readJson(connection: Connection, answer: HttpAnswer, id: JsonRpcId): Promise<Delivery> {
  const { text, error } = await readBody(answer);
  const head = `HTTP ${answer.status}, ${mediaType(answer.header('content-type')) || 'no content type'}`;
  if (error !== undefined) return failed(error);
  if (text.trim() === '') return failed({ kind: 'garbage', message: `the answer is empty (${head})` });
  if (mediaType(answer.header('content-type')) !== 'application/json') {
    return failed({ kind: 'garbage', message: `the answer is not JSON (${head}): ${shorten(text)}` });
  }
  take(connection, text, id);
  return failed({
    kind: 'garbage',
    message: `the answer holds no response to this request (${head}): ${shorten(text)}`,
  });
}

function take({ version, inbox }: Connection, text: string, id?: JsonRpcId): void {
  const { messages, isBatch } = readMessages(text, 'strict');
  if (isBatch && version !== undefined && !allowsBatches(version)) {
    inbox.note(`messages came in a list, which ${version} does not allow`, id);
  }
  inbox.receive(messages, id);
}

/** A stream may end early on purpose, when it has said where to resume. */
async function readStream(
  connection: Connection,
  first: HttpAnswer,
  id: JsonRpcId,
  posting: Posting,
): Promise<Delivery> {
  const { inbox, clock } = connection;
  const onEvent = (event: SseEvent): void => takeEvent(connection, event, id);
  let answer = first;
  let lastEventId: string | undefined;
  for (let resumed = 0; ; resumed += 1) {
    const end = await readEvents(answer, onEvent);
    lastEventId = end.lastEventId ?? lastEventId;
    if (inbox.isAnswered(id)) return { state: 'delivered' };
    const broken = failed(
      end.error ?? { kind: 'closed', message: 'the server ended its stream without a response' },
    );
    if (end.error?.kind === 'too-large' || posting.signal.aborted) return broken;
    if (lastEventId === undefined || resumed === mcpLimits.resumptions) return broken;
    const isAwake = await clock.sleep(end.retryMs ?? mcpLimits.resumeAfterMs, posting.signal).then(
      () => true,
      () => false,
    );
    const next = isAwake ? await openStream(connection, posting, lastEventId) : undefined;
    if (next === undefined) return broken;
    answer = next;
  }
}

function takeEvent(connection: Connection, { event = 'message', data }: SseEvent, id?: JsonRpcId): void {
  // An event without data only says where the stream could be resumed.
  if (event === 'message' && data !== '') take(connection, data, id);
}

/** Undefined when the server offers no such stream, in whichever way it says so. */
async function openStream(
  connection: Connection,
  posting: Posting,
  lastEventId?: string,
): Promise<HttpAnswer | undefined> {
  const headers = {
    accept: 'text/event-stream',
    ...headersOf(connection, { jsonrpc: '2.0', method: '' }),
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  };
  const answer = await exchangeHttp({ method: 'GET', url: connection.url, headers }, posting);
  if ('error' in answer) return undefined;
  if (answer.status === 200 && mediaType(answer.header('content-type')) === 'text/event-stream')
    return answer;
  answer.discard();
  return undefined;
}

/** Unsolicited messages of the server come here, and its questions: without it, a tool that asks back would hang. */
async function listen(connection: Connection, posting: Posting): Promise<void> {
  const signal = connection.whole.signal;
  const opening = openStream(connection, { signal, sent: posting.sent, status: () => undefined });
  const follow = async (): Promise<void> => {
    const answer = await opening;
    if (answer !== undefined) await readEvents(answer, (event) => takeEvent(connection, event));
  };
  connection.listening = follow();
  await within(connection.clock, mcpLimits.listenWithinMs, opening);
}

/** Allows the server to drop the session. Whether it does is up to the server. */
async function sayFarewell(connection: Connection): Promise<void> {
  const { clock, url } = connection;
  const headers = headersOf(connection, { jsonrpc: '2.0', method: '' });
  const farewell = { method: 'DELETE', url, headers } as const;
  const answer = await aside(clock, (posting) => exchangeHttp(farewell, posting));
  if (!('error' in answer)) answer.discard();
}
