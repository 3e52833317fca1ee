/** One service of a compose file, in its long form, as a model. */
import { defined } from '../../kernel/defined.ts';
import type { MapNode, YamlNode, YamlPlace } from '../source/yaml-tree.ts';
import { rangeOf } from './canonical-ports.ts';
import { checkedMap } from './check-keys.ts';
import {
  buildKeys,
  dependencyKeys,
  deployKeys,
  healthcheckKeys,
  portKeys,
  serviceKeys,
  serviceNetworkKeys,
} from './compose-keys.ts';
import type { ComposePort, ComposeService, Dependency } from './compose-model.ts';
import { composeProblem, entriesOf, fieldOf, isNull, itemsOf, textOf, wrongValue } from './compose-node.ts';
import type { ComposeReport } from './compose-report.ts';
import { ComposeValues } from './compose-values.ts';
import { mountsOf } from './service-mounts.ts';

export interface ServiceParts {
  readonly name: string;
  readonly at: YamlPlace;
  readonly node: MapNode;
  readonly environment: Readonly<Record<string, string>>;
}

export function serviceModel(parts: ServiceParts, report: ComposeReport): ComposeService {
  const { name, node, at } = parts;
  checkKeys(name, node, report);
  const values = new ComposeValues((key) => fieldOf(node, key), report);
  const image = values.text('image');
  if (image === undefined && isNull(fieldOf(node, 'build')) && isNull(fieldOf(node, 'provider')))
    report.problem(
      composeProblem(at, {
        code: 'config.missing-key',
        what: `the service \`${name}\` has neither \`image\` nor \`build\``,
        allowed: '`image`, `build`, or both',
        next: 'add `image`',
      }),
    );
  return {
    ...parts,
    ...defined({ image, command: values.command('command'), entrypoint: values.command('entrypoint') }),
    dependsOn: dependenciesOf(node, report),
    ports: itemsOf(fieldOf(node, 'ports')).flatMap((item) => portOf(item, report)),
    expose: exposeOf(node, report),
    mounts: mountsOf(node, report),
    networks: networksOf(node, report),
    links: linksOf(values.texts('links') ?? []),
    profiles: values.texts('profiles') ?? [],
  };
}

function checkKeys(name: string, node: MapNode, report: ComposeReport): void {
  checkedMap(node, `the service \`${name}\``, serviceKeys, report);
  checkedMap(fieldOf(node, 'build'), '`build`', buildKeys, report);
  checkedMap(fieldOf(node, 'healthcheck'), '`healthcheck`', healthcheckKeys, report);
  checkedMap(fieldOf(node, 'deploy'), '`deploy`', deployKeys, report);
}

const conditions = ['service_started', 'service_healthy', 'service_completed_successfully'] as const;

function dependenciesOf(node: MapNode, report: ComposeReport): Readonly<Record<string, Dependency>> {
  const found = entriesOf(fieldOf(node, 'depends_on')).flatMap(([name, entry]): [string, Dependency][] => {
    const map = checkedMap(entry.node, '`depends_on`', dependencyKeys, report);
    const written = fieldOf(map, 'condition');
    const condition = conditions.find((one) => one === (textOf(written) ?? 'service_started'));
    if (condition === undefined) {
      report.problem(wrongValue(written ?? entry.node, 'condition', conditions.join(', ')));
      return [];
    }
    return [[name, { condition, required: textOf(fieldOf(map, 'required')) !== 'false', at: entry.key }]];
  });
  return Object.fromEntries(found);
}

function portOf(item: YamlNode, report: ComposeReport): readonly ComposePort[] {
  const map = checkedMap(item, '`ports`', portKeys, report);
  if (map === undefined) return [];
  const values = new ComposeValues((key) => fieldOf(map, key), report);
  const targets = rangeOf(values.text('target') ?? '');
  if (targets === undefined) {
    report.problem(wrongValue(fieldOf(map, 'target') ?? item, 'target', 'a port from 1 to 65535'));
    return [];
  }
  const published = values.text('published');
  return targets.map((target) =>
    defined({
      target,
      published: published === '' ? undefined : published,
      hostIp: values.text('host_ip'),
      protocol: values.text('protocol') ?? 'tcp',
      name: values.text('name'),
      appProtocol: values.text('app_protocol'),
    }),
  );
}

function exposeOf(node: MapNode, report: ComposeReport): readonly number[] {
  const ports = itemsOf(fieldOf(node, 'expose')).flatMap((item) => {
    const [range = '', protocol = 'tcp'] = (textOf(item) ?? '').split('/');
    const found = rangeOf(range);
    if (found === undefined)
      report.problem(wrongValue(item, 'expose', "a port such as '3000', '8080-8085/tcp'"));
    return protocol === 'tcp' ? (found ?? []) : [];
  });
  return [...new Set(ports)];
}

/** Without `networks`, the service is in the network `default`. */
function networksOf(node: MapNode, report: ComposeReport): Readonly<Record<string, readonly string[]>> {
  const mode = textOf(fieldOf(node, 'network_mode'));
  const networks = entriesOf(fieldOf(node, 'networks'));
  if (mode !== undefined && mode !== 'bridge' && mode !== 'default') return {};
  if (networks.length === 0) return { default: [] };
  return Object.fromEntries(
    networks.map(([name, entry]) => {
      const map = checkedMap(entry.node, '`networks`', serviceNetworkKeys, report);
      return [name, itemsOf(fieldOf(map, 'aliases')).flatMap((alias) => textOf(alias) ?? [])];
    }),
  );
}

function linksOf(links: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    links.map((link) => {
      const [service = '', alias = service] = link.split(':');
      return [alias, service];
    }),
  );
}
