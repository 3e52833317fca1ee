/** The real providers behind `record` and `live`, with their keys. */
import { Problem, Problems } from '../../../kernel/problem.ts';
import type { DialectName } from '../../../protocols/turn/turn.ts';
import type { ModelSpec } from '../../../system/system.ts';
import type { Variables } from '../../resource.ts';
import { upstreamProblems } from '../../upstream/upstream-problems.ts';

export interface Upstream {
  readonly url: string;
  /** The variable that holds the key. */
  readonly keyName: string;
  readonly key: string;
}

export type Upstreams = Readonly<Partial<Record<UpstreamName, Upstream>>>;

type UpstreamName = keyof ModelSpec['upstreams'];

/** Throws a problem for each that cannot be used. */
export function openUpstreams({ name, mode, upstreams }: ModelSpec, hostEnv: Variables): Upstreams {
  const where = `resource ${name}, mode ${mode}`;
  const entries = Object.entries(upstreams) as [UpstreamName, { url: string; key: string }][];
  if (entries.length === 0) throw noUpstream(where);
  const words = { address: 'https://api.openai.com', keeper: 'the provider' };
  const problems = entries.flatMap(([provider, upstream]) =>
    upstreamProblems(`${where}, upstreams.${provider}`, upstream, hostEnv, words),
  );
  if (problems.length > 0) throw new Problems(problems);
  return Object.fromEntries(
    entries.map(([provider, { url, key }]) => [provider, { url, keyName: key, key: hostEnv[key] as string }]),
  );
}

export function upstreamOf(upstreams: Upstreams, dialect: DialectName): Upstream | undefined {
  return upstreams[providerOf(dialect)];
}

export function providerOf(dialect: DialectName): UpstreamName {
  return dialect === 'anthropic' || dialect === 'gemini' ? dialect : 'openai';
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

function noUpstream(where: string): Problem {
  return new Problem({
    code: 'config.missing-key',
    where,
    what: 'there is no provider to pass calls on to',
    allowed:
      'upstreams: { openai | anthropic | gemini: { url, key } }, `key` being the name of an environment variable',
    next: 'add `upstreams` to the resource, or use mode script or cassette',
  });
}
