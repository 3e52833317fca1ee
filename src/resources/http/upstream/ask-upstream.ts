/** Lets the real third party answer, with the key to it: its bytes pass as they come, and are kept on request. */
import type { IncomingHttpHeaders } from 'node:http';
import { Problem, Problems } from '../../../kernel/problem.ts';
import type { HttpPeerSpec } from '../../../system/system.ts';
import type { TapedAnswer } from '../../cassette/tape.ts';
import type { Variables } from '../../resource.ts';
import { ofTheConnection, passOn, type UpstreamAgents } from '../../upstream/pass-on.ts';
import { upstreamProblems } from '../../upstream/upstream-problems.ts';
import type { AnswerHeaders } from '../../wire/print-head.ts';
import type { AskedPeer, PeerOutcome } from '../fallback-responder.ts';
import { peerLimits } from '../peer-limits.ts';

export interface UpstreamPart {
  readonly upstream: PeerUpstream;
  readonly agents: UpstreamAgents;
  readonly taped?: TapedAnswer<void>;
}

export async function askUpstream(asked: AskedPeer, part: UpstreamPart): Promise<PeerOutcome> {
  const { wire, reply, patience } = asked;
  const { upstream, agents, taped } = part;
  const isOver = (): boolean => reply.isGone || patience.aborted;
  const passed = await passOn({
    url: targetUrl(upstream.url, wire.target),
    wire,
    without: [],
    headers: upstream.headers,
    agents,
    idleMs: peerLimits.upstreamIdleMs,
    signal: AbortSignal.any([patience, reply.gone]),
    reply,
    kept: (headers) => keptHeaders(headers, upstream.url),
    onHead: (status, headers) => {
      taped?.head(status, plainHeaders(headers));
      return { push: (bytes) => taped?.piece(bytes) };
    },
  });
  if ('unreached' in passed && !isOver()) return unreachable(asked, upstream, passed.unreached);
  const outcome = { status: 'unreached' in passed ? 0 : passed.status, by: 'upstream' } as const;
  if (isOver()) {
    taped?.end('hang');
    reply.breakOff('fin');
    return outcome;
  }
  if ('cut' in passed && passed.cut !== undefined) {
    reply.breakOff('fin');
    return { ...outcome, fault: brokeOff(upstream, passed.cut) };
  }
  taped?.end('whole');
  reply.end();
  return outcome;
}

/** What is asked for, below the address of the real one. */
function targetUrl(base: URL, target: string): URL {
  const [, path = '/', query = ''] = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?]*)?([^?]*)(\?.*)?$/i.exec(target) ?? [];
  const url = new URL(base);
  url.pathname = base.pathname.replace(/\/+$/, '') + (path === '' ? '/' : path);
  url.search = query;
  return url;
}

/** An address of the real one in `location` would lead past us, so that it becomes a path. */
function keptHeaders(headers: IncomingHttpHeaders, base: URL): AnswerHeaders {
  const kept: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || ofTheConnection.has(name)) continue;
    kept[name] = name === 'location' ? pathBelow(String(value), base) : value;
  }
  return kept;
}

function pathBelow(location: string, base: URL): string {
  const url = URL.canParse(location) ? new URL(location) : undefined;
  const above = base.pathname.replace(/\/+$/, '');
  if (url?.origin !== base.origin || !url.pathname.startsWith(above)) return location;
  return `${url.pathname.slice(above.length) || '/'}${url.search}${url.hash}`;
}

/** Cookies are the only header that comes in several lines; they are not recorded. */
function plainHeaders(headers: AnswerHeaders): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

function unreachable({ reply }: AskedPeer, { url }: PeerUpstream, why: string): PeerOutcome {
  const what = `the real one at ${url.host} gave no answer: ${why}`;
  const body = JSON.stringify({ error: { type: 'upstream', message: what } });
  reply.send(502, { 'content-type': 'application/json' }, `${body}\n`);
  return { status: 502, by: 'upstream', fault: { kind: 'upstream', what } };
}

function brokeOff({ url }: PeerUpstream, why: string): NonNullable<PeerOutcome['fault']> {
  return { kind: 'upstream', what: `the real one at ${url.host} broke off: ${why}` };
}

interface PeerUpstream {
  readonly url: URL;
  /** Sent in place of what the consumer sends under the same names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Throws a problem for each thing that is missing. */
export function openPeerUpstream({ name, mode, upstream }: HttpPeerSpec, hostEnv: Variables): PeerUpstream {
  const where = `resource ${name}, mode ${mode}`;
  if (upstream === undefined) throw noUpstream(where);
  const problems = upstreamProblems(`${where}, upstream`, upstream, hostEnv, {
    address: 'https://api.example.com',
    keeper: 'the third party',
  });
  if (problems.length > 0) throw new Problems(problems);
  return { url: new URL(upstream.url), headers: keyHeader(upstream, hostEnv) };
}

/** `authorization: Bearer KEY`, unless the config names another header. */
function keyHeader(
  { key, header, prefix }: NonNullable<HttpPeerSpec['upstream']>,
  hostEnv: Variables,
): Readonly<Record<string, string>> {
  if (key === undefined) return {};
  const before = prefix ?? (header === undefined ? 'Bearer ' : '');
  return { [(header ?? 'authorization').toLowerCase()]: `${before}${hostEnv[key]}` };
}

function noUpstream(where: string): Problem {
  return new Problem({
    code: 'config.missing-key',
    where,
    what: 'there is no real one to pass calls on to',
    allowed: 'upstream: { url, key }, `key` being the name of an environment variable, where one is needed',
    next: 'add `upstream` to the resource, or use mode script or cassette',
  });
}
