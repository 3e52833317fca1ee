/** The addresses of the user's servers, which the config may give through environment variables. */
import { hostVariable } from '../../kernel/references.ts';
import { resourceKind } from '../../kinds/resource-kinds.ts';
import type { ResourceSpec } from '../../system/system.ts';
import { resolveText } from './resolve.ts';

/** The same resource with its addresses filled in; one without an address is embedded, and stays unchanged. */
export function withResourceUrl(
  spec: ResourceSpec,
  hostEnv: Readonly<Record<string, string | undefined>>,
): ResourceSpec {
  const lookup = (reference: Parameters<typeof hostVariable>[0]): string | undefined =>
    reference.path[0] === 'env' ? hostVariable(reference, hostEnv) : undefined;
  const { address, upstreams } = resourceKind(spec);
  return [...(address?.(spec) ?? []), ...(upstreams?.(spec) ?? [])].reduce(
    (filled, { path, text }) =>
      replacedAt(filled, path, resolveText(text, lookup, `resource ${spec.name}, url`)),
    spec,
  );
}

function replacedAt<Whole>(whole: Whole, [key, ...rest]: readonly string[], by: string): Whole {
  if (key === undefined) return by as Whole;
  const map = whole as Readonly<Record<string, unknown>>;
  return { ...map, [key]: replacedAt(map[key], rest, by) } as Whole;
}
