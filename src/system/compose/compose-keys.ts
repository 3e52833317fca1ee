/** Every key of a compose file, and what becomes of it. The page about compose files has the same table. */

/** `used`: it works. Otherwise why it makes no difference here, or why it is refused, and what to do instead. */
export type KeyFate =
  | 'used'
  | { readonly ignored: string }
  | { readonly refused: string; readonly next: string };

export type KeyTable = Readonly<Record<string, KeyFate>>;

const elsewhere = { ignored: 'it is for other ways to run the file' };
const logs = { ignored: 'output goes to the log of the service' };
const once = { ignored: 'one environment, one container each' };
const windows = { ignored: 'it is for Windows' };
const tuning = { ignored: 'it changes how fast things are, not what they do' };
const addresses = { ignored: 'networks belong to the environment, with addresses of its own' };

function used(...keys: readonly string[]): KeyTable {
  return Object.fromEntries(keys.map((key) => [key, 'used']));
}

export const fileKeys: KeyTable = {
  ...used('name', 'version', 'include', 'services', 'networks', 'volumes', 'configs', 'secrets'),
  models: {
    refused: 'models are provided by an extension of Docker',
    next: 'declare a resource: `model: { kind: model }`',
  },
};

const namespaces = ['pid', 'ipc', 'uts', 'userns_mode', 'cgroup', 'network_mode'];

export const serviceKeys: KeyTable = {
  ...used(
    'image',
    'build',
    'platform',
    'pull_policy',
    'command',
    'entrypoint',
    'working_dir',
    'user',
    'group_add',
  ),
  ...used('environment', 'env_file', 'extends', 'profiles', 'depends_on', 'healthcheck', 'restart', 'deploy'),
  ...used('ports', 'expose', 'networks', 'links', 'extra_hosts', 'dns', 'dns_search', 'dns_opt', 'hostname'),
  ...used('domainname', 'container_name', 'volumes', 'tmpfs', 'configs', 'secrets', 'labels', 'init', 'tty'),
  ...used('stdin_open', 'read_only', 'cap_add', 'cap_drop', 'security_opt', 'privileged', 'devices', 'gpus'),
  ...used(
    'device_cgroup_rules',
    'cgroup_parent',
    ...namespaces,
    'stop_signal',
    'stop_grace_period',
    'shm_size',
  ),
  ...used(
    'sysctls',
    'ulimits',
    'mem_limit',
    'mem_reservation',
    'memswap_limit',
    'cpus',
    'cpuset',
    'cpu_shares',
  ),
  ...used('pids_limit', 'oom_score_adj', 'oom_kill_disable', 'runtime'),
  scale: once,
  logging: logs,
  attach: logs,
  develop: elsewhere,
  annotations: elsewhere,
  label_file: elsewhere,
  pull_refresh_after: elsewhere,
  blkio_config: tuning,
  cpu_count: windows,
  cpu_percent: windows,
  cpu_quota: tuning,
  cpu_period: tuning,
  cpu_rt_period: tuning,
  cpu_rt_runtime: tuning,
  mem_swappiness: tuning,
  storage_opt: tuning,
  mac_address: addresses,
  isolation: windows,
  credential_spec: windows,
  external_links: {
    refused: 'a container outside of the file is not part of the environment',
    next: 'declare it as a service or a resource, and remove the link',
  },
  volumes_from: { refused: 'volumes are shared by name', next: 'name the volume in both services' },
  models: {
    refused: 'models are provided by an extension of Docker',
    next: 'declare a resource: `model: { kind: model }`',
  },
  provider: {
    refused: 'an extension of Docker starts it',
    next: '`replace` it by a resource or a service of the config',
  },
  use_api_socket: {
    refused: 'it hands out the engine of this machine',
    next: 'mount the socket and allow it',
  },
  post_start: { refused: 'hooks are not run', next: 'make it a service of its own that runs once' },
  pre_start: { refused: 'hooks are not run', next: 'make it a service of its own that runs once' },
  pre_stop: { refused: 'hooks are not run', next: 'handle the stop signal in the program' },
};

export const buildKeys: KeyTable = {
  ...used('context', 'dockerfile', 'dockerfile_inline', 'args', 'target', 'labels', 'network', 'extra_hosts'),
  ...used('shm_size', 'no_cache'),
  cache_from: tuning,
  cache_to: tuning,
  pull: { ignored: 'images that are here are used' },
  tags: elsewhere,
  platforms: elsewhere,
  provenance: elsewhere,
  sbom: elsewhere,
  isolation: windows,
  ulimits: tuning,
  additional_contexts: { refused: 'a build has one context', next: 'copy what is needed into the context' },
  entitlements: {
    refused: 'a build gets no rights of its own',
    next: 'build the image before, and name it in `image`',
  },
  privileged: {
    refused: 'a build gets no rights of its own',
    next: 'build the image before, and name it in `image`',
  },
  secrets: { refused: 'a build gets no secrets', next: 'build the image before, and name it in `image`' },
  ssh: { refused: 'a build gets no keys', next: 'build the image before, and name it in `image`' },
};

export const healthcheckKeys = used(
  'test',
  'interval',
  'timeout',
  'retries',
  'start_period',
  'start_interval',
  'disable',
);

export const deployKeys: KeyTable = {
  ...used('resources'),
  mode: once,
  replicas: once,
  endpoint_mode: once,
  labels: elsewhere,
  placement: once,
  restart_policy: { ignored: 'only `restart` says when a container is started again' },
  rollback_config: elsewhere,
  update_config: elsewhere,
};

export const networkKeys: KeyTable = {
  ...used('name', 'external'),
  driver: addresses,
  driver_opts: addresses,
  ipam: addresses,
  internal: addresses,
  attachable: addresses,
  enable_ipv4: addresses,
  enable_ipv6: addresses,
  labels: elsewhere,
};

export const serviceNetworkKeys: KeyTable = {
  ...used('aliases'),
  ipv4_address: addresses,
  ipv6_address: addresses,
  link_local_ips: addresses,
  mac_address: addresses,
  driver_opts: addresses,
  interface_name: addresses,
  gw_priority: addresses,
  priority: addresses,
};

export const volumeKeys: KeyTable = {
  ...used('name', 'external', 'driver', 'driver_opts'),
  labels: elsewhere,
};

const files = used('name', 'external', 'file', 'environment');

export const configKeys: KeyTable = {
  ...files,
  ...used('content'),
  labels: elsewhere,
  template_driver: elsewhere,
};

export const secretKeys: KeyTable = {
  ...files,
  driver: elsewhere,
  driver_opts: elsewhere,
  labels: elsewhere,
  template_driver: elsewhere,
};

export const portKeys: KeyTable = {
  ...used('target', 'protocol', 'name', 'app_protocol', 'published', 'host_ip'),
  mode: once,
};

export const mountKeys: KeyTable = {
  ...used('type', 'source', 'target', 'read_only', 'bind', 'volume', 'tmpfs'),
  consistency: tuning,
  image: { refused: 'an image cannot be mounted', next: 'copy the files in a Dockerfile' },
};

export const fileMountKeys = used('source', 'target', 'uid', 'gid', 'mode');
export const envFileKeys = used('path', 'required', 'format');
export const dependencyKeys: KeyTable = { ...used('condition', 'required'), restart: once };
export const includeKeys = used('path', 'project_directory', 'env_file');
export const extendsKeys = used('file', 'service');

/** The sections by the names that the page gives them. */
export const keyTables: Readonly<Record<string, KeyTable>> = {
  'the file': fileKeys,
  'a service': serviceKeys,
  build: buildKeys,
  healthcheck: healthcheckKeys,
  deploy: deployKeys,
  'a port': portKeys,
  'a volume of a service': mountKeys,
  'a network of a service': serviceNetworkKeys,
  networks: networkKeys,
  volumes: volumeKeys,
  configs: configKeys,
  secrets: secretKeys,
};
