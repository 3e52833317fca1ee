/** Volumes that jobs fill and services use: their content is taken after the jobs, and restored for a fresh start. Pure. */
import type { ContainerSpec } from '../../system/container-spec.ts';
import type { System } from '../../system/system.ts';

/** The named volumes and the copied folders of a container, each by a word for it. */
export function volumeWords(container: ContainerSpec | undefined): readonly string[] {
  return (container?.mounts ?? []).flatMap((mount) => {
    if (mount.kind === 'volume') return mount.name === undefined ? [] : [`volume ${mount.name}`];
    return mount.kind === 'bind' && !mount.readOnly && !mount.direct ? [`copy of ${mount.source}`] : [];
  });
}

/** Services that must not write before the work of the jobs has been taken. */
export function usersOfJobVolumes({ jobs, services }: System): readonly string[] {
  const filled = new Set(jobs.flatMap(({ container }) => volumeWords(container)));
  return services.flatMap(({ name, container }) =>
    volumeWords(container).some((word) => filled.has(word)) ? [name] : [],
  );
}
