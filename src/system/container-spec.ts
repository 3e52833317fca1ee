/** A program that runs in a container: what the engine is told of it. Plain data, as all of the system. */

/**
 * It comes from `image` or from `build`; with both, it is built, and `image` is only what people call it.
 * References such as `${db.url}` may be in the texts of `entrypoint`, `command`, `build.args`, `labels`, in a text of
 * `mounts` and in the `env` of the program; they are resolved for this consumer, when the container is created.
 */
export interface ContainerSpec {
  readonly image?: string;
  readonly build?: BuildSpec;
  /** Such as `linux/arm64`. */
  readonly platform?: string;
  /** When an image is fetched; `missing` when absent. */
  readonly pull?: 'missing' | 'always' | 'never';

  /** Absent: that of the image. An empty list removes it. */
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly workingDir?: string;
  /** A name or number, also with a group: `1000:1000`. */
  readonly user?: string;
  /** Further groups, by name or number. */
  readonly groupAdd?: readonly string[];
  readonly hostname?: string;
  readonly domainname?: string;
  readonly tty?: boolean;
  readonly openStdin?: boolean;
  /** A first process of the engine's that passes on signals and collects orphans. */
  readonly init?: boolean;

  readonly mounts: readonly MountSpec[];
  /** Absent: that of the image, if it has one. */
  readonly healthcheck?: HealthcheckSpec | 'none';
  /** How often it is started again while it is not ready yet; afterwards an exit is a death. Absent: never. */
  readonly restart?: { readonly when: 'always' | 'on-failure'; readonly most?: number };

  /** Names under which it reaches others by an address that is written into it, such as `http://api:8000`. */
  readonly peers: readonly PeerNameSpec[];
  /** Lines of `/etc/hosts`: name to address. An address `host-gateway` is that of the machine. */
  readonly extraHosts?: Readonly<Record<string, string>>;
  readonly dns?: readonly string[];
  readonly dnsSearch?: readonly string[];
  readonly dnsOptions?: readonly string[];

  readonly labels?: Readonly<Record<string, string>>;
  readonly sysctls?: Readonly<Record<string, string>>;
  /** By name; -1 means unlimited. */
  readonly ulimits?: Readonly<Record<string, { readonly soft: number; readonly hard: number }>>;
  readonly shmSizeBytes?: number;
  readonly memoryBytes?: number;
  readonly memorySwapBytes?: number;
  readonly memoryReservationBytes?: number;
  readonly cpus?: number;
  readonly cpuSet?: string;
  readonly cpuShares?: number;
  readonly pidsLimit?: number;
  readonly oomScoreAdjust?: number;
  readonly oomKillDisable?: boolean;
  /** The name of a runtime of the engine, such as `runsc`. */
  readonly runtime?: string;

  /** Its own root is not writable. */
  readonly readOnlyRoot?: boolean;
  readonly capAdd?: readonly string[];
  readonly capDrop?: readonly string[];
  readonly securityOptions?: readonly string[];
  readonly privileged?: boolean;
  readonly devices?: readonly DeviceSpec[];
  readonly deviceCgroupRules?: readonly string[];
  readonly gpus?: 'all' | number;
  /** Namespaces that it shares with the machine. */
  readonly hostNamespaces?: readonly HostNamespace[];
  readonly cgroupParent?: string;
  /** Why it may do what would let it out of its container. What is not here is refused when the config is read. */
  readonly allow?: Partial<Readonly<Record<Allowance, string>>>;
}

/** A name in the container's `/etc/hosts` that leads to taps of its own. */
export interface PeerNameSpec {
  /** As the program knows it; often, but not always, the name of the service. */
  readonly name: string;
  /** The service or resource behind it. */
  readonly to: string;
  /**
   * The port as the program knows it, and the provider's listener that answers there. Empty: nobody knows the ports; the
   * two share a plain network then, and no tap sees what passes.
   */
  readonly ports: ReadonlyArray<{ readonly port: number; readonly listener: string }>;
}

export interface BuildSpec {
  /** Absolute path of the folder. */
  readonly context: string;
  /** Relative to `context`, or absolute; `Dockerfile` when absent. */
  readonly dockerfile?: string;
  /** Its text, instead of a file. */
  readonly dockerfileInline?: string;
  readonly args?: Readonly<Record<string, string>>;
  readonly target?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly network?: string;
  readonly extraHosts?: Readonly<Record<string, string>>;
  readonly shmSizeBytes?: number;
  readonly noCache?: boolean;
}

export type MountSpec =
  | {
      readonly kind: 'bind';
      /** Absolute path on this machine; a file or a folder. */
      readonly source: string;
      readonly target: string;
      readonly readOnly: boolean;
      /** Writes reach `source` itself; otherwise a writable mount is a copy of the environment's own. */
      readonly direct?: boolean;
      /** An absent `source` is an empty folder, not an error. */
      readonly createSource?: boolean;
    }
  | {
      readonly kind: 'volume';
      /** Containers of an environment that name the same volume share it. Absent: one of its own. */
      readonly name?: string;
      readonly target: string;
      readonly readOnly: boolean;
      /** It begins empty, without what the image has at `target`. */
      readonly noCopy?: boolean;
      /** `local` when absent. */
      readonly driver?: string;
      readonly driverOptions?: Readonly<Record<string, string>>;
    }
  | {
      /** The volume of the config with this name, which processes use, too. */
      readonly kind: 'shared';
      readonly name: string;
      readonly target: string;
      readonly readOnly: boolean;
    }
  | {
      readonly kind: 'tmpfs';
      readonly target: string;
      readonly sizeBytes?: number;
      /** Permissions, such as 0o1777. */
      readonly mode?: number;
    }
  /** A file with this text, such as a `config` or a `secret`; references in it are resolved. */
  | {
      readonly kind: 'file';
      readonly text: string;
      readonly target: string;
      readonly mode?: number;
      readonly uid?: number;
      readonly gid?: number;
    };

export interface HealthcheckSpec {
  /** `['CMD', 'curl', …]` or `['CMD-SHELL', 'curl … || exit 1']`; absent: that of the image. */
  readonly test?: readonly string[];
  readonly intervalMs?: number;
  readonly timeoutMs?: number;
  readonly startPeriodMs?: number;
  readonly startIntervalMs?: number;
  readonly retries?: number;
}

export interface DeviceSpec {
  readonly host: string;
  readonly target: string;
  /** Such as `rwm`. */
  readonly permissions: string;
}

export type HostNamespace = 'network' | 'pid' | 'ipc' | 'uts' | 'users' | 'cgroup';

/** What a container needs a reason for, because it reaches out of its environment. */
export type Allowance = (typeof allowances)[number];

export const allowances = [
  'privileged',
  'capabilities',
  'devices',
  'network',
  'pid',
  'ipc',
  'uts',
  'users',
  'cgroup',
  'security',
  'socket',
  'writes',
] as const;
