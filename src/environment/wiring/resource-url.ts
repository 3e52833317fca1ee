/** The addresses of servers of the user's, which the config may name by environment variables. */
import { hostVariable } from '../../kernel/references.ts';
import type { ResourceSpec } from '../../system/system.ts';
import { resolveText } from './resolve.ts';

/** The same resource with its addresses filled in; one without is ours, and stays as it is. */
export function withResourceUrl(
  spec: ResourceSpec,
  hostEnv: Readonly<Record<string, string | undefined>>,
): ResourceSpec {
  const lookup = (reference: Parameters<typeof hostVariable>[0]): string | undefined =>
    reference.path[0] === 'env' ? hostVariable(reference, hostEnv) : undefined;
  const filledIn = (url: string): string => resolveText(url, lookup, `resource ${spec.name}, url`);
  if (spec.kind === 'postgres' && spec.url !== undefined) return { ...spec, url: filledIn(spec.url) };
  if (spec.kind === 'http' && spec.upstream)
    return { ...spec, upstream: { ...spec.upstream, url: filledIn(spec.upstream.url) } };
  if (spec.kind !== 'model') return spec;
  const upstreams = Object.entries(spec.upstreams).map(([name, { url, key }]) => [
    name,
    { url: filledIn(url), key },
  ]);
  return { ...spec, upstreams: Object.fromEntries(upstreams) };
}
