/** The short form of a port, `127.0.0.1:8000-8001:80-81/tcp`, as maps, one for each port. */
import type { YamlNode } from '../source/yaml-tree.ts';
import { tagOf, toList } from './canonical-lists.ts';
import { itemsOf, listNode, mapNode, scalar, textOf, wrongValue } from './compose-node.ts';
import type { ComposeReport } from './compose-report.ts';

const short = /^(?:(?:(\[[^\]]*\]|[\d.]+|[a-z][\w.-]*):)?(\d*(?:-\d+)?):)?(\d+(?:-\d+)?)(?:\/(\w+))?$/i;
/** Of one range. */
const mostPorts = 1_000;

export function canonicalPorts(node: YamlNode, report: ComposeReport): YamlNode {
  const items = itemsOf(toList(node)).flatMap((item) =>
    item.kind === 'map' ? [item] : portsOf(item, report),
  );
  return { ...listNode(node.at, items), ...tagOf(node) };
}

function portsOf(item: YamlNode, report: ComposeReport): readonly YamlNode[] {
  const text = textOf(item) ?? '';
  const [whole, host, published = '', target = '', protocol = 'tcp'] = short.exec(text) ?? [];
  const targets = rangeOf(target);
  const hosts = published === '' ? [] : rangeOf(published);
  const fits =
    targets && hosts && (hosts.length === 0 || targets.length === 1 || hosts.length === targets.length);
  if (whole === undefined || !fits) {
    const allowed = "'80', '8080:80', '127.0.0.1:8080:80/tcp', '8000-8010:8000-8010', or a map with `target`";
    report.problem(wrongValue(item, 'ports', allowed, 'write HOST:CONTAINER, in quotes'));
    return [];
  }
  return targets.map((port, index) =>
    mapNode(item.at, {
      target: scalar(item.at, port),
      published:
        hosts.length === 0 ? undefined : scalar(item.at, publishedOf(published, hosts, targets, index)),
      host_ip: host === undefined ? undefined : scalar(item.at, host.replace(/^\[|\]$/g, '')),
      protocol: scalar(item.at, protocol),
    }),
  );
}

/** Of a range for one port, any will do. */
function publishedOf(
  written: string,
  hosts: readonly number[],
  targets: readonly number[],
  index: number,
): string {
  return hosts.length === targets.length ? String(hosts[index]) : written;
}

/** All ports of `8000-8010`; undefined when it is none. */
export function rangeOf(text: string): readonly number[] | undefined {
  const [first, last = first] = text.split('-').map(Number);
  if (first === undefined || last === undefined || !isPort(first) || !isPort(last)) return undefined;
  if (last < first || last - first >= mostPorts) return undefined;
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 0 && port <= 65_535;
}
