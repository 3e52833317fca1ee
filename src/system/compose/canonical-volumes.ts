/** The short form of a volume, `./src:/app:ro`, as a map, with an absolute path. */
import type { YamlNode } from '../source/yaml-tree.ts';
import { tagOf, toList } from './canonical-lists.ts';
import {
  fieldOf,
  itemsOf,
  listNode,
  mapNode,
  scalar,
  textOf,
  withField,
  wrongValue,
} from './compose-node.ts';
import type { Folder } from './compose-paths.ts';
import { resolvePath } from './compose-paths.ts';
import type { ComposeReport } from './compose-report.ts';

export function canonicalVolumes(node: YamlNode, folder: Folder, report: ComposeReport): YamlNode {
  const items = itemsOf(toList(node)).flatMap((item) =>
    item.kind === 'map' ? [withPath(item, folder)] : mountOf(item, folder, report),
  );
  return { ...listNode(node.at, items), ...tagOf(node) };
}

function withPath(item: YamlNode & { kind: 'map' }, folder: Folder): YamlNode {
  const source = fieldOf(item, 'source');
  const path = textOf(source);
  if (textOf(fieldOf(item, 'type')) !== 'bind' || source === undefined || path === undefined) return item;
  return withField(item, 'source', scalar(source.at, resolvePath(path, folder)));
}

function mountOf(item: YamlNode, folder: Folder, report: ComposeReport): readonly YamlNode[] {
  const [first = '', second, options = '', ...more] = (textOf(item) ?? '').split(':');
  const at = item.at;
  if (first === '' || second === '' || more.length > 0) {
    const allowed = "'name:/path', './folder:/path:ro', '/path', or a map with `type`, `source` and `target`";
    report.problem(wrongValue(item, 'volumes', allowed, 'write SOURCE:TARGET or SOURCE:TARGET:ro'));
    return [];
  }
  if (second === undefined) return [mapNode(at, { type: scalar(at, 'volume'), target: scalar(at, first) })];
  const words = options.split(',');
  const isPath = /^(?:[./~]|[a-z]:[\\/])/i.test(first);
  return [
    mapNode(at, {
      type: scalar(at, isPath ? 'bind' : 'volume'),
      source: scalar(at, isPath ? resolvePath(first, folder) : first),
      target: scalar(at, second),
      read_only: words.includes('ro') ? scalar(at, true) : undefined,
      // Docker makes a folder where a short form names nothing.
      bind: isPath ? mapNode(at, { create_host_path: scalar(at, true) }) : undefined,
      volume: !isPath && words.includes('nocopy') ? mapNode(at, { nocopy: scalar(at, true) }) : undefined,
    }),
  ];
}
