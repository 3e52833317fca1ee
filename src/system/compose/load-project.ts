/** Loads a compose project: its files merged, and the projects that it includes. */
import path from 'node:path';
import type { MapNode, YamlEntry, YamlNode, YamlPlace } from '../source/yaml-tree.ts';
import { mapScalars, toList, toMaps } from './canonical-lists.ts';
import { checkedMap } from './check-keys.ts';
import { includeKeys } from './compose-keys.ts';
import {
  composeProblem,
  entriesOf,
  fieldOf,
  itemsOf,
  mapNode,
  scalar,
  textOf,
  withField,
} from './compose-node.ts';
import { resolvePath } from './compose-paths.ts';
import { readEnvFiles } from './env-files.ts';
import type { LookUp } from './interpolate.ts';
import { applyResets, mergeNodes } from './merge-nodes.ts';
import { type ComposeReading, readComposeFile } from './read-compose-file.ts';
import { isBind } from './volume-options.ts';

export interface ProjectFiles {
  readonly files: readonly string[];
  readonly folder: string;
  readonly lookUp: LookUp;
  /** Where the files are named, when that is in a compose file. */
  readonly at?: YamlPlace | undefined;
}

const sections = ['services', 'networks', 'volumes', 'configs', 'secrets'];
const deepestInclude = 30;

export async function loadProject(
  reading: ComposeReading,
  project: ProjectFiles,
  chain: readonly string[] = [],
): Promise<MapNode> {
  let merged: MapNode | undefined;
  for (const file of project.files) {
    const root = await readComposeFile(reading, { ...project, file });
    merged = merged === undefined ? root : mergeRoots(merged, root);
  }
  const root = applyResets(
    withDevicePaths(withFilePaths(merged as MapNode, project, reading), project, reading),
  ) as MapNode;
  const includes = toMaps(toList(fieldOf(root, 'include') ?? mapNode(root.at, {})), 'path');
  let whole = root;
  for (const include of itemsOf(includes)) {
    const included = await loadInclude(reading, project, include, [...chain, ...project.files]);
    if (included) whole = withIncluded(whole, included, reading);
  }
  return whole;
}

function mergeRoots(base: MapNode, over: MapNode): MapNode {
  const entries = new Map(base.entries);
  for (const [name, entry] of over.entries) {
    const before = base.entries.get(name)?.node;
    if (name === 'services' && before?.kind === 'map' && entry.node.kind === 'map')
      entries.set(name, { key: entry.key, node: mergeServices(before, entry.node) });
    else entries.set(name, { key: entry.key, node: mergeNodes(before, entry.node, ['of the file', name]) });
  }
  return { ...base, entries };
}

function mergeServices(base: MapNode, over: MapNode): MapNode {
  const entries = new Map<string, YamlEntry>(base.entries);
  for (const [name, entry] of over.entries)
    entries.set(name, { key: entry.key, node: mergeNodes(base.entries.get(name)?.node, entry.node) });
  return { ...base, entries };
}

/** Files of configs and secrets are relative to the folder of their project. */
function withFilePaths(root: MapNode, project: ProjectFiles, reading: ComposeReading): MapNode {
  let made = root;
  for (const section of ['configs', 'secrets']) {
    const node = fieldOf(root, section);
    if (node?.kind !== 'map') continue;
    let changed = node;
    for (const [name, entry] of node.entries) {
      const file = fieldOf(entry.node, 'file');
      const written = textOf(file);
      if (entry.node.kind !== 'map' || file === undefined || written === undefined) continue;
      const resolved = scalar(file.at, resolvePath(written, { folder: project.folder, home: reading.home }));
      changed = withField(changed, name, withField(entry.node, 'file', resolved));
    }
    made = withField(made, section, changed);
  }
  return made;
}

/** As is the folder that a volume binds. */
function withDevicePaths(root: MapNode, project: ProjectFiles, reading: ComposeReading): MapNode {
  const volumes = fieldOf(root, 'volumes');
  if (volumes?.kind !== 'map') return root;
  let changed = volumes;
  for (const [name, { node }] of volumes.entries) {
    const [options, device] = [fieldOf(node, 'driver_opts'), fieldOf(node, 'driver_opts', 'device')];
    const written = textOf(device);
    if (node.kind !== 'map' || options?.kind !== 'map' || !device || !written) continue;
    if (!isBind(textOf(fieldOf(options, 'o')) ?? '')) continue;
    const place = { folder: project.folder, home: reading.home };
    const resolved = withField(options, 'device', scalar(device.at, resolvePath(written, place)));
    changed = withField(changed, name, withField(node, 'driver_opts', resolved));
  }
  return withField(root, 'volumes', changed);
}

async function loadInclude(
  reading: ComposeReading,
  project: ProjectFiles,
  include: YamlNode,
  chain: readonly string[],
): Promise<MapNode | undefined> {
  const map = checkedMap(include, '`include`', includeKeys, reading.report);
  if (map === undefined) return undefined;
  const inside = (written: string): string =>
    resolvePath(written, { folder: project.folder, home: reading.home });
  const files = textsOf(fieldOf(map, 'path')).map(inside);
  const [first] = files;
  if (first === undefined) {
    const parts = { allowed: '`path`: a path, or a list of paths', next: 'add `path`' };
    reading.report.problem(composeProblem(map.at, { what: '`include` has no `path`', ...parts }));
    return undefined;
  }
  if (chain.includes(first) || chain.length > deepestInclude) {
    const circle = [...chain.slice(Math.max(0, chain.indexOf(first))), first].map((file) =>
      path.basename(file),
    );
    throw composeProblem(map.at, {
      code: 'config.dependency-cycle',
      what: `these files include each other: ${circle.join(' → ')}`,
      allowed: `files that end the chain, after at most ${deepestInclude}`,
      next: 'remove one of these `include`',
    });
  }
  const written = textOf(fieldOf(map, 'project_directory'));
  const folder = written === undefined ? path.dirname(first) : inside(written);
  const named = fieldOf(map, 'env_file');
  const envFiles = named ? textsOf(named).map((file) => ({ file: inside(file), at: named.at })) : undefined;
  const lookUp = await readEnvFiles(reading, { folder, files: envFiles, outer: project.lookUp });
  return loadProject(reading, { files, folder, lookUp, at: map.at }, chain);
}

function textsOf(node: YamlNode | undefined): readonly string[] {
  return node === undefined ? [] : itemsOf(toList(node)).flatMap((item) => textOf(item) ?? []);
}

/** What is declared on both sides must be the same. */
function withIncluded(root: MapNode, included: MapNode, reading: ComposeReading): MapNode {
  let made = root;
  for (const section of sections) {
    const own = fieldOf(made, section);
    const other = fieldOf(included, section);
    if (other?.kind !== 'map') continue;
    const entries = new Map(own?.kind === 'map' ? own.entries : []);
    for (const [name, entry] of entriesOf(other)) {
      const before = entries.get(name);
      if (before === undefined) entries.set(name, entry);
      else if (contentOf(before.node) !== contentOf(entry.node))
        reading.report.problem(
          composeProblem(before.key, {
            code: 'config.duplicate-name',
            what: `\`${section}.${name}\` is declared here, and otherwise in ${path.basename(entry.key.file)}, which is included`,
            allowed: 'one declaration of a name among a file and those that it includes',
            next: 'rename one of the two',
          }),
        );
    }
    made = withField(made, section, { ...other, entries });
  }
  return made;
}

/** Without its places. */
function contentOf(node: YamlNode): string {
  const values: unknown[] = [];
  mapScalars(node, (one) => {
    values.push(typeof one.value === 'bigint' ? String(one.value) : one.value);
    return one;
  });
  return JSON.stringify([values, shapeOf(node)]);
}

function shapeOf(node: YamlNode): unknown {
  if (node.kind === 'list') return node.items.map(shapeOf);
  return node.kind === 'map' ? [...node.entries].map(([name, { node: inner }]) => [name, shapeOf(inner)]) : 0;
}
