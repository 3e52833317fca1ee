/** Reads one compose file: parsed, with its variables put in, services in their long form and with what they extend. */
import path from 'node:path';
import { didYouMean } from '../../kernel/nearest.ts';
import {
  type MapNode,
  parseYamlTree,
  type YamlEntry,
  type YamlNode,
  type YamlPlace,
} from '../source/yaml-tree.ts';
import { mapScalars } from './canonical-lists.ts';
import { canonicalService } from './canonical-service.ts';
import { checkedMap } from './check-keys.ts';
import { extendsKeys, fileKeys } from './compose-keys.ts';
import {
  composeProblem,
  entriesOf,
  fieldOf,
  isNull,
  mapNode,
  scalar,
  shown,
  textOf,
  withField,
  wrongValue,
} from './compose-node.ts';
import { type Folder, resolvePath } from './compose-paths.ts';
import type { ComposeReport } from './compose-report.ts';
import { interpolate, type LookUp } from './interpolate.ts';
import { mergeNodes } from './merge-nodes.ts';

/** What reading needs of the world. */
export interface ComposeReading {
  readonly report: ComposeReport;
  readonly home: string | undefined;
  /** The text of a file; `at` is where it is named. Throws a problem when it cannot be read. */
  readText(file: string, noun: string, at: YamlPlace | undefined): Promise<string>;
  exists(file: string): boolean;
}

/** One file of a project, read with the variables of that project. */
export interface FileOfProject {
  readonly file: string;
  /** Where relative paths begin. */
  readonly folder: string;
  readonly lookUp: LookUp;
  /** Where the file is named. */
  readonly at?: YamlPlace | undefined;
}

const tags = ['!reset', '!override'];
const longestChain = 30;
const mostServices = 500;

export async function readComposeFile(reading: ComposeReading, source: FileOfProject): Promise<MapNode> {
  const root = await readRoot(reading, source);
  checkedMap(root, 'a compose file', fileKeys, reading.report);
  for (const section of ['services', 'networks', 'volumes', 'configs', 'secrets']) {
    const node = fieldOf(root, section);
    if (node && !isNull(node) && node.kind !== 'map')
      reading.report.problem(wrongValue(node, section, 'a map from names to what they are', 'write a map'));
  }
  const services = fieldOf(root, 'services');
  if (services === undefined || services.kind !== 'map') return root;
  if (services.entries.size > mostServices)
    reading.report.problem(tooMany(services.at, services.entries.size));
  const made = new Map<string, YamlEntry>();
  for (const [name, entry] of [...services.entries].slice(0, mostServices)) {
    const node = await extended({ reading, source, services, chain: [] }, name);
    if (node) made.set(name, { key: entry.key, node });
  }
  return withField(root, 'services', { ...services, entries: made });
}

async function readRoot(reading: ComposeReading, source: FileOfProject): Promise<MapNode> {
  const text = await reading.readText(source.file, 'compose file', source.at);
  const root = withVariables(parseYamlTree(source.file, text, tags), source.lookUp, reading.report);
  if (root.kind === 'map') return isFirstForm(root) ? mapNode(root.at, { services: root }) : root;
  throw composeProblem(root.at, {
    what: `a compose file is a map, and this is ${shown(root)}`,
    allowed: 'the keys `services`, `volumes`, `networks`, `configs`, `secrets`, `include`, `name`',
    next: 'write `services:` and the services below it',
  });
}

/** The form before there were versions: services at the top. */
function isFirstForm(root: MapNode): boolean {
  const names = [...root.entries.keys()].filter((name) => !name.startsWith('x-'));
  if (names.length === 0 || names.some((name) => Object.hasOwn(fileKeys, name))) return false;
  return names.every((name) => ['image', 'build'].some((key) => fieldOf(root, name, key) !== undefined));
}

function withVariables(node: YamlNode, lookUp: LookUp, report: ComposeReport): YamlNode {
  return mapScalars(node, (one) => {
    if (typeof one.value !== 'string' || !one.value.includes('$')) return one;
    const { text, faults, unset } = interpolate(one.value, lookUp);
    for (const fault of faults) {
      const part = one.value.slice(fault.offset, fault.offset + fault.length);
      const found = one.at.text.indexOf(part, one.at.start);
      const at =
        found < 0 || found > one.at.end ? one.at : { ...one.at, start: found, end: found + part.length };
      report.problem(
        composeProblem(at, {
          code: fault.required === undefined ? 'config.bad-value' : 'compose.variable',
          what: fault.what,
          allowed:
            '`${NAME}`, `${NAME:-default}`, `${NAME:?message}`, `${NAME:+other}`, `$$` for a plain `$`',
          next: fault.next,
          ...(fault.required === undefined ? {} : { facts: { variable: fault.required } }),
        }),
      );
    }
    for (const name of unset) report.ignored(one.at, `the variable ${name} is not set, so it is empty`);
    return { ...one, value: text };
  });
}

/** A service on its way through what it extends. */
interface Extending {
  readonly reading: ComposeReading;
  readonly source: FileOfProject;
  readonly services: MapNode;
  /** The services through which we came here: file and name. */
  readonly chain: readonly string[];
}

async function extended(extending: Extending, name: string): Promise<MapNode | undefined> {
  const { reading, source, services, chain } = extending;
  const written = services.entries.get(name)?.node;
  if (written?.kind !== 'map') {
    if (written && chain.length === 0)
      checkedMap(
        written.tag ? undefined : emptyAsText(written),
        `the service \`${name}\``,
        {},
        reading.report,
      );
    return written?.tag === '!reset' ? { ...mapNode(written.at, {}), tag: '!reset' } : undefined;
  }
  const place: Folder = { folder: source.folder, home: reading.home };
  const service = canonicalService(written, place, reading.report);
  const link = fieldOf(service, 'extends');
  if (link === undefined) return service;
  checkedMap(link, '`extends`', extendsKeys, reading.report);
  const base = await baseOf(extending, name, link);
  const own = withField(service, 'extends', undefined);
  return base ? (mergeNodes(base, own) as MapNode) : own;
}

/** Nothing where a service should be is not a map either. */
function emptyAsText(node: YamlNode): YamlNode {
  return node.kind === 'scalar' && node.value === null ? scalar(node.at, 'empty') : node;
}

async function baseOf(extending: Extending, name: string, link: YamlNode): Promise<MapNode | undefined> {
  const { reading, source, services, chain } = extending;
  const wanted = textOf(fieldOf(link, 'service')) ?? '';
  const fileNode = fieldOf(link, 'file');
  const written = textOf(fileNode);
  const here = `${source.file} ${name}`;
  const way = [...chain, here];
  const file =
    written === undefined ? source.file : resolvePath(written, { folder: source.folder, home: reading.home });
  if (way.includes(`${file} ${wanted}`) || way.length > longestChain) {
    reading.report.problem(cycle(link.at, [...way, `${file} ${wanted}`]));
    return undefined;
  }
  const other =
    written === undefined || file === source.file
      ? { source, services }
      : await otherFile(extending, { ...source, file, folder: path.dirname(file), at: fileNode?.at });
  const known = entriesOf(other.services).map(([one]) => one);
  if (known.includes(wanted)) return extended({ ...extending, ...other, chain: way }, wanted);
  reading.report.problem(
    composeProblem(fieldOf(link, 'service')?.at ?? link.at, {
      code: 'config.unknown-name',
      what: `\`extends\` of \`${name}\` names the service \`${wanted}\`, which ${path.basename(file)} does not have`,
      allowed: known.join(', ') || 'none: the file has no services',
      next: didYouMean(wanted, known, 'name one of these'),
    }),
  );
  return undefined;
}

async function otherFile(
  { reading }: Extending,
  source: FileOfProject,
): Promise<Pick<Extending, 'source' | 'services'>> {
  const root = await readRoot(reading, source);
  const services = fieldOf(root, 'services');
  return { source, services: services?.kind === 'map' ? services : mapNode(root.at, {}) };
}

function cycle(at: YamlPlace, way: readonly string[]): ReturnType<typeof composeProblem> {
  const last = way.at(-1) as string;
  const circle = way
    .slice(Math.max(0, way.indexOf(last)))
    .map((step) => step.slice(step.lastIndexOf(' ') + 1));
  return composeProblem(at, {
    code: 'config.dependency-cycle',
    what: `these extend each other: ${circle.join(' → ')}`,
    allowed: `a service that ends the chain, after at most ${longestChain}`,
    next: 'remove one of these `extends`',
  });
}

function tooMany(at: YamlPlace, count: number): ReturnType<typeof composeProblem> {
  return composeProblem(at, {
    what: `the file has ${count} services`,
    allowed: `at most ${mostServices} services`,
    next: 'check that this is the file you meant, or take a part of it with `profiles`',
  });
}
