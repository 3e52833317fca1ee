/** The volumes of a config: folders for processes and containers alike. */
import type { ContainerSpec } from '../container-spec.ts';
import type { VolumeSpec } from '../system.ts';

interface Boxed {
  readonly container?: ContainerSpec;
}

export function buildVolumes(names: readonly string[], programs: readonly Boxed[]): readonly VolumeSpec[] {
  const mounted = programs.flatMap(({ container }) => container?.mounts ?? []);
  const isMounted = (name: string): boolean =>
    mounted.some((mount) => mount.kind === 'shared' && mount.name === name);
  return names.map((name) => ({ kind: 'volume', name, isMounted: isMounted(name) }));
}

/** The same program; what it mounts under the name of such a volume, of a compose file too, is that volume. */
export function withShared<Program extends Boxed>(program: Program, names: readonly string[]): Program {
  const { container } = program;
  if (!container) return program;
  const mounts = container.mounts.map((mount) => {
    if (mount.kind !== 'volume' || mount.name === undefined || !names.includes(mount.name)) return mount;
    const { name, target, readOnly } = mount;
    return { kind: 'shared' as const, name, target, readOnly };
  });
  return { ...program, container: { ...container, mounts } };
}
