/** The services of a system that are somebody else's: started elsewhere, and only called. */
import type { ServiceSpec, System } from '../system.ts';

export type AttachedSpec = ServiceSpec & { readonly attached: NonNullable<ServiceSpec['attached']> };

export function isAttached(spec: ServiceSpec): spec is AttachedSpec {
  return spec.attached !== undefined;
}

export function attachedNames({ services }: Pick<System, 'services'>): readonly string[] {
  return services.filter(isAttached).map(({ name }) => name);
}

/** What can be done with it, for those who asked for something else. */
export const whatIsSeen = 'steps that call it (http, tcp, mcp), and `calls` on the edges that lead to it';
