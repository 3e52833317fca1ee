/** What a tool server does wrong in one exchange. */
import { isMap } from '../../kernel/is-map.ts';
import { mediaType } from '../http/media-type.ts';
import { isTooDeep } from '../json-rpc/json-depth.ts';
import type { Incoming, JsonRpcId } from '../json-rpc/message.ts';
import { messagesOf, type ReadMessages, readMessages } from '../json-rpc/read-messages.ts';
import { allowsBatches, isStateless } from './eras.ts';
import { judgeResult } from './judge-result.ts';
import {
  breachBy,
  brokenMessage,
  type McpBreach,
  type McpExchange,
  readBody,
  versionOf,
} from './mcp-exchange.ts';

type Request = Extract<Incoming, { readonly kind: 'request' }>;
type Response = NonNullable<McpExchange['response']>;

export function judgeProvider(exchange: McpExchange, sent: ReadMessages | undefined): readonly McpBreach[] {
  const { response, httpMethod, incomplete } = exchange;
  if (response === undefined || response.status < 200 || response.status > 299) return [];
  if (httpMethod === 'GET') return judgeListening(exchange, response);
  if (httpMethod !== 'POST' || sent === undefined) return [];
  const requests = sent.messages.filter((message) => message.kind === 'request');
  const [request] = requests;
  const isWhole = incomplete === undefined;
  if (sent.messages.some(({ kind }) => kind === 'broken')) return [];
  if (request === undefined) return isWhole ? judgeReceipt(response) : [];
  const head = judgeHead(response, request, exchange);
  if (head.length > 0 || !isWhole) return head;
  return requests.length === 1 && !sent.isBatch ? judgeAnswer(exchange, response, request) : [];
}

const breach = breachBy.provider;

/** A server that offers no stream says so with 405. Only a GET with a session that asks for events listens. */
function judgeListening({ request }: McpExchange, response: Response): readonly McpBreach[] {
  const isListener = /text\/event-stream/i.test(request.headers.accept ?? '');
  const type = mediaType(response.headers['content-type']);
  if (!isListener || response.status !== 200 || type === 'text/event-stream' || type === '') return [];
  return breach('mcp.get-not-stream', `GET was answered with 200 and ${type}, not with a stream of events`);
}

/** The older transport answers on another stream, and acknowledges requests with whatever it likes. */
function isStreamable({ request }: McpExchange): boolean {
  const accept = request.headers.accept ?? '';
  if (request.headers['mcp-session-id'] !== undefined) return true;
  return /application\/json/i.test(accept) && /text\/event-stream/i.test(accept);
}

/** What status, headers and length alone show. */
function judgeHead(response: Response, { method }: Request, exchange: McpExchange): readonly McpBreach[] {
  const { status, bytes } = response;
  const type = mediaType(response.headers['content-type']);
  if (type === 'text/event-stream') {
    const what = `${method} was answered by a stream with 202, which means that no answer comes`;
    return status === 202 ? breach('mcp.stream-with-202', what) : [];
  }
  if (!isStreamable(exchange) || exchange.incomplete !== undefined) return [];
  if (bytes === 0)
    return breach('mcp.empty-answer', `${method} was answered with ${status} and nothing else`);
  if (type === '' || type === 'application/json' || status === 202) return [];
  return breach(
    'mcp.content-type',
    `${method} was answered with ${type}, neither JSON nor a stream of events`,
  );
}

/** Notifications and answers are only taken note of. */
function judgeReceipt(response: Response): readonly McpBreach[] {
  const messages = messagesIn(response);
  const answer = messages.find(({ kind }) => kind === 'result' || kind === 'error');
  const what = 'a message that asks for nothing was answered with a JSON-RPC response';
  return answer === undefined ? [] : breach('mcp.notification-answered', what);
}

function messagesIn(response: Response): readonly Incoming[] {
  if (response.events === undefined) return readBody(response)?.messages ?? [];
  return response.events.flatMap(({ event, data }) => {
    const isMessage = event === undefined || event === 'message';
    if (!isMessage || data === '' || isTooDeep(data)) return [];
    const text = isMap(data) && typeof data.$broken === 'string' ? data.$broken : undefined;
    return (text === undefined ? messagesOf(data) : readMessages(text)).messages;
  });
}

function judgeAnswer(exchange: McpExchange, response: Response, request: Request): readonly McpBreach[] {
  const isStream = mediaType(response.headers['content-type']) === 'text/event-stream';
  if (!isStream && mediaType(response.headers['content-type']) !== 'application/json') return [];
  const messages = messagesIn(response);
  const version = versionOf(exchange, request.params);
  return [
    ...messages.flatMap((message) => (message.kind === 'broken' ? brokenMessage('provider', message) : [])),
    ...(isStream ? [] : judgeBody(response, request, version, messages)),
    ...judgeAnswers(messages, request),
    ...judgeQuestions(messages, version),
  ];
}

/** One JSON body is one response; lists of them belong to a single version. */
function judgeBody(
  { json }: Response,
  { method }: Request,
  version: string | undefined,
  messages: readonly Incoming[],
): readonly McpBreach[] {
  if (Array.isArray(json)) {
    if (version === undefined || allowsBatches(version)) return [];
    return breach('mcp.batch', `${method} was answered with a list, which ${version} does not allow`);
  }
  const [message] = messages;
  if (message?.kind !== 'request' && message?.kind !== 'notification') return [];
  return breach('mcp.no-answer', `${method} was answered with ${message.method} instead of a response`);
}

type Answer = Extract<Incoming, { readonly kind: 'result' | 'error' }>;

function judgeAnswers(messages: readonly Incoming[], request: Request): readonly McpBreach[] {
  const answers = messages.filter(
    (message): message is Answer => message.kind === 'result' || message.kind === 'error',
  );
  const own = answers.filter(({ id }) => id === request.id);
  if (own.length > 1)
    return breach('json-rpc.answered-twice', `${named(request)} was answered ${own.length} times`);
  const [answer] = own;
  if (answer === undefined) return answers.flatMap((other) => judgeId(other, request));
  return answer.kind === 'result' ? judgeResult(request.method, answer.result) : [];
}

/** An error about a request that could not be read has no id. */
function judgeId({ kind, id }: Answer, request: Request): readonly McpBreach[] {
  if (id === null && kind === 'error') return [];
  const isLike = id !== null && String(id) === String(request.id);
  const rule = isLike ? 'json-rpc.answer-id-type' : 'json-rpc.answer-id';
  return breach(rule, `${named(request)} was answered with the id ${JSON.stringify(id)}`);
}

function named({ method, id }: { readonly method: string; readonly id: JsonRpcId }): string {
  return `${method} with the id ${JSON.stringify(id)}`;
}

function judgeQuestions(messages: readonly Incoming[], version: string | undefined): readonly McpBreach[] {
  if (version === undefined || !/^\d/.test(version) || !isStateless(version)) return [];
  const asked = messages.find(({ kind }) => kind === 'request');
  if (asked?.kind !== 'request') return [];
  return breach(
    'mcp.request-to-client',
    `the server asked for ${asked.method}, which no server of ${version} does`,
  );
}
