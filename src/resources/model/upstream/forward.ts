/** Passes a request on to a real provider, with our key instead of the consumer's. */
import type { IncomingMessage } from 'node:http';
import type { DialectName } from '../../../protocols/turn/turn.ts';
import { sendOn } from '../../upstream/send-on.ts';
import type { UpstreamAgents } from '../../upstream/upstream-agents.ts';
import type { WireRequest } from '../../wire/wire-server.ts';
import { keyHeader, keyHeaders } from '../key-of.ts';
import type { Upstream } from './open-upstreams.ts';

export interface ForwardOptions {
  readonly upstream: Upstream;
  readonly dialect: DialectName;
  readonly wire: WireRequest;
  readonly agents: UpstreamAgents;
  /** Silence that ends it. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
}

/** Resolves with the head of the answer; rejects when there is none. */
export function forward(options: ForwardOptions): Promise<IncomingMessage> {
  const { upstream, dialect, wire, agents, idleMs, signal } = options;
  return sendOn({
    url: upstreamUrl(upstream.url, wire.target),
    wire,
    without: keyHeaders,
    headers: keyHeader(dialect, upstream.key, wire),
    agents,
    idleMs,
    signal,
  });
}

/** The requested path below the provider's address: a version that both have appears once, and keys are left out. */
export function upstreamUrl(base: string, target: string): URL {
  const url = new URL(base);
  const [, path = '/', query = ''] = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?]*)?([^?]*)\??(.*)$/i.exec(target) ?? [];
  const above = url.pathname.replace(/\/+$/, '');
  const isVersioned = /\/v\d\w*$/.test(above);
  url.pathname = above + (isVersioned ? path.replace(/^\/v\d\w*(?=\/)/, '') : path);
  const wanted = new URLSearchParams(query);
  wanted.delete('key');
  for (const [name, value] of wanted) url.searchParams.append(name, value);
  return url;
}
