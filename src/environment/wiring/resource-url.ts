/** The address of a server of the user's, which the config may name by an environment variable. */
import { hostVariable } from '../../kernel/references.ts';
import type { ResourceSpec } from '../../system/system.ts';
import { resolveText } from './resolve.ts';

/** The same resource with its url filled in; one without a url is ours, and stays as it is. */
export function withResourceUrl(
  spec: ResourceSpec,
  hostEnv: Readonly<Record<string, string | undefined>>,
): ResourceSpec {
  if (spec.url === undefined) return spec;
  const lookup = (reference: Parameters<typeof hostVariable>[0]): string | undefined =>
    reference.path[0] === 'env' ? hostVariable(reference, hostEnv) : undefined;
  return { ...spec, url: resolveText(spec.url, lookup, `resource ${spec.name}, url`) };
}
