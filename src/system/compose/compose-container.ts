/** What the engine is told of one service of a compose file. Its texts are final: nothing in them is a reference. */
import { defined } from '../../kernel/defined.ts';
import { escapeReferences } from '../../kernel/references.ts';
import type {
  BuildSpec,
  ContainerSpec,
  DeviceSpec,
  HealthcheckSpec,
  HostNamespace,
} from '../container-spec.ts';
import type { ComposeProject, ComposeService } from './compose-model.ts';
import { composeMounts } from './compose-mounts.ts';
import { composeProblem, entriesOf, fieldOf, isNull, isTrue, itemsOf, textOf } from './compose-node.ts';
import { isRemote } from './compose-paths.ts';
import type { ComposeReport } from './compose-report.ts';
import { ComposeValues } from './compose-values.ts';

export type ComposeContainer = Omit<ContainerSpec, 'peers' | 'allow'>;

export function composeContainer(
  service: ComposeService,
  project: ComposeProject,
  report: ComposeReport,
): ComposeContainer {
  const { node } = service;
  const values = new ComposeValues((key) => fieldOf(node, key), report);
  const { image, entrypoint, command } = service;
  return {
    ...defined({
      image,
      build: buildOf(service, report),
      platform: values.text('platform'),
      pull: pullOf(values.text('pull_policy')),
      entrypoint: entrypoint?.map(escapeReferences),
      // A new entrypoint is not given the words that the image has for its own.
      command: (command ?? (entrypoint && entrypoint.length > 0 ? [] : undefined))?.map(escapeReferences),
      ...processOptions(values),
    }),
    mounts: composeMounts(service, project, report),
    ...defined({ healthcheck: healthcheckOf(service, report), restart: restartOf(values.text('restart')) }),
    ...networkOptions(service, values),
    ...limitsOf(service, values, report),
    ...rightsOf(service, values, report),
  };
}

function processOptions(values: ComposeValues) {
  return {
    workingDir: values.text('working_dir'),
    user: values.text('user'),
    groupAdd: values.texts('group_add'),
    hostname: values.text('hostname'),
    domainname: values.text('domainname'),
    tty: values.flag('tty'),
    openStdin: values.flag('stdin_open'),
    init: values.flag('init'),
    labels: escaped(values.map('labels')),
    sysctls: values.map('sysctls'),
    runtime: values.text('runtime'),
    readOnlyRoot: values.flag('read_only'),
  };
}

function escaped(
  texts: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> | undefined {
  if (texts === undefined) return undefined;
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, escapeReferences(text)]));
}

/** What is here is used, unless it must be fetched. */
function pullOf(written: string | undefined): ContainerSpec['pull'] {
  return written === 'always' || written === 'never' ? written : undefined;
}

function buildOf({ name, node }: ComposeService, report: ComposeReport): BuildSpec | undefined {
  const build = fieldOf(node, 'build');
  if (build === undefined || isNull(build)) return undefined;
  const values = new ComposeValues((key) => fieldOf(build, key), report);
  const context = values.text('context') ?? '.';
  if (isRemote(context))
    report.problem(
      composeProblem(fieldOf(build, 'context')?.at ?? build.at, {
        code: 'compose.unsupported',
        what: `\`${name}\` is built from ${context}, which is not a folder`,
        allowed: 'a folder of this machine',
        next: 'build the image before, and name it in `image`, or check the repository out',
      }),
    );
  return defined({
    context,
    dockerfile: values.text('dockerfile'),
    dockerfileInline: values.text('dockerfile_inline'),
    args: escaped(values.map('args')),
    target: values.text('target'),
    labels: escaped(values.map('labels')),
    network: values.text('network'),
    extraHosts: values.map('extra_hosts'),
    shmSizeBytes: values.bytes('shm_size'),
    noCache: values.flag('no_cache'),
  });
}

function healthcheckOf(
  { node }: ComposeService,
  report: ComposeReport,
): HealthcheckSpec | 'none' | undefined {
  const check = fieldOf(node, 'healthcheck');
  if (check === undefined || isNull(check)) return undefined;
  const values = new ComposeValues((key) => fieldOf(check, key), report);
  const written = fieldOf(check, 'test');
  const words = values.texts('test');
  const test = written?.kind === 'scalar' && words ? ['CMD-SHELL', ...words] : words;
  if (isTrue(fieldOf(check, 'disable')) || test?.[0] === 'NONE') return 'none';
  if (test && test[0] !== 'CMD' && test[0] !== 'CMD-SHELL')
    report.problem(
      composeProblem(written?.at ?? check.at, {
        what: `\`test\` begins with \`${test[0] ?? ''}\``,
        allowed: "a text for a shell, or a list that begins with 'CMD', 'CMD-SHELL' or 'NONE'",
        next: `write ['CMD', ${test.map((word) => `'${word}'`).join(', ')}]`,
      }),
    );
  return defined({
    test: test?.map(escapeReferences),
    intervalMs: values.durationMs('interval'),
    timeoutMs: values.durationMs('timeout'),
    startPeriodMs: values.durationMs('start_period'),
    startIntervalMs: values.durationMs('start_interval'),
    retries: values.number('retries'),
  });
}

/** While it is not ready; afterwards an exit is a death, also where the engine would start it again. */
function restartOf(written: string | undefined): ContainerSpec['restart'] {
  const [policy, most] = (written ?? 'no').split(':');
  if (policy === 'always' || policy === 'unless-stopped') return { when: 'always' };
  if (policy !== 'on-failure') return undefined;
  return { when: 'on-failure', ...(most === undefined ? {} : { most: Number(most) }) };
}

function networkOptions({ node }: ComposeService, values: ComposeValues): Partial<ContainerSpec> {
  const hosts = entriesOf(fieldOf(node, 'extra_hosts')).flatMap(([host, entry]) => {
    const address = textOf(entry.node.kind === 'list' ? itemsOf(entry.node)[0] : entry.node);
    return address === undefined ? [] : [[host, address.replace(/^\[(.*)\]$/, '$1')] as const];
  });
  return defined({
    extraHosts: hosts.length === 0 ? undefined : Object.fromEntries(hosts),
    dns: values.texts('dns'),
    dnsSearch: values.texts('dns_search'),
    dnsOptions: values.texts('dns_opt'),
  });
}

function limitsOf(
  { node }: ComposeService,
  values: ComposeValues,
  report: ComposeReport,
): Partial<ContainerSpec> {
  const ofDeploy = (section: string) =>
    new ComposeValues((key) => fieldOf(node, 'deploy', 'resources', section, key), report);
  const limits = ofDeploy('limits');
  const ulimits = entriesOf(fieldOf(node, 'ulimits')).map(([name, entry]) => {
    const both = entry.node.kind === 'scalar' ? Number(textOf(entry.node)) : undefined;
    const one = (key: string): number => both ?? Number(textOf(fieldOf(entry.node, key)) ?? -1);
    return [name, { soft: one('soft'), hard: one('hard') }] as const;
  });
  return defined({
    ulimits: ulimits.length === 0 ? undefined : Object.fromEntries(ulimits),
    shmSizeBytes: values.bytes('shm_size'),
    memoryBytes: values.bytes('mem_limit') ?? limits.bytes('memory'),
    memorySwapBytes: values.bytes('memswap_limit'),
    memoryReservationBytes: values.bytes('mem_reservation') ?? ofDeploy('reservations').bytes('memory'),
    cpus: values.number('cpus') ?? limits.number('cpus'),
    cpuSet: values.text('cpuset'),
    cpuShares: values.number('cpu_shares'),
    pidsLimit: values.number('pids_limit') ?? limits.number('pids'),
    oomScoreAdjust: values.number('oom_score_adj'),
    oomKillDisable: values.flag('oom_kill_disable'),
  });
}

const namespaces = {
  network_mode: 'network',
  pid: 'pid',
  ipc: 'ipc',
  uts: 'uts',
  userns_mode: 'users',
  cgroup: 'cgroup',
} as const;
/** These change nothing where every container has its own. */
const harmless = ['none', 'bridge', 'default', 'private', 'shareable', ''];

function rightsOf(
  service: ComposeService,
  values: ComposeValues,
  report: ComposeReport,
): Partial<ContainerSpec> {
  const { node } = service;
  const shared = Object.entries(namespaces).flatMap(([key, namespace]): HostNamespace[] => {
    const mode = values.text(key);
    if (mode === 'host') return [namespace];
    if (mode !== undefined && !harmless.includes(mode)) report.problem(notShared(service, key, mode));
    return [];
  });
  const gpus = fieldOf(node, 'gpus');
  const list = (key: string) => values.texts(key);
  return defined({
    capAdd: list('cap_add'),
    capDrop: list('cap_drop'),
    securityOptions: list('security_opt'),
    privileged: values.flag('privileged') || undefined,
    devices: devicesOf(node),
    deviceCgroupRules: list('device_cgroup_rules'),
    gpus: gpus && !isNull(gpus) ? ('all' as const) : undefined,
    hostNamespaces: shared.length === 0 ? undefined : shared,
    cgroupParent: values.text('cgroup_parent'),
  });
}

function devicesOf(node: ComposeService['node']): readonly DeviceSpec[] | undefined {
  const devices = itemsOf(fieldOf(node, 'devices')).map((item) => {
    const [host = '', target = host, permissions = 'rwm'] = (textOf(item) ?? '').split(':');
    const long = (key: string) => textOf(fieldOf(item, key));
    return {
      host: long('source') ?? host,
      target: long('target') ?? long('source') ?? target,
      permissions: long('permissions') ?? permissions,
    };
  });
  return devices.length === 0 ? undefined : devices;
}

function notShared({ name, node }: ComposeService, key: string, mode: string) {
  return composeProblem(fieldOf(node, key)?.at ?? node.at, {
    code: 'compose.unsupported',
    what: `\`${key}: ${mode}\` of \`${name}\`: containers do not share their namespaces`,
    allowed: 'none, or `host` with a reason in `allow`',
    next: 'remove it, and reach the other service by its name',
  });
}
