/** Passes a request on to a real provider, with our key instead of the consumer's. */
import { type Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { DialectName } from '../../../protocols/turn/turn.ts';
import type { WireRequest } from '../../wire/wire-server.ts';
import { keyHeader, keyHeaders } from '../key-of.ts';
import type { Upstream } from './open-upstreams.ts';
import { upstreamUrl } from './upstream-url.ts';

export interface ForwardOptions {
  readonly upstream: Upstream;
  readonly dialect: DialectName;
  readonly wire: WireRequest;
  /** For addresses of http and https. */
  readonly agents: { readonly http: HttpAgent; readonly https: HttpAgent };
  /** Silence that ends it. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
}

/** Resolves with the head of the answer; rejects when there is none. */
export function forward(options: ForwardOptions): Promise<IncomingMessage> {
  const { upstream, dialect, wire, agents, idleMs, signal } = options;
  const url = upstreamUrl(upstream.url, wire.target);
  const isSecure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const outgoing = (isSecure ? requestHttps : requestHttp)(
      url,
      {
        method: wire.method,
        headers: { ...passedOn(wire), ...keyHeader(dialect, upstream.key), host: url.host },
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

/** An answer that is not compressed can be metered as it passes. */
function passedOn({ headers, body }: WireRequest): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name]) => !ofTheConnection.has(name) && !keyHeaders.includes(name),
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
