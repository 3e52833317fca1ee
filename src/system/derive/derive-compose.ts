/** A config that starts a compose file: what the file leaves open is decided where that is safe, and named where not. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isMap } from '../../kernel/is-map.ts';
import { Problem, Problems, problemsIn } from '../../kernel/problem.ts';
import { composeContainer } from '../compose/compose-container.ts';
import type { ComposeProject, ComposeService } from '../compose/compose-model.ts';
import { systemName } from '../compose/compose-names.ts';
import { servicePorts } from '../compose/compose-ports.ts';
import { createReport } from '../compose/compose-report.ts';
import { exposedPorts } from '../compose/dockerfile-ports.ts';
import { openCompose } from '../compose/open-compose.ts';
import { missingAllowances } from '../needed-allowances.ts';
import type { DeriveRequest } from './derive-config.ts';
import { type DerivedConfig, type Learned, printHead } from './derived-config.ts';
import { printMap, printValue } from './print-yaml.ts';

type Made = Readonly<Record<string, string>>;

export async function deriveCompose({ file, source, hostEnv }: DeriveRequest): Promise<DerivedConfig> {
  const overrides = overridesOf(file);
  const open = (made: Made, profiles?: readonly string[]): Promise<ComposeProject> =>
    openCompose({ files: [file, ...overrides], profiles, variables: (name) => made[name] ?? hostEnv[name] });
  const made = await madeUp(open);
  const project = await open(made);
  const all = await open(made, ['*']).catch(() => project); // profiles may exclude each other
  const allowed = project.services.map(
    (service) => [service, allowancesOf(service, project, hostEnv)] as const,
  );
  const kinds = embeddedKinds(project);
  const given = allowed.flatMap(([{ name }, { whats }]) => whats.map((what) => `${name} ${what}`));
  const withheld = allowed.flatMap(([{ name }, rights]) =>
    rights.withheld.map((right) => ({ name, ...right })),
  );
  return {
    source,
    folder: path.dirname(file),
    notes: [
      ...Object.keys(made).map((name) => `${name} must be given, and is made up in shakedown.yaml`),
      ...given.map((what) => `as ${path.basename(file)} says, ${what}`),
    ],
    embeddable: new Set([...kinds.keys()].map(systemName)),
    withheld: withheld.map(({ name, what }) => `${name} ${what}`),
    yaml: (learned) =>
      [
        ...printHead(source, systemName(project.name), [
          ...headComments(project, file, learned),
          ...withheld.map(
            ({ name, allowance, what }) =>
              `? ${name} ${what}: compose.services.${name}.allow: { ${allowance}: say what for }`,
          ),
        ]),
        ...composeLines({
          files: [file, ...overrides],
          made,
          project,
          all,
          allowed: new Map(allowed),
          learned,
        }),
        ...replaceLines(kinds, learned),
        '',
      ].join('\n'),
  };
}

/** The file that Docker Compose reads beside one with a usual name, without being asked. */
function overridesOf(file: string): readonly string[] {
  const [, stem] = /^((?:docker-)?compose)\.ya?ml$/.exec(path.basename(file)) ?? [];
  if (stem === undefined) return [];
  const candidates = ['yml', 'yaml'].map((ending) =>
    path.join(path.dirname(file), `${stem}.override.${ending}`),
  );
  return candidates.filter((one) => existsSync(one)).slice(0, 1);
}

/** Values for variables without which the file cannot be read: a shell or an `.env` of the team has them. */
async function madeUp(open: (made: Made) => Promise<unknown>, made: Made = {}): Promise<Made> {
  try {
    await open(made);
    return made;
  } catch (error) {
    if (!(error instanceof Problem || error instanceof Problems)) throw error;
    const missing = problemsIn(error).map(({ facts }) => facts.variable);
    const names = missing.filter((name) => name !== undefined && !Object.hasOwn(made, name));
    if (names.length < missing.length) throw error;
    return madeUp(open, { ...made, ...Object.fromEntries(names.map((name = '') => [name, valueFor(name)])) });
  }
}

function valueFor(name: string): string {
  if (/PORT$/.test(name)) return '8080';
  return /(?:TAG|VERSION)$/.test(name) ? 'latest' : 'made-up-by-init';
}

/** Of processes and networks in namespaces of the container's own. */
const ownCapabilities = /^(?:CAP_)?(?:SYS_PTRACE|NET_ADMIN|SYS_RESOURCE)$/i;

/** What reaches no further than the container is allowed and named; the rest is for a person to allow. */
function allowancesOf(service: ComposeService, project: ComposeProject, hostEnv: DeriveRequest['hostEnv']) {
  const container = { ...composeContainer(service, project, createReport()), peers: [] };
  const needed = missingAllowances(container, hostEnv);
  const capAdd = (container.capAdd ?? []).filter((name) => !ownCapabilities.test(name));
  const withheld = missingAllowances({ ...container, capAdd }, hostEnv);
  const given = needed.filter(({ allowance }) => !withheld.some((one) => one.allowance === allowance));
  const reason = 'the compose file asks for it; say here what for, or remove it';
  return {
    allow: Object.fromEntries(given.map(({ allowance }) => [allowance, reason])),
    whats: given.map(({ what }) => what),
    withheld,
  };
}

/** What is only known when it runs, or by those who wrote it. */
function headComments(project: ComposeProject, file: string, { jobs, embedded }: Learned): readonly string[] {
  const { byService } = servicePorts(project, exposedPorts(project.services));
  const without = (isLacking: (service: ComposeService) => boolean): string =>
    project.services
      .filter(({ name }) => !jobs.has(systemName(name)) && !embedded.has(systemName(name)))
      .filter(isLacking)
      .map(({ name }) => name)
      .join(', ');
  const portless = without(({ name }) => byService.get(name)?.length === 0);
  const unchecked = without(({ node, name }) => !node.entries.has('healthcheck') && portless !== name);
  return [
    ...(portless === ''
      ? []
      : [`? No port is known of: ${portless}. If one listens: compose.services.NAME.listen`]),
    ...(unchecked === ''
      ? []
      : [
          `? Without a healthcheck in ${path.basename(file)}: ${unchecked}. Ready is what accepts connections.`,
        ]),
  ];
}

interface Printed {
  readonly files: readonly string[];
  readonly made: Made;
  readonly project: ComposeProject;
  /** With every profile. */
  readonly all: ComposeProject;
  readonly allowed: ReadonlyMap<ComposeService, ReturnType<typeof allowancesOf>>;
  readonly learned: Learned;
}

function composeLines({ files, made, project, all, allowed, learned }: Printed): readonly string[] {
  const names = files.map((file) => path.basename(file));
  const named = printValue(names.length === 1 ? names[0] : names);
  const services = Object.fromEntries(
    project.services.flatMap((service) => {
      if (learned.embedded.has(systemName(service.name))) return [];
      const { allow } = allowed.get(service) ?? { allow: {} };
      const addition = {
        ...(learned.jobs.has(systemName(service.name)) ? { as: 'job' } : {}),
        ...(Object.keys(allow).length > 0 ? { allow } : {}),
      };
      return Object.keys(addition).length > 0 ? [[service.name, addition]] : [];
    }),
  );
  const left = all.services.filter(({ name }) => !project.services.some((one) => one.name === name));
  const profiles = [...new Set(left.flatMap((service) => service.profiles))];
  const comment =
    left.length === 0
      ? []
      : [`  # profiles: ${printValue(profiles)} # ? left out: ${left.map(({ name }) => name).join(', ')}`];
  const more = { ...(Object.keys(made).length > 0 ? { env: made } : {}), ...servicesKey(services) };
  if (Object.keys(more).length === 0 && comment.length === 0) return [`compose: ${named}`, ''];
  return ['compose:', `  files: ${named}`, ...comment, ...printMap(more, '  '), ''];
}

function servicesKey(services: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return isMap(services) && Object.keys(services).length > 0 ? { services } : {};
}

const embeddedImages = [
  { kind: 'postgres', image: /(?:^|\/)(?:postgres|postgis)(?:[:@]|$)/ },
  { kind: 'redis', image: /(?:^|\/)(?:redis|valkey)(?:[:@]|$)/ },
];

/** Name of a service to the kind of resource that can stand in for it. */
function embeddedKinds({ services }: ComposeProject): ReadonlyMap<string, string> {
  return new Map(
    services.flatMap(({ name, image = '', node }) => {
      const known = embeddedImages.find((one) => one.image.test(image));
      return known === undefined || node.entries.has('build') ? [] : [[name, known.kind] as const];
    }),
  );
}

/** As a proposal where the image is there: it may have extensions, scripts, or another version. */
function replaceLines(kinds: ReadonlyMap<string, string>, { embedded }: Learned): readonly string[] {
  const isUsed = (name: string): boolean => embedded.has(systemName(name));
  const line = ([name, kind]: readonly [string, string]): string => `  ${printValue(name)}: ${kind}`;
  const used = [...kinds].filter(([name]) => isUsed(name)).map(line);
  const left = [...kinds].filter(([name]) => !isUsed(name)).map((one) => `# ${line(one)}`);
  return [
    ...(used.length > 0
      ? ['replace: # embedded: the engine has no such image, and cannot fetch it', ...used]
      : []),
    ...(left.length > 0 ? ['# ? Embedded, which starts faster and needs no image:'] : []),
    ...(left.length > 0 && used.length === 0 ? ['# replace:'] : []),
    ...left,
  ];
}
