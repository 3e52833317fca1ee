/** Puts what is known of a container into the form in which the engine takes it. Pure. */
import { defined } from '../../kernel/defined.ts';
import type { ContainerSpec, HealthcheckSpec } from '../../system/container-spec.ts';
import type { VolumeMount } from './volumes/volumes.ts';

export interface ConfigParts {
  readonly container: ContainerSpec;
  /** With references resolved. */
  readonly words: {
    readonly entrypoint?: readonly string[];
    readonly command?: readonly string[];
    readonly healthTest?: readonly string[];
    readonly labels: Readonly<Record<string, string>>;
    readonly env: Readonly<Record<string, string>>;
  };
  readonly image: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The first; others are connected later. Undefined: that of the machine. */
  readonly network: string | undefined;
  readonly hosts: readonly string[];
  readonly volumes: readonly VolumeMount[];
  /** Files and folders of this machine. */
  readonly binds: ReadonlyArray<{
    readonly source: string;
    readonly target: string;
    readonly readOnly: boolean;
  }>;
  /** Its own ports that are published on this machine. */
  readonly published: readonly number[];
}

const nanoseconds = 1e6;

export function containerConfig(parts: ConfigParts): unknown {
  const { container, words, image, labels, published } = parts;
  return defined({
    Image: image,
    Entrypoint: words.entrypoint,
    Cmd: words.command,
    Env: Object.entries(words.env).map(([name, value]) => `${name}=${value}`),
    WorkingDir: container.workingDir,
    User: container.user,
    Hostname: container.hostname,
    Domainname: container.domainname,
    Tty: container.tty,
    OpenStdin: container.openStdin,
    Labels: { ...words.labels, ...labels },
    Healthcheck: healthcheck(container.healthcheck, words.healthTest),
    ExposedPorts: Object.fromEntries(published.map((port) => [`${port}/tcp`, {}])),
    HostConfig: hostConfig(parts),
  });
}

function hostConfig({ container, network, hosts, published, ...mounted }: ConfigParts): unknown {
  const own = container.hostNamespaces ?? [];
  const shared = (namespace: (typeof own)[number]): 'host' | undefined =>
    own.includes(namespace) ? 'host' : undefined;
  const { gpus, devices = [], ulimits, extraHosts = {} } = container;
  return defined({
    NetworkMode: network ?? 'host',
    ExtraHosts: [...hosts, ...Object.entries(extraHosts).map(([name, address]) => `${name}:${address}`)],
    Mounts: mountsOf(container, mounted),
    PortBindings: Object.fromEntries(
      published.map((port) => [`${port}/tcp`, [{ HostIp: '127.0.0.1', HostPort: '' }]]),
    ),
    // So that its output can be followed, whatever this engine does by default, and has an end.
    LogConfig: { Type: 'json-file', Config: { 'max-size': '128m', 'max-file': '2' } },
    Init: container.init,
    GroupAdd: container.groupAdd,
    Dns: container.dns,
    DnsSearch: container.dnsSearch,
    DnsOptions: container.dnsOptions,
    Privileged: container.privileged,
    CapAdd: container.capAdd,
    CapDrop: container.capDrop,
    SecurityOpt: container.securityOptions,
    ReadonlyRootfs: container.readOnlyRoot,
    PidMode: shared('pid'),
    IpcMode: shared('ipc'),
    UTSMode: shared('uts'),
    UsernsMode: shared('users'),
    CgroupnsMode: shared('cgroup'),
    CgroupParent: container.cgroupParent,
    Runtime: container.runtime,
    ShmSize: container.shmSizeBytes,
    Memory: container.memoryBytes,
    MemorySwap: container.memorySwapBytes,
    MemoryReservation: container.memoryReservationBytes,
    NanoCpus: container.cpus === undefined ? undefined : Math.round(container.cpus * 1e9),
    CpusetCpus: container.cpuSet,
    CpuShares: container.cpuShares,
    PidsLimit: container.pidsLimit,
    OomScoreAdj: container.oomScoreAdjust,
    OomKillDisable: container.oomKillDisable,
    Sysctls: container.sysctls,
    Ulimits:
      ulimits && Object.entries(ulimits).map(([Name, { soft, hard }]) => ({ Name, Soft: soft, Hard: hard })),
    Devices: devices.map(({ host, target, permissions }) => ({
      PathOnHost: host,
      PathInContainer: target,
      CgroupPermissions: permissions,
    })),
    DeviceCgroupRules: container.deviceCgroupRules,
    DeviceRequests:
      gpus === undefined
        ? undefined
        : [{ Driver: 'nvidia', Count: gpus === 'all' ? -1 : gpus, Capabilities: [['gpu']] }],
  });
}

function mountsOf(
  { mounts }: ContainerSpec,
  { volumes, binds, labels }: Pick<ConfigParts, 'volumes' | 'binds' | 'labels'>,
): readonly unknown[] {
  return [
    ...binds.map(({ source, target, readOnly }) => ({
      ...{ Type: 'bind', Source: source, Target: target, ReadOnly: readOnly },
    })),
    ...volumes.map(({ name, target, readOnly, noCopy }) => ({
      ...{ Type: 'volume', Source: name, Target: target, ReadOnly: readOnly },
      VolumeOptions: { NoCopy: noCopy },
    })),
    ...mounts.flatMap((mount): readonly unknown[] => {
      if (mount.kind === 'tmpfs') {
        const options = defined({ SizeBytes: mount.sizeBytes, Mode: mount.mode });
        return [{ Type: 'tmpfs', Target: mount.target, TmpfsOptions: options }];
      }
      if (mount.kind !== 'volume' || mount.name !== undefined) return [];
      return [
        {
          Type: 'volume',
          Target: mount.target,
          VolumeOptions: { Labels: labels, NoCopy: mount.noCopy ?? false },
        },
      ];
    }),
  ];
}

function healthcheck(
  wanted: HealthcheckSpec | 'none' | undefined,
  test: readonly string[] | undefined,
): unknown {
  if (wanted === undefined) return undefined;
  if (wanted === 'none') return { Test: ['NONE'] };
  const { intervalMs, timeoutMs, startPeriodMs, retries } = wanted;
  const ns = (ms: number | undefined): number | undefined =>
    ms === undefined ? undefined : ms * nanoseconds;
  return defined({
    Test: test,
    Interval: ns(intervalMs),
    Timeout: ns(timeoutMs),
    StartPeriod: ns(startPeriodMs),
    Retries: retries,
  });
}
