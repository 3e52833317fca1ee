/** Sends a request on to the real one, and hands its answer on to the consumer as it comes in. */
import {
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import type { AnswerHeaders } from '../wire/print-head.ts';
import type { WireReply, WireRequest } from '../wire/wire-server.ts';
import { unpacked } from './unpacked-answer.ts';

interface PassedOn<Headers extends AnswerHeaders, Sink extends PieceSink> {
  readonly url: URL;
  readonly wire: Pick<WireRequest, 'method' | 'headers' | 'body'>;
  /** Headers of the consumer that stay behind, in lower case. */
  readonly without: readonly string[];
  /** In their place. */
  readonly headers: Readonly<Record<string, string>>;
  readonly agents: Pick<UpstreamAgents, 'http' | 'https'>;
  /** Silence that ends it. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
  readonly reply: WireReply;
  /** Those of the answer that go on to the consumer. */
  kept(headers: IncomingHttpHeaders): Headers;
  /** The head of the answer is there; its pieces go to what is returned. */
  onHead(status: number, headers: Headers): Sink;
}

interface PieceSink {
  push(bytes: Uint8Array): void;
}

/** `unreached`: why there was no answer. `cut`: how the real one broke off. The end of the reply is up to the caller. */
type Passed<Sink> =
  | { readonly unreached: string }
  | { readonly status: number; readonly sink: Sink; readonly cut: string | undefined };

export async function passOn<Headers extends AnswerHeaders, Sink extends PieceSink>(
  options: PassedOn<Headers, Sink>,
): Promise<Passed<Sink>> {
  const { reply, kept, onHead } = options;
  let answer: IncomingMessage;
  try {
    answer = await sendOn(options);
  } catch (error) {
    return { unreached: whyNot(error) };
  }
  const status = answer.statusCode ?? 502;
  const { body, headers } = unpacked(answer, kept(answer.headers));
  reply.begin(status, headers);
  const sink = onHead(status, headers);
  return { status, sink, cut: await relay(body, reply, sink) };
}

/** Bytes go out as they come in, no faster than the consumer takes them. It is not cut where the consumer has gone. */
async function relay(answer: Readable, reply: WireReply, sink: PieceSink): Promise<string | undefined> {
  try {
    for await (const bytes of answer as AsyncIterable<Buffer>) {
      sink.push(bytes);
      if (!reply.write(bytes)) await reply.drained();
    }
    return undefined;
  } catch (error) {
    return reply.isGone ? undefined : whyNot(error);
  }
}

type SentOn = Omit<PassedOn<AnswerHeaders, PieceSink>, 'reply' | 'kept' | 'onHead'>;

/** Rejects when there is no answer. */
function sendOn(options: SentOn): Promise<IncomingMessage> {
  const { url, wire, agents, idleMs, signal } = options;
  const isSecure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const outgoing = (isSecure ? requestHttps : requestHttp)(
      url,
      {
        method: wire.method,
        headers: { ...passedOn(options), ...options.headers, host: url.host },
        agent: isSecure ? agents.https : agents.http,
        signal,
      },
      resolve,
    );
    outgoing.setTimeout(idleMs, () => outgoing.destroy(new Error(`nothing came for ${idleMs} ms`)));
    outgoing.on('error', reject);
    outgoing.end(wire.body);
  });
}

/** An answer that is not compressed can be read as it passes. */
function passedOn({ wire: { headers, body }, without }: SentOn): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name]) => !ofTheConnection.has(name) && !without.includes(name),
  );
  return {
    ...Object.fromEntries(kept),
    'accept-encoding': 'identity',
    'content-length': String(body.length),
  };
}

/** Headers that are about one connection, and end with it. */
export const ofTheConnection: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'expect',
  'host',
]);

/** A short text: why there was none or why it broke off. */
function whyNot(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

export interface UpstreamAgents {
  readonly http: HttpAgent;
  readonly https: HttpAgent;
  close(): void;
}

export function openAgents(): UpstreamAgents {
  const http = new HttpAgent({ keepAlive: true });
  const https = new HttpsAgent({ keepAlive: true });
  return {
    http,
    https,
    close: () => {
      http.destroy();
      https.destroy();
    },
  };
}
