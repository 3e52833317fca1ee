/** A YAML text as a tree in which every value knows its place, for documents that are merged from several files. */
import { isAlias, isMap, isNode, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml';
import { Problem, refuse } from '../../kernel/problem.ts';
import { positionAt, type SourcePosition } from '../../kernel/source-position.ts';
import { yamlAliases } from './yaml-aliases.ts';
import { parseYamlText } from './yaml-document.ts';

export interface YamlPlace {
  readonly file: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

interface NodeFacts {
  readonly at: YamlPlace;
  /** `!reset`, `!override`. */
  readonly tag?: string;
}

export type YamlScalar = string | number | bigint | boolean | null;
export type ScalarNode = NodeFacts & { readonly kind: 'scalar'; readonly value: YamlScalar };
export type ListNode = NodeFacts & { readonly kind: 'list'; readonly items: readonly YamlNode[] };
export type MapNode = NodeFacts & { readonly kind: 'map'; readonly entries: ReadonlyMap<string, YamlEntry> };
export type YamlNode = ScalarNode | ListNode | MapNode;

export interface YamlEntry {
  readonly key: YamlPlace;
  readonly node: YamlNode;
}

/** With aliases written out, a small text can become as large as you like. */
const mostValues = 200_000;
const deepest = 100;

/** Only `tags` may be in the text. */
export function parseYamlTree(file: string, text: string, tags: readonly string[] = []): YamlNode {
  const document = parseYamlText(file, text, 'config.syntax', tags);
  const aliases = yamlAliases(document);
  let values = 0;

  const placeOf = (node: Node | null | undefined, otherwise?: YamlPlace): YamlPlace => {
    const range = node?.range;
    if (range && range[1] > range[0]) return { file, text, start: range[0], end: range[1] };
    return otherwise ?? { file, text, start: range?.[0] ?? 0, end: (range?.[0] ?? 0) + 1 };
  };

  const toNode = (value: unknown, otherwise: YamlPlace | undefined, depth: number): YamlNode => {
    const node = isNode(value) ? value : undefined;
    const at = placeOf(node, otherwise);
    values += 1;
    if (values > mostValues || depth > deepest) refuse([tooLarge(at, depth)]);
    if (isAlias(node)) {
      const target = aliases.get(node);
      if (!target) throw noAnchor(at, node.source);
      return toNode(target, at, depth + 1);
    }
    const facts = { at, ...(node?.tag && tags.includes(node.tag) ? { tag: node.tag } : {}) };
    if (isMap(node)) return { ...facts, kind: 'map', entries: entriesOf(node, depth) };
    if (isSeq(node))
      return { ...facts, kind: 'list', items: node.items.map((item) => toNode(item, undefined, depth + 1)) };
    return { ...facts, kind: 'scalar', value: scalarOf(node) };
  };

  const entriesOf = (map: YAMLMap, depth: number): ReadonlyMap<string, YamlEntry> => {
    const entries = new Map<string, YamlEntry>();
    for (const pair of map.items.filter(isMerge))
      for (const [key, entry] of mergedEntries(pair.value, depth + 1)) entries.set(key, entry);
    for (const pair of map.items) {
      if (isMerge(pair) || !isScalar(pair.key)) continue;
      const key = placeOf(pair.key);
      const name = pair.key.type === 'PLAIN' ? (pair.key.source ?? '') : String(pair.key.value);
      // An entry that is written out stands where it is written, also when it was merged before.
      entries.delete(name);
      entries.set(name, { key, node: toNode(pair.value, key, depth + 1) });
    }
    return entries;
  };

  /** Of several maps, the first counts most. */
  const mergedEntries = (value: unknown, depth: number): Iterable<[string, YamlEntry]> => {
    const node = toNode(value, undefined, depth);
    if (node.kind === 'map') return node.entries;
    const maps = node.kind === 'list' ? node.items.toReversed() : [];
    if (node.kind === 'scalar' || maps.some(({ kind }) => kind !== 'map')) refuse([notMergeable(node.at)]);
    return maps.flatMap((item) => (item.kind === 'map' ? [...item.entries] : []));
  };

  return toNode(document.contents, undefined, 0);
}

export function yamlPosition({ file, text, start, end }: YamlPlace): SourcePosition {
  const lineEnd = text.indexOf('\n', start);
  const line = text.slice(start, Math.min(end, lineEnd < 0 ? text.length : lineEnd)).trimEnd();
  return positionAt(file, text, start, Math.max(1, line.length));
}

function isMerge(pair: Pair): boolean {
  return isScalar(pair.key) && pair.key.source === '<<' && pair.key.type === 'PLAIN';
}

/** Numbers as the readers of Go and Python take them: `0755` is octal, `1_000` is a number. */
function scalarOf(node: Node | undefined): YamlScalar {
  if (!isScalar(node)) return null;
  const { value, source = '', type } = node;
  if (type !== 'PLAIN') return String(value ?? '');
  const digits = source.replaceAll('_', '');
  const [, sign, octal] = /^([-+]?)0([0-7]+)$/.exec(digits) ?? [];
  if (octal !== undefined) return fitting(BigInt(`0o${octal}`) * (sign === '-' ? -1n : 1n));
  if (/^[-+]?(?:0|[1-9]\d*)$/.test(digits) || /^0(?:b[01]+|o[0-7]+|x[\da-f]+)$/i.test(digits))
    return fitting(BigInt(digits.replace(/^\+/, '').toLowerCase()));
  return value === null || typeof value === 'number' || typeof value === 'boolean' ? value : source;
}

function fitting(whole: bigint): number | bigint {
  const number = Number(whole);
  return Number.isSafeInteger(number) ? number : whole;
}

function tooLarge(at: YamlPlace, depth: number): Problem {
  return new Problem({
    code: 'config.syntax',
    where: yamlPosition(at),
    what:
      depth > deepest
        ? `values are nested more than ${deepest} deep here`
        : `with its aliases written out, the document has more than ${mostValues} values`,
    allowed: `at most ${mostValues} values, nested at most ${deepest} deep`,
    next: 'use fewer aliases, or write the values out',
  });
}

function noAnchor(at: YamlPlace, alias: string): Problem {
  return new Problem({
    code: 'config.syntax',
    where: yamlPosition(at),
    what: `the alias *${alias} has no anchor above it`,
    allowed: 'an alias to an anchor &name further up',
    next: `add &${alias} to the value that it refers to`,
  });
}

function notMergeable(at: YamlPlace): Problem {
  return new Problem({
    code: 'config.syntax',
    where: yamlPosition(at),
    what: 'what is merged with `<<` is not a map',
    allowed: 'an alias of a map, or a list of these',
    next: 'name the anchor of a map: `<<: *defaults`',
  });
}
