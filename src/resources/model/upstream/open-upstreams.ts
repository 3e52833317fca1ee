/** The real providers behind `record` and `live`, with their keys. */
import { Problem, Problems } from '../../../kernel/problem.ts';
import type { DialectName } from '../../../protocols/turn/turn.ts';
import type { ModelSpec } from '../../../system/system.ts';
import { shownVariable } from '../../upstream/shown-variable.ts';

export interface Upstream {
  readonly url: string;
  /** The variable that holds the key. */
  readonly keyName: string;
  readonly key: string;
}

export type Upstreams = Readonly<Partial<Record<UpstreamName, Upstream>>>;

type UpstreamName = keyof ModelSpec['upstreams'];

/** Throws a problem for each that cannot be used. */
export function openUpstreams(
  { name, mode, upstreams }: ModelSpec,
  hostEnv: Readonly<Record<string, string | undefined>>,
): Upstreams {
  const where = `resource ${name}, mode ${mode}`;
  const entries = Object.entries(upstreams) as [UpstreamName, { url: string; key: string }][];
  if (entries.length === 0) throw noUpstream(where);
  const problems = entries.flatMap(([provider, { url, key }]) => [
    ...(isAddress(url) ? [] : [badAddress(`${where}, upstreams.${provider}`, url)]),
    ...(hostEnv[key] ? [] : [noKey(`${where}, upstreams.${provider}`, key)]),
  ]);
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

function isAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
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

function badAddress(where: string, url: string): Problem {
  return new Problem({
    code: 'config.bad-value',
    where,
    what: `the url is ${JSON.stringify(url)}`,
    allowed: 'an address such as https://api.openai.com',
    next: 'correct the url',
  });
}

function noKey(where: string, key: string): Problem {
  return new Problem({
    code: 'config.unknown-variable',
    where,
    what: `the environment variable ${shownVariable(key)} is not set, or empty`,
    allowed: 'a variable that holds the key to the provider',
    next: `export ${shownVariable(key)}=…, or use mode script or cassette`,
  });
}
