/** Takes what jobs left in volumes, and gives services new ones that begin with it. */
import type { ServiceSpec } from '../../system/system.ts';
import { type EnvironmentContext, nodeOf } from '../environment-context.ts';
import { discardMade } from '../stop-node.ts';
import { volumeMounts } from './volumes/volumes.ts';

export async function keepJobVolumes(context: EnvironmentContext): Promise<void> {
  const { containers, label, system } = context;
  for (const { name, container } of system.jobs) {
    const { made } = nodeOf(context, name);
    if (made && container) await containers?.volumes.keep(made.id, volumeMounts(label, container.mounts));
  }
}

/** The containers of these services have ended; whatever they wrote is dropped with them. */
export async function renewContainers(
  context: EnvironmentContext,
  services: readonly ServiceSpec[],
): Promise<void> {
  const { containers, label, system } = context;
  if (!containers) return;
  await Promise.all(services.map(({ name }) => discardMade(context, nodeOf(context, name))));
  // Those of jobs have done their work, and hold on to their volumes.
  await Promise.all(system.jobs.map(({ name }) => discardMade(context, nodeOf(context, name))));
  const mounts = services.flatMap(({ container }) => volumeMounts(label, container?.mounts ?? []));
  await containers.volumes.drop([...new Map(mounts.map((mount) => [mount.name, mount])).values()]);
}
