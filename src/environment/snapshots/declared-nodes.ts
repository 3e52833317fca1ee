/** Everything that a system declares, as nodes of one graph. */
import type { JobSpec, ResourceSpec, ServiceSpec, System } from '../../system/system.ts';

export type Declared =
  | {
      readonly kind: 'resource';
      readonly name: string;
      readonly after: readonly string[];
      readonly spec: ResourceSpec;
    }
  | { readonly kind: 'job'; readonly name: string; readonly after: readonly string[]; readonly spec: JobSpec }
  | {
      readonly kind: 'service';
      readonly name: string;
      readonly after: readonly string[];
      readonly spec: ServiceSpec;
    };

export function declaredNodes(system: System): readonly Declared[] {
  return [
    ...system.resources.map((spec) => ({ kind: 'resource' as const, name: spec.name, after: [], spec })),
    ...system.jobs.map((spec) => ({ kind: 'job' as const, name: spec.name, after: spec.after, spec })),
    ...system.services.map((spec) => ({
      kind: 'service' as const,
      name: spec.name,
      after: spec.after,
      spec,
    })),
  ];
}
