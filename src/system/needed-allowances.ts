/** By what a container would reach out of its environment: each needs a reason under `allow`. */
import { realPath } from '../kernel/folders/real-path.ts';
import { isOfEnvironment } from './compose/volume-options.ts';
import type { Allowance, ContainerSpec, MountSpec } from './container-spec.ts';
import { engineSocketAt } from './engine-socket-at.ts';

type HostEnv = Readonly<Record<string, string | undefined>>;

export interface NeededAllowance {
  readonly allowance: Allowance;
  /** What it would do, with the value. */
  readonly what: string;
}

/** Those for which `allow` has no reason. */
export function missingAllowances(container: ContainerSpec, hostEnv: HostEnv): readonly NeededAllowance[] {
  return neededAllowances(container, hostEnv).filter(
    ({ allowance }) => !container.allow?.[allowance]?.trim(),
  );
}

/** Rights that reach no further than a container's own namespaces. */
const harmless =
  /^(?:CAP_)?(?:CHOWN|DAC_OVERRIDE|FOWNER|FSETID|KILL|SETGID|SETUID|SETPCAP|SETFCAP|NET_BIND_SERVICE|NET_RAW|SYS_CHROOT|MKNOD|AUDIT_WRITE|IPC_LOCK|SYS_NICE)$/i;

function neededAllowances(container: ContainerSpec, hostEnv: HostEnv): readonly NeededAllowance[] {
  const { privileged, capAdd = [], devices = [], securityOptions = [], hostNamespaces = [] } = container;
  const { deviceCgroupRules = [], gpus, oomKillDisable, cgroupParent } = container;
  const strong = capAdd.filter((capability) => !harmless.test(capability));
  const loose = securityOptions.filter((option) => /unconfined|disable|apparmor|seccomp/i.test(option));
  const seen = [...devices.map(({ host }) => host), ...deviceCgroupRules, ...(gpus ? ['gpus'] : [])];
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
    ...container.mounts.flatMap((mount) => ofMount(mount, hostEnv)),
  ];
}

function one(allowance: Allowance, isNeeded: unknown, what: string): NeededAllowance[] {
  return isNeeded ? [{ allowance, what }] : [];
}

function ofMount(mount: MountSpec, hostEnv: HostEnv): readonly NeededAllowance[] {
  if (mount.kind === 'volume') {
    const { name, driver = 'local', driverOptions: { type, device } = {} } = mount;
    const options = [`driver ${driver}`, type && `type ${type}`, device && `device ${device}`].filter(
      Boolean,
    );
    const what = `writes into the volume ${name} (${options.join(', ')}), which outlives the environment`;
    return one('writes', !isOfEnvironment(mount), what);
  }
  if (mount.kind !== 'bind') return [];
  const { source, direct, readOnly } = mount;
  const socket = engineSocketAt(source, hostEnv);
  const through = socket === source ? source : `${source}, which leads to ${socket}`;
  const isSocket = socket === realPath(source);
  return [
    ...one('socket', socket, `can command the container engine through ${through}`),
    ...one(
      'writes',
      direct && !readOnly && !isSocket,
      `writes into ${source}, which outlives the environment`,
    ),
  ];
}
