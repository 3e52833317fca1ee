/** By what a container would reach out of its environment: each needs a reason under `allow`. Pure. */
import type { Allowance, ContainerSpec } from './container-spec.ts';

export interface NeededAllowance {
  readonly allowance: Allowance;
  /** What it would do, with the value. */
  readonly what: string;
}

/** Those for which `allow` has no reason. */
export function missingAllowances(container: ContainerSpec): readonly NeededAllowance[] {
  return neededAllowances(container).filter(({ allowance }) => !container.allow?.[allowance]?.trim());
}

/** Rights that reach no further than a container's own namespaces. */
const harmless =
  /^(?:CAP_)?(?:CHOWN|DAC_OVERRIDE|FOWNER|FSETID|KILL|SETGID|SETUID|SETPCAP|SETFCAP|NET_BIND_SERVICE|NET_RAW|SYS_CHROOT|MKNOD|AUDIT_WRITE|IPC_LOCK|SYS_NICE)$/i;
const engineSocket = /(?:docker|podman|containerd|crio|buildkitd)\.sock$/;

function neededAllowances(container: ContainerSpec): readonly NeededAllowance[] {
  const { privileged, capAdd = [], devices = [], securityOptions = [], hostNamespaces = [] } = container;
  const { deviceCgroupRules = [], gpus, oomKillDisable, cgroupParent } = container;
  const strong = capAdd.filter((capability) => !harmless.test(capability));
  const loose = securityOptions.filter((option) => /unconfined|disable|apparmor|seccomp/i.test(option));
  const seen = [...devices.map(({ host }) => host), ...deviceCgroupRules, ...(gpus ? ['gpus'] : [])];
  const one = (allowance: Allowance, isNeeded: unknown, what: string): NeededAllowance[] =>
    isNeeded ? [{ allowance, what }] : [];
  return [
    ...one('privileged', privileged, 'is privileged: it may do all that root may on this machine'),
    ...one('capabilities', strong.length > 0, `gets the capabilities ${strong.join(', ')}`),
    ...one('devices', seen.length > 0, `gets devices of this machine: ${seen.join(', ')}`),
    ...one('security', loose.length > 0, `is confined less than usual: ${loose.join(', ')}`),
    ...one('cgroup', cgroupParent, `runs in the control group ${cgroupParent}`),
    ...one('cgroup', oomKillDisable, 'is not ended when memory runs out'),
    ...hostNamespaces.map((allowance) => ({
      allowance,
      what: `shares the ${allowance} namespace of this machine`,
    })),
    ...container.mounts.flatMap((mount) => {
      if (mount.kind !== 'bind') return [];
      const isSocket = engineSocket.test(mount.source);
      const what = `can command the container engine through ${mount.source}`;
      const writes = mount.direct && !mount.readOnly && !isSocket;
      return [
        ...one('socket', isSocket, what),
        ...one('writes', writes, `writes into ${mount.source}, which outlives the environment`),
      ];
    }),
  ];
}
