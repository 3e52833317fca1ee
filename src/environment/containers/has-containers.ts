/** Whether a system needs a container engine. */
import type { System } from '../../system/system.ts';

/** Also of a plan that an older version has left, or that is not whole. */
export function hasContainers({ jobs = [], services = [], resources = [] }: Partial<System>): boolean {
  return (
    [...jobs, ...services].some(({ container }) => container !== undefined) ||
    resources.some((spec) => spec.kind === 'postgres' && spec.image !== undefined)
  );
}
