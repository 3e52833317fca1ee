/** A service of a compose file with long forms only and with absolute paths, so that services can be merged. */
import type { MapNode, YamlNode } from '../source/yaml-tree.ts';
import { tagOf, toList, toMap, toMaps, toNames } from './canonical-lists.ts';
import { canonicalPorts } from './canonical-ports.ts';
import { canonicalVolumes } from './canonical-volumes.ts';
import { fieldOf, isNull, itemsOf, listNode, mapNode, scalar, textOf, withField } from './compose-node.ts';
import type { Folder } from './compose-paths.ts';
import { isRemote, resolvePath } from './compose-paths.ts';
import type { ComposeReport } from './compose-report.ts';

type Change = (node: YamlNode, folder: Folder, report: ComposeReport) => YamlNode;

const nothing = (item: YamlNode): YamlNode => scalar(item.at, null);
const started = (item: YamlNode): YamlNode =>
  mapNode(item.at, { condition: scalar(item.at, 'service_started') });

const changes: Readonly<Record<string, Change>> = {
  environment: (node) => toMap(node),
  labels: (node) => toMap(node),
  annotations: (node) => toMap(node),
  sysctls: (node) => toMap(node),
  extra_hosts: (node) => hostsOf(node),
  depends_on: (node) => toNames(node, started),
  networks: (node) => toNames(node, nothing),
  env_file: (node, folder) => withPaths(toMaps(node, 'path'), folder),
  secrets: (node) => toMaps(node, 'source'),
  configs: (node) => toMaps(node, 'source'),
  ports: (node, _, report) => canonicalPorts(node, report),
  volumes: (node, folder, report) => canonicalVolumes(node, folder, report),
  tmpfs: (node) => toList(node),
  dns: (node) => toList(node),
  dns_search: (node) => toList(node),
  profiles: (node) => toList(node),
  extends: (node) => (node.kind === 'scalar' ? mapNode(node.at, { service: node }) : node),
  build: (node, folder) => buildOf(node, folder),
};

export function canonicalService(service: MapNode, folder: Folder, report: ComposeReport): MapNode {
  let made = service;
  for (const [key, change] of Object.entries(changes)) {
    const node = fieldOf(service, key);
    if (node && !isNull(node)) made = withField(made, key, change(node, folder, report));
  }
  return made;
}

/** `name:address` or `name=address`; the name ends at the first of them. */
function hostsOf(node: YamlNode): YamlNode {
  return toMap(node, '=:');
}

function withPaths(files: YamlNode, folder: Folder): YamlNode {
  const items = itemsOf(files).map((item) => {
    const path = fieldOf(item, 'path');
    const written = textOf(path);
    if (item.kind !== 'map' || path === undefined || written === undefined) return item;
    return withField(item, 'path', scalar(path.at, resolvePath(written, folder)));
  });
  return { ...listNode(files.at, items), ...tagOf(files) };
}

function buildOf(node: YamlNode, folder: Folder): YamlNode {
  const build = node.kind === 'scalar' ? { ...mapNode(node.at, { context: node }), ...tagOf(node) } : node;
  if (build.kind !== 'map') return build;
  const context = fieldOf(build, 'context');
  const written = textOf(context) ?? '.';
  const path = isRemote(written) ? written : resolvePath(written, folder);
  let made = withField(build, 'context', scalar(context?.at ?? build.at, path));
  for (const key of ['args', 'labels', 'extra_hosts']) {
    const field = fieldOf(build, key);
    if (field) made = withField(made, key, key === 'extra_hosts' ? hostsOf(field) : toMap(field));
  }
  return made;
}
