/** The real third party behind `record`, with the key to it. */

import { Problem, Problems } from '../../../kernel/problem.ts';
import type { HttpPeerSpec } from '../../../system/system.ts';
import type { Variables } from '../../resource.ts';
import { upstreamProblems } from '../../upstream/upstream-problems.ts';

export interface PeerUpstream {
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
