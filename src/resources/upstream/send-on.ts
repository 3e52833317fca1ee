/** Sends a request on to the real one, and gives the head of its answer. */
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { WireRequest } from '../wire/wire-server.ts';
import type { UpstreamAgents } from './upstream-agents.ts';

export interface SentOn {
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
}

/** Rejects when there is no answer. */
export function sendOn(options: SentOn): Promise<IncomingMessage> {
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
export function whyNot(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
