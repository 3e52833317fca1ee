/** Turns the ranges of a parsed YAML document into the tree of positions that problems point at. */
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { SourceNode, Span } from './config-source.ts';

type Children = ReadonlyMap<string, SourceNode>;

const none: Children = new Map();

export function yamlSourceNode(document: Document.Parsed): SourceNode {
  /** One entry per anchor, so that aliases share their children and a loop of aliases ends. */
  const seen = new Map<Node, Children>();

  const childrenOf = (node: Node): Children => {
    const known = seen.get(node);
    if (known) return known;
    const children = new Map<string, SourceNode>();
    seen.set(node, children);
    if (isAlias(node)) {
      const target = node.resolve(document);
      for (const [key, child] of target ? childrenOf(target) : none) children.set(key, child);
    } else if (isMap(node)) addPairs(node, children);
    else if (isSeq(node)) addItems(node, children);
    return children;
  };

  const addPairs = (map: YAMLMap, children: Map<string, SourceNode>): void => {
    const merged = map.items.filter(isMerge);
    for (const pair of merged) {
      for (const [key, child] of isNode(pair.value) ? mergedChildren(pair.value) : none)
        children.set(key, child);
    }
    for (const pair of map.items) {
      if (isMerge(pair) || !isScalar(pair.key)) continue;
      children.set(String(pair.key.value), nodeFor(pair.value, spanOf(pair.key)));
    }
  };

  const mergedChildren = (value: Node): Children => {
    if (!isSeq(value)) return childrenOf(value);
    return new Map(value.items.toReversed().flatMap((item) => (isNode(item) ? [...childrenOf(item)] : [])));
  };

  const addItems = (list: YAMLSeq, children: Map<string, SourceNode>): void => {
    for (const [index, item] of list.items.entries()) children.set(String(index), nodeFor(item, undefined));
  };

  const nodeFor = (value: unknown, key: Span | undefined): SourceNode => {
    const node = isNode(value) ? value : undefined;
    const span = node ? spanOf(node) : undefined;
    const source = isScalar(node) && node.type === 'PLAIN' ? node.source : undefined;
    return {
      ...(key ? { key } : {}),
      value: span && span.end > span.start ? span : (key ?? span ?? { start: 0, end: 1 }),
      ...(source === undefined ? {} : { written: source }),
      children: node ? childrenOf(node) : none,
    };
  };

  return nodeFor(document.contents, undefined);
}

function isMerge(pair: Pair): boolean {
  return (
    isScalar(pair.key) &&
    (pair.key.value === '<<' || pair.key.source === '<<') &&
    pair.key.type !== 'QUOTE_DOUBLE'
  );
}

function spanOf(node: Node): Span {
  const range = node.range;
  return range ? { start: range[0], end: range[1] } : { start: 0, end: 1 };
}
