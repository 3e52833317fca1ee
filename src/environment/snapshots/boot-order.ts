/** The graph of a boot with snapshots: after all jobs, and before the first service that could write. Pure. */
import type { ResourceSpec, System } from '../../system/system.ts';
import { findEdges } from '../wiring/edges.ts';
import { type Declared, declaredNodes } from './declared-nodes.ts';
import { snapshotObstacle } from './snapshot-obstacle.ts';

/** The step at which a resource is as the jobs left it. */
export interface SnapshotStep {
  readonly kind: 'snapshot';
  readonly name: string;
  readonly after: readonly string[];
  readonly spec: ResourceSpec;
}

export type BootStep = Declared | SnapshotStep;

export function bootOrder(system: System, withSnapshots: boolean): readonly BootStep[] {
  const declared = declaredNodes(system);
  if (!withSnapshots) return declared;
  const jobs = system.jobs.map(({ name }) => name);
  const steps = system.resources
    .filter(({ kind, name }) => kind === 'postgres' && snapshotObstacle(system, name) === undefined)
    .map((spec) => ({
      kind: 'snapshot' as const,
      name: `${spec.name} snapshot`, // no declared name holds a blank
      after: [spec.name, ...jobs],
      spec,
    }));
  const edges = findEdges(system);
  const waitsFor = (service: string): readonly string[] =>
    steps
      .filter(({ spec }) => edges.some(({ from, to }) => from === service && to === spec.name))
      .map(({ name }) => name);
  return [
    ...declared.map((node) =>
      node.kind === 'service' ? { ...node, after: [...node.after, ...waitsFor(node.name)] } : node,
    ),
    ...steps,
  ];
}
