/** Reads compose files into a project: variables, merged files, active profiles, and the order of its services. */
import path from 'node:path';
import { defined } from '../../kernel/defined.ts';
import { didYouMean } from '../../kernel/nearest.ts';
import { type Problem, refuse } from '../../kernel/problem.ts';
import { findCycles } from '../check/find-cycles.ts';
import { sortProblems } from '../check/sort-problems.ts';
import type { MapNode } from '../source/yaml-tree.ts';
import { checkedMap } from './check-keys.ts';
import { configKeys, type KeyTable, networkKeys, secretKeys, volumeKeys } from './compose-keys.ts';
import type { ComposeFile, ComposeProject, ComposeService, ComposeVolume } from './compose-model.ts';
import { composeProblem, entriesOf, fieldOf, isTrue, textOf } from './compose-node.ts';
import { ComposeValues } from './compose-values.ts';
import { readEnvFiles, serviceVariables } from './env-files.ts';
import type { LookUp } from './interpolate.ts';
import { loadProject } from './load-project.ts';
import type { ComposeReading } from './read-compose-file.ts';
import { serviceModel } from './service-model.ts';

export interface ComposeRequest {
  /** Absolute. The folder of the first is that of the project. */
  readonly files: readonly string[];
  /** Those of `COMPOSE_PROFILES` when absent. */
  readonly profiles?: readonly string[] | undefined;
  readonly project?: string | undefined;
  /** The shell's variables. */
  readonly variables: LookUp;
}

export async function readCompose(
  request: ComposeRequest,
  reading: ComposeReading,
): Promise<Omit<ComposeProject, 'texts'>> {
  const { report } = reading;
  const folder = path.dirname(request.files[0] as string);
  const outer = await readEnvFiles(reading, { folder, files: undefined, outer: request.variables });
  const name = request.project ?? outer('COMPOSE_PROJECT_NAME') ?? projectName(folder);
  const lookUp: LookUp = (variable) =>
    outer(variable) ?? (variable === 'COMPOSE_PROJECT_NAME' ? name : undefined);
  const root = await loadProject(reading, { files: request.files, folder, lookUp });
  const profiles =
    request.profiles ?? (outer('COMPOSE_PROFILES') ?? '').split(',').filter((one) => one !== '');
  const services: ComposeService[] = [];
  for (const [service, entry] of entriesOf(fieldOf(root, 'services'))) {
    if (entry.node.kind !== 'map') continue;
    const environment = await serviceVariables(reading, entry.node, lookUp);
    services.push(serviceModel({ name: service, at: entry.key, node: entry.node, environment }, report));
  }
  const active = activeServices(services, profiles);
  checkNames(root, services, active, reading);
  if (active.length === 0) report.problem(noServices(root, services));
  refuse(sortProblems(report.problems));
  return {
    name: textOf(fieldOf(root, 'name')) ?? name,
    folder,
    services: ordered(active),
    volumes: volumesOf(root, reading),
    files: {
      ...filesOf(root, 'configs', configKeys, reading),
      ...filesOf(root, 'secrets', secretKeys, reading),
    },
    variables: { shell: request.variables, all: lookUp },
    notices: report.notices,
  };
}

function noServices(root: MapNode, services: readonly ComposeService[]): Problem {
  const profiles = [...new Set(services.flatMap((service) => service.profiles))];
  return composeProblem(root.at, {
    what: services.length === 0 ? 'the compose files have no services' : 'no service is in an active profile',
    allowed: '`services` with at least one service',
    next:
      services.length === 0
        ? 'add `services`'
        : `name one of the profiles ${profiles.join(', ')} in \`compose.profiles\``,
  });
}

function projectName(folder: string): string {
  return (
    path
      .basename(folder)
      .toLowerCase()
      .replaceAll(/[^a-z0-9_-]/g, '')
      .replace(/^[_-]+/, '') || 'default'
  );
}

function activeServices(
  services: readonly ComposeService[],
  profiles: readonly string[],
): readonly ComposeService[] {
  const every = profiles.includes('*');
  return services.filter(
    (service) =>
      every || service.profiles.length === 0 || service.profiles.some((one) => profiles.includes(one)),
  );
}

/** What services name must be there. */
function checkNames(
  root: MapNode,
  services: readonly ComposeService[],
  active: readonly ComposeService[],
  { report }: ComposeReading,
): void {
  const names = active.map(({ name }) => name);
  for (const service of active) {
    for (const [name, { required, at }] of Object.entries(service.dependsOn)) {
      if (!required || names.includes(name)) continue;
      const profiles = services.find((one) => one.name === name)?.profiles;
      report.problem(
        composeProblem(at, {
          code: 'config.unknown-name',
          what: profiles
            ? `\`${service.name}\` depends on \`${name}\`, which is only in the profile ${profiles.join(', ')}`
            : `\`${service.name}\` depends on \`${name}\`, which is not a service`,
          allowed: names.join(', '),
          next: profiles
            ? `add the profile to the config: \`compose: { files: …, profiles: [${profiles[0]}] }\``
            : didYouMean(name, names, 'correct the name, or remove it'),
        }),
      );
    }
    for (const network of Object.keys(service.networks)) {
      if (network === 'default' || fieldOf(root, 'networks', network)) continue;
      unknown(root, service, 'networks', network, report);
    }
    for (const mount of service.mounts) {
      if (mount.type !== 'volume' || mount.source === undefined || fieldOf(root, 'volumes', mount.source))
        continue;
      unknown(root, service, 'volumes', mount.source, report);
    }
  }
  for (const cycle of findCycles(dependencyGraph(active))) {
    const [first, second] = cycle as [string, string];
    const at = active.find(({ name }) => name === first)?.dependsOn[second]?.at;
    if (at)
      report.problem(
        composeProblem(at, {
          code: 'config.dependency-cycle',
          what: `these wait for each other: ${cycle.join(' → ')}`,
          allowed: 'an order in which each can start',
          next: 'remove one of these `depends_on`',
        }),
      );
  }
}

function unknown(
  root: MapNode,
  service: ComposeService,
  section: 'networks' | 'volumes',
  name: string,
  report: ComposeReading['report'],
): void {
  const known = entriesOf(fieldOf(root, section)).map(([one]) => one);
  const node = fieldOf(service.node, section);
  report.problem(
    composeProblem(
      (node?.kind === 'map' ? node.entries.get(name)?.key : undefined) ?? node?.at ?? service.at,
      {
        code: 'config.unknown-name',
        what: `\`${service.name}\` uses \`${name}\`, which \`${section}\` of the file does not have`,
        allowed: known.join(', ') || `nothing: the file has no \`${section}\``,
        next: didYouMean(name, known, `add \`${section}: { ${name}: {} }\` at the top of the file`),
      },
    ),
  );
}

function dependencyGraph(services: readonly ComposeService[]): ReadonlyMap<string, readonly string[]> {
  const names = services.map(({ name }) => name);
  return new Map(
    services.map(({ name, dependsOn, links }) => {
      const wanted = [...Object.keys(dependsOn), ...Object.values(links)];
      return [name, [...new Set(wanted)].filter((one) => names.includes(one))];
    }),
  );
}

/** Each after what it depends on; otherwise as they are written. */
function ordered(services: readonly ComposeService[]): readonly ComposeService[] {
  const graph = dependencyGraph(services);
  const placed = new Set<string>();
  const place = (name: string): void => {
    if (placed.has(name)) return;
    for (const needed of graph.get(name) ?? []) place(needed);
    placed.add(name);
  };
  for (const { name } of services) place(name);
  return [...placed].flatMap((name) => services.find((one) => one.name === name) ?? []);
}

function volumesOf(root: MapNode, { report }: ComposeReading): Readonly<Record<string, ComposeVolume>> {
  for (const [name, { node }] of entriesOf(fieldOf(root, 'networks')))
    checkedMap(node, `the network \`${name}\``, networkKeys, report);
  return Object.fromEntries(
    entriesOf(fieldOf(root, 'volumes')).map(([name, { node, key }]) => {
      const map = checkedMap(node, `the volume \`${name}\``, volumeKeys, report);
      const external = fieldOf(map, 'external');
      const isExternal = external?.kind === 'map' || isTrue(external);
      if (isExternal)
        report.ignored(
          key,
          `the volume \`${name}\` is external: each environment has an empty one of its own`,
        );
      const values = new ComposeValues((one) => fieldOf(map, one), report);
      const [driver, driverOptions] = [values.text('driver'), values.map('driver_opts')];
      return [name, { external: isExternal, ...defined({ driver, driverOptions }) }];
    }),
  );
}

function filesOf(
  root: MapNode,
  section: 'configs' | 'secrets',
  table: KeyTable,
  { report }: ComposeReading,
): Readonly<Record<string, ComposeFile>> {
  return Object.fromEntries(
    entriesOf(fieldOf(root, section)).map(([name, { node, key }]) => {
      const map = checkedMap(node, `\`${section}.${name}\``, table, report);
      const [file, content, variable] = ['file', 'content', 'environment'].map((one) =>
        textOf(fieldOf(map, one)),
      );
      const from =
        file !== undefined
          ? { file }
          : content !== undefined
            ? { content }
            : variable !== undefined
              ? { variable }
              : ('external' as const);
      return [`${section} ${name}`, { from, at: key }];
    }),
  );
}
