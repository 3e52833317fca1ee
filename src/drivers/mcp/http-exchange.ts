/** One HTTP request on a connection of its own, up to the head of its answer. */
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { errorCode } from '../../kernel/system-error.ts';
import { givenUp, notStarted, socketError } from '../act-error.ts';
import type { ActError } from '../driver.ts';
import { driverLimits } from '../driver-limits.ts';
import { shorten } from './act-record.ts';
import { mcpLimits } from './mcp-limits.ts';
import type { Posting } from './transport.ts';

export interface HttpExchange {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpAnswer {
  readonly status: number;
  /** Where the answer came from, after redirects within the server. */
  readonly url: URL;
  header(name: string): string | undefined;
  /** Gives the body piece by piece; ends with what went wrong, if something did. */
  pieces(): AsyncGenerator<Uint8Array, ActError | undefined>;
  discard(): void;
}

/** A connection that was kept might be closed by the server at this very moment, and that would look like a fault of it. */
export async function exchangeHttp(
  exchange: HttpExchange,
  posting: Posting,
): Promise<HttpAnswer | { readonly error: ActError }> {
  let { url } = exchange;
  for (let hops = 0; ; hops += 1) {
    const answer = await once({ ...exchange, url }, posting);
    if ('error' in answer) return answer;
    const next = redirectOf(answer, exchange.method);
    if (next === undefined || next.origin !== url.origin || hops === mcpLimits.redirects) return answer;
    answer.discard();
    url = next;
  }
}

/** Frameworks send `/mcp` on to `/mcp/`; most clients follow. */
function redirectOf({ status, url, header }: HttpAnswer, method: string): URL | undefined {
  const isKept = status === 307 || status === 308 || (method === 'GET' && (status === 301 || status === 302));
  const location = header('location');
  return isKept && location !== undefined && URL.canParse(location, url.href)
    ? new URL(location, url)
    : undefined;
}

function once(
  { method, url, headers, body }: HttpExchange,
  posting: Posting,
): Promise<HttpAnswer | { readonly error: ActError }> {
  const { promise, resolve } = Promise.withResolvers<HttpAnswer | { readonly error: ActError }>();
  let request: ClientRequest;
  try {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    request = send(url, {
      method,
      agent: false,
      maxHeaderSize: driverLimits.headerBytes,
      headers: { 'accept-encoding': 'identity', ...headers },
      signal: posting.signal,
    });
  } catch (error) {
    return Promise.resolve({ error: notStarted(error) });
  }
  countSent(request, posting);
  let fault: ActError | undefined;
  request.on('error', (error) => {
    fault ??= faultOf(error, url, posting.signal);
    resolve({ error: fault });
  });
  request.on('response', (response) => {
    posting.status(response.statusCode ?? 0);
    resolve(answerOf(response, url, () => fault ?? faultOf(response.errored, url, posting.signal)));
  });
  // As bytes: glued to a text, the headers would be sent in the encoding of the text.
  request.end(body === undefined ? undefined : Buffer.from(body, 'utf8'));
  return promise;
}

/** What waits for a connection that never came about was not sent. */
function countSent(request: ClientRequest, posting: Posting): void {
  let isConnected = false;
  let counted = 0;
  const count = (): void => {
    if (!isConnected) return;
    const bytes = request.socket?.bytesWritten ?? counted;
    posting.sent(bytes - counted);
    counted = bytes;
  };
  request.on('socket', (socket) => {
    socket.once('connect', () => {
      isConnected = true;
    });
  });
  request.on('finish', count);
  request.on('error', count);
}

function answerOf(response: IncomingMessage, url: URL, fault: () => ActError): HttpAnswer {
  response.on('error', () => 'told by `pieces`, where somebody reads');
  return {
    status: response.statusCode ?? 0,
    url,
    header: (name) => {
      const value = response.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    async *pieces() {
      try {
        for await (const piece of response) yield piece as Uint8Array;
        return undefined;
      } catch {
        return fault();
      }
    },
    discard: () => void response.destroy(),
  };
}

function faultOf(error: unknown, url: URL, signal: AbortSignal): ActError {
  if (signal.aborted) return givenUp;
  const code = errorCode(error) ?? '';
  const text = error instanceof Error ? error.message : String(error);
  if (text === 'socket hang up' || text === 'aborted') {
    return {
      kind: 'closed',
      message: `the connection was closed by ${url.host} before its answer was complete`,
    };
  }
  if (code === 'HPE_HEADER_OVERFLOW')
    return { kind: 'too-large', message: `the headers of ${url.host} have no end` };
  if (code.startsWith('HPE_'))
    return { kind: 'garbage', message: `${url.host} does not speak HTTP: ${shorten(text)}` };
  return socketError(error, url.host) ?? { kind: 'unreachable', message: `${url.host}: ${shorten(text)}` };
}
