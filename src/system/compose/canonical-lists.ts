/** The short forms of lists and maps in a compose file, as their long forms. */
import type { MapNode, YamlEntry, YamlNode } from '../source/yaml-tree.ts';
import { isNull, itemsOf, listNode, mapNode, scalar, textOf } from './compose-node.ts';

/** `['NAME=value', 'NAME']` as a map; a name without a value is empty. */
export function toMap(node: YamlNode, separators = '='): YamlNode {
  if (node.kind !== 'list') return node;
  const entries = node.items.flatMap((item): [string, YamlEntry][] => {
    const text = textOf(item);
    if (text === undefined) return [];
    const cut = [...text].findIndex((letter) => separators.includes(letter));
    const [name, value] = cut < 0 ? [text, null] : [text.slice(0, cut), text.slice(cut + 1)];
    return [[name.trim(), { key: item.at, node: scalar(item.at, value) }]];
  });
  return { kind: 'map', at: node.at, entries: new Map(entries), ...(node.tag ? { tag: node.tag } : {}) };
}

/** `['a', 'b']` as a map of names to nothing, or to what `toValue` makes. */
export function toNames(node: YamlNode, toValue: (item: YamlNode) => YamlNode): YamlNode {
  if (node.kind !== 'list') return node;
  const entries = node.items.flatMap((item): [string, YamlEntry][] => {
    const name = textOf(item);
    return name === undefined ? [] : [[name, { key: item.at, node: toValue(item) }]];
  });
  return { kind: 'map', at: node.at, entries: new Map(entries), ...(node.tag ? { tag: node.tag } : {}) };
}

/** One value or several, as a list. */
export function toList(node: YamlNode): YamlNode {
  return node.kind === 'scalar' && !isNull(node) ? { ...listNode(node.at, [node]), ...tagOf(node) } : node;
}

/** Each item as a map; a text is the value of `key`. */
export function toMaps(node: YamlNode, key: string): YamlNode {
  const items = itemsOf(toList(node)).map((item) =>
    item.kind === 'scalar' ? mapNode(item.at, { [key]: item }) : item,
  );
  return isNull(node) ? node : { ...listNode(node.at, items), ...tagOf(node) };
}

export function tagOf(node: YamlNode): { readonly tag?: string } {
  return node.tag === undefined ? {} : { tag: node.tag };
}

/** Every text in a value replaced. */
export function mapScalars(
  node: YamlNode,
  change: (node: YamlNode & { kind: 'scalar' }) => YamlNode,
): YamlNode {
  if (node.kind === 'scalar') return change(node);
  if (node.kind === 'list') return { ...node, items: node.items.map((item) => mapScalars(item, change)) };
  const entries = [...node.entries].map(([name, entry]): [string, YamlEntry] => [
    name,
    { key: entry.key, node: mapScalars(entry.node, change) },
  ]);
  return { ...node, entries: new Map(entries) } satisfies MapNode;
}
