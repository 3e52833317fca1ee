/** Why there is no point in the boot at which all jobs are done and no service has used the resource. Pure. */
import type { System } from '../../system/system.ts';
import { findUses } from '../wiring/edges.ts';
import { declaredNodes } from './declared-nodes.ts';
import { usersOfJobVolumes, volumeWords } from './job-volumes.ts';

/** Undefined when there is such a point. */
export function snapshotObstacle(system: System, resource: string): string | undefined {
  const users = new Set(findUses(system).flatMap(({ from, to }) => (to === resource ? [from] : [])));
  for (const job of system.jobs) {
    const service = system.services.find(({ name }) => users.has(name) && waitsFor(system, job.name, name));
    if (service) return `job ${job.name} runs after service ${service.name}, which uses ${resource}`;
  }
  return undefined;
}

/** Why what jobs put into volumes cannot be taken: a service has written there before. */
export function volumeObstacle(system: System): string | undefined {
  const users = usersOfJobVolumes(system);
  for (const { name, container } of system.jobs) {
    if (volumeWords(container).length === 0) continue;
    const service = users.find((user) => waitsFor(system, name, user));
    if (service !== undefined) return `job ${name} runs after service ${service}, which uses the same volume`;
  }
  return undefined;
}

/** Whether one is started only after the other, directly or indirectly. */
function waitsFor(system: System, name: string, other: string): boolean {
  const after = new Map(declaredNodes(system).map((node) => [node.name, node.after]));
  const seen = new Set<string>();
  const visit = (current: string): boolean =>
    (after.get(current) ?? []).some((before) => {
      if (before === other) return true;
      if (seen.has(before)) return false;
      seen.add(before);
      return visit(before);
    });
  return visit(name);
}
