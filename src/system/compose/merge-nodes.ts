/** Merges two canonical values of compose files by the rules of the specification: the second one counts more. */
import type { MapNode, YamlEntry, YamlNode } from '../source/yaml-tree.ts';
import { fieldOf, isNull, textOf } from './compose-node.ts';

/** Lists that the second replaces as a whole. */
const replaced = /(?:^|\.)(?:command|entrypoint|healthcheck\.test)$/;

/** What makes two items of a list the same one. */
const sameness: Readonly<Record<string, (item: YamlNode) => string>> = {
  ports: (item) => fieldsOf(item, ['host_ip', 'published', 'target', 'protocol']),
  volumes: (item) => fieldsOf(item, ['target']),
  secrets: (item) => targetOf(item, '/run/secrets/'),
  configs: (item) => targetOf(item, '/'),
  env_file: (item) => fieldsOf(item, ['path']),
};

/** `path` begins within a service. */
export function mergeNodes(
  base: YamlNode | undefined,
  over: YamlNode,
  path: readonly string[] = [],
): YamlNode {
  if (base === undefined || over.tag === '!override' || over.tag === '!reset') return over;
  if (isNull(over)) return base;
  if (base.kind === 'map' && over.kind === 'map') return mergeMaps(base, over, path);
  if (base.kind !== 'list' || over.kind !== 'list' || replaced.test(path.join('.'))) return over;
  const keyOf = sameness[path.join('.')] ?? ((item: YamlNode) => textOf(item) ?? '');
  const items = new Map<string, YamlNode>();
  for (const item of [...base.items, ...over.items]) {
    const key = keyOf(item) || `#${items.size}`;
    const before = items.get(key);
    items.set(key, before?.kind === 'map' && item.kind === 'map' ? mergeItems(path, before, item) : item);
  }
  return { ...over, items: [...items.values()] };
}

/** A mount of another type has nothing in common with the one before. */
function mergeItems(path: readonly string[], before: MapNode, item: MapNode): YamlNode {
  const isOther = textOf(fieldOf(before, 'type')) !== textOf(fieldOf(item, 'type'));
  return isOther ? item : mergeNodes(before, item, [...path, '*']);
}

function mergeMaps(base: MapNode, over: MapNode, path: readonly string[]): MapNode {
  const entries = new Map<string, YamlEntry>(base.entries);
  for (const [name, entry] of over.entries)
    entries.set(name, {
      key: entry.key,
      node: mergeNodes(base.entries.get(name)?.node, entry.node, [...path, name]),
    });
  return { ...over, entries };
}

/** Without what was reset, and without the marks. Once all files are merged. */
export function applyResets(node: YamlNode): YamlNode | undefined {
  if (node.tag === '!reset') return undefined;
  if (node.kind === 'scalar') return node;
  if (node.kind === 'list') return { ...node, items: node.items.flatMap((item) => applyResets(item) ?? []) };
  const kept = [...node.entries].flatMap(([name, entry]): [string, YamlEntry][] => {
    const value = applyResets(entry.node);
    return value ? [[name, { key: entry.key, node: value }]] : [];
  });
  return { ...node, entries: new Map(kept) };
}

function fieldsOf(item: YamlNode, names: readonly string[]): string {
  return names.map((name) => textOf(fieldOf(item, name)) ?? '').join(' ');
}

function targetOf(item: YamlNode, folder: string): string {
  const target = textOf(fieldOf(item, 'target')) ?? textOf(fieldOf(item, 'source')) ?? '';
  return target.startsWith('/') ? target : `${folder}${target}`;
}
