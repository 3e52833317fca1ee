/** The graph of a boot with snapshots: after all jobs, and before the first service that could write. Pure. */
import { resourceKind } from '../../kinds/resource-kinds.ts';
import type { ResourceSpec, System } from '../../system/system.ts';
import { findUses } from '../wiring/edges.ts';
import { type Declared, declaredNodes } from './declared-nodes.ts';
import { usersOfJobVolumes } from './job-volumes.ts';
import { snapshotObstacle, volumeObstacle } from './snapshot-obstacle.ts';

/** The step at which a resource is as the jobs left it. */
export interface SnapshotStep {
  readonly kind: 'snapshot';
  readonly name: string;
  readonly after: readonly string[];
  readonly spec: ResourceSpec;
}

/** The step at which volumes are as the jobs left them. */
export interface VolumesStep {
  readonly kind: 'volumes';
  readonly name: string;
  readonly after: readonly string[];
}

export type BootStep = Declared | SnapshotStep | VolumesStep;

export function bootOrder(system: System, withSnapshots: boolean): readonly BootStep[] {
  const declared = declaredNodes(system);
  if (!withSnapshots) return declared;
  const jobs = system.jobs.map(({ name }) => name);
  const steps = system.resources
    .filter((spec) => resourceKind(spec).isStore && snapshotObstacle(system, spec.name) === undefined)
    .map((spec) => ({
      kind: 'snapshot' as const,
      name: `${spec.name} snapshot`, // no declared name holds a blank
      after: [spec.name, ...jobs],
      spec,
    }));
  const edges = findUses(system);
  const users = volumeObstacle(system) === undefined ? usersOfJobVolumes(system) : [];
  const volumes: readonly VolumesStep[] =
    users.length > 0 ? [{ kind: 'volumes', name: 'volumes snapshot', after: jobs }] : [];
  const waitsFor = (service: string): readonly string[] => [
    ...steps
      .filter(({ spec }) => edges.some(({ from, to }) => from === service && to === spec.name))
      .map(({ name }) => name),
    ...(users.includes(service) ? volumes.map(({ name }) => name) : []),
  ];
  return [
    ...declared.map((node) =>
      node.kind === 'service' ? { ...node, after: [...node.after, ...waitsFor(node.name)] } : node,
    ),
    ...steps,
    ...volumes,
  ];
}
