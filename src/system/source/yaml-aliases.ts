/** The node that each alias of a YAML document means, found in one pass. */
import { type Alias, type Document, type Node, visit } from 'yaml';

export function yamlAliases(document: Document.Parsed): ReadonlyMap<Alias, Node> {
  const anchors = new Map<string, Node>();
  const found = new Map<Alias, Node>();
  visit(document, {
    Value: (_, node) => void (node.anchor && anchors.set(node.anchor, node)),
    Alias: (_, alias) => {
      const target = anchors.get(alias.source);
      if (target) found.set(alias, target);
    },
  });
  return found;
}
