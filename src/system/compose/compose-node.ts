/** Values of compose files as trees: how they are made, read, and pointed at. */
import { Problem, type ProblemParts } from '../../kernel/problem.ts';
import {
  type MapNode,
  type ScalarNode,
  type YamlEntry,
  type YamlNode,
  type YamlPlace,
  type YamlScalar,
  yamlPosition,
} from '../source/yaml-tree.ts';

export function scalar(at: YamlPlace, value: YamlScalar): ScalarNode {
  return { kind: 'scalar', at, value };
}

export function listNode(at: YamlPlace, items: readonly YamlNode[]): YamlNode {
  return { kind: 'list', at, items };
}

/** Values that are undefined are left out. */
export function mapNode(at: YamlPlace, fields: Readonly<Record<string, YamlNode | undefined>>): MapNode {
  const given = Object.entries(fields).flatMap(([name, node]): [string, YamlEntry][] =>
    node ? [[name, { key: node.at, node }]] : [],
  );
  return { kind: 'map', at, entries: new Map(given) };
}

export function fieldOf(node: YamlNode | undefined, ...path: readonly string[]): YamlNode | undefined {
  let found = node;
  for (const name of path) found = found?.kind === 'map' ? found.entries.get(name)?.node : undefined;
  return found;
}

/** The same map with one entry changed, or removed where there is no node. */
export function withField(map: MapNode, name: string, node: YamlNode | undefined): MapNode {
  const entries = new Map(map.entries);
  if (node) entries.set(name, { key: map.entries.get(name)?.key ?? node.at, node });
  else entries.delete(name);
  return { ...map, entries };
}

export function entriesOf(node: YamlNode | undefined): [string, YamlEntry][] {
  return node?.kind === 'map' ? [...node.entries] : [];
}

export function itemsOf(node: YamlNode | undefined): readonly YamlNode[] {
  return node?.kind === 'list' ? node.items : [];
}

export function isNull(node: YamlNode | undefined): boolean {
  return node === undefined || (node.kind === 'scalar' && node.value === null);
}

/** A scalar as the text that a program would get; undefined for nothing, for a list and for a map. */
export function textOf(node: YamlNode | undefined): string | undefined {
  return node?.kind === 'scalar' && node.value !== null ? scalarText(node.value) : undefined;
}

/** Numbers as Go prints them. */
function scalarText(value: string | number | bigint | boolean): string {
  if (typeof value !== 'number' || Number.isInteger(value)) return String(value);
  const [digits, exponent] = value.toExponential().split('e') as [string, string];
  return Number(exponent) < -4 ? `${digits}e-${exponent.slice(1).padStart(2, '0')}` : String(value);
}

export function isTrue(node: YamlNode | undefined): boolean {
  return /^(?:true|yes|on|y|1)$/i.test(textOf(node) ?? '');
}

export function composeProblem(
  at: YamlPlace,
  parts: Omit<ProblemParts, 'where' | 'code'> & Partial<Pick<ProblemParts, 'code'>>,
): Problem {
  return new Problem({ code: 'config.bad-value', ...parts, where: yamlPosition(at) });
}

/** A value as it is written, short. */
export function shown(node: YamlNode): string {
  const written = node.at.text.slice(node.at.start, node.at.end).split('\n')[0] as string;
  if (node.kind !== 'scalar') return `a ${node.kind}`;
  return node.value === null ? 'empty' : `\`${written.length > 60 ? `${written.slice(0, 60)}…` : written}\``;
}

/** Not what is allowed here. */
export function wrongValue(node: YamlNode, key: string, allowed: string, next = 'change the value'): Problem {
  return composeProblem(node.at, { what: `\`${key}\` is ${shown(node)}`, allowed, next });
}
