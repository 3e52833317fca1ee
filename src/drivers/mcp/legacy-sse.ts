/** MCP over HTTP+SSE, as it was in 2024: one stream for all that the server says, and an address to which messages are posted. */
import { mediaType } from '../../protocols/http/media-type.ts';
import { readMessages } from '../../protocols/json-rpc/read-messages.ts';
import type { SseEvent } from '../../protocols/sse/sse-parser.ts';
import { givenUp } from '../act-error.ts';
import type { ActError } from '../driver.ts';
import { shorten } from './act-record.ts';
import { exchangeHttp, type HttpAnswer } from './http-exchange.ts';
import { forgotten, glance, readEvents, refusal } from './read-body.ts';
import { type Delivery, failed, type Inbox, type Posting, type Transport } from './transport.ts';

export function legacySse(url: URL, own: Readonly<Record<string, string>>, inbox: Inbox): Transport {
  const whole = new AbortController();
  let endpoint: URL | undefined;
  return {
    kind: 'sse',
    agree: () => undefined,
    open: async (posting) => {
      if (posting.signal.aborted) return givenUp;
      const giveUp = (): void => whole.abort();
      posting.signal.addEventListener('abort', giveUp, { once: true });
      const opened = await openStream(url, { ...posting, headers: own, signal: whole.signal }, inbox);
      const found = 'error' in opened ? opened.error : await opened.endpoint;
      posting.signal.removeEventListener('abort', giveUp);
      if ('kind' in found) return found;
      endpoint = found;
      return undefined;
    },
    send: async (message, posting) => {
      if (endpoint === undefined) return failed({ kind: 'closed', message: 'the stream is not open' });
      const signal = AbortSignal.any([posting.signal, whole.signal]);
      return post(endpoint, JSON.stringify(message), { ...posting, headers: own, signal }, inbox);
    },
    close: async () => whole.abort(),
  };
}

interface OpenedStream {
  readonly endpoint: Promise<URL | ActError>;
}

/** The stream's first event is the address for messages; all others are messages. */
async function openStream(
  url: URL,
  posting: Posting,
  inbox: Inbox,
): Promise<OpenedStream | { readonly error: ActError }> {
  const answer = await exchangeHttp(
    { method: 'GET', url, headers: { accept: 'text/event-stream', ...posting.headers } },
    posting,
  );
  if ('error' in answer) return answer;
  if (answer.status !== 200 || mediaType(answer.header('content-type')) !== 'text/event-stream')
    return { error: await noStream(answer) };
  const { promise, resolve } = Promise.withResolvers<URL | ActError>();
  const onEvent = (event: SseEvent): void => {
    if (event.event === 'endpoint') resolve(endpointOf(event.data, answer.url));
    else if ((event.event ?? 'message') === 'message' && event.data !== '') {
      inbox.receive(readMessages(event.data, 'strict').messages);
    }
  };
  const follow = async (): Promise<void> => {
    const { error } = await readEvents(answer, onEvent);
    const ended: ActError = error ?? {
      kind: 'closed',
      message: `the server ended its stream ${url.pathname}`,
    };
    resolve(ended);
    inbox.broke(ended);
  };
  void follow();
  return { endpoint: promise };
}

async function noStream(answer: HttpAnswer): Promise<ActError> {
  const what = `GET ${answer.url.pathname}:`;
  const said = await glance(answer);
  if (answer.status !== 200) return { kind: 'garbage', message: `${what} ${refusal(answer, said).message}` };
  const type = mediaType(answer.header('content-type')) || 'no content type';
  return { kind: 'garbage', message: `${what} ${type} instead of a stream: ${said}` };
}

/** Messages, and the secrets in them, go only to the server that was addressed. */
function endpointOf(data: string, stream: URL): URL | ActError {
  if (!URL.canParse(data, stream.href)) {
    return { kind: 'garbage', message: `the server gave no address for messages but ${shorten(data)}` };
  }
  const endpoint = new URL(data, stream);
  const message = `the server expects its messages at ${endpoint.origin}, not at ${stream.origin}`;
  return endpoint.origin === stream.origin ? endpoint : { kind: 'garbage', message };
}

async function post(endpoint: URL, body: string, posting: Posting, inbox: Inbox): Promise<Delivery> {
  const headers = { 'content-type': 'application/json', ...posting.headers };
  const answer = await exchangeHttp({ method: 'POST', url: endpoint, headers, body }, posting);
  if ('error' in answer) return failed(answer.error);
  if (answer.status >= 200 && answer.status < 300) {
    void glance(answer);
    return { state: 'delivered' };
  }
  const said = await glance(answer);
  return answer.status === 404 ? forgotten(inbox, said) : failed(refusal(answer, said));
}
