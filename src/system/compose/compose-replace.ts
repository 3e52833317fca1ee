/** What stands in for services of the compose files: a resource or program of the config, or an embedded one that is made for it. */
import { unknownName } from '../../kernel/nearest.ts';
import { Problem } from '../../kernel/problem.ts';
import { resourceKind, resourceKinds } from '../../kinds/resource-kinds.ts';
import type { ResourceDocument } from '../document/resource-documents.ts';
import type { SystemDocument } from '../document/system-document.ts';
import type { ConfigSource } from '../source/config-source.ts';
import { yamlPosition } from '../source/yaml-tree.ts';
import type { PostgresLogin } from '../system.ts';
import type { ComposeProject, ComposeService } from './compose-model.ts';
import { systemName } from './compose-names.ts';

export interface Replacements {
  /** Service of the compose files to the name in the system that stands in for it. */
  readonly by: ReadonlyMap<string, string>;
  /** Resources that are made for it. */
  readonly resources: Readonly<Record<string, ResourceDocument>>;
  /** What consumers of a database log in with. */
  readonly logins: ReadonlyMap<string, PostgresLogin>;
  readonly problems: readonly Problem[];
}

/** Kinds that work without further keys, as far as there are such. */
const kinds = ['postgres', 'redis', 'model', 'telemetry'].filter((kind) =>
  Object.hasOwn(resourceKinds, kind),
);

/** `members` are services of rosters. */
export function findReplacements(
  document: SystemDocument,
  project: ComposeProject,
  members: readonly string[],
  source: ConfigSource,
): Replacements {
  const by = new Map<string, string>();
  const resources: Record<string, ResourceDocument> = {};
  const logins = new Map<string, PostgresLogin>();
  const problems: Problem[] = [];
  const declared = { ...document.resources };
  const addressed = Object.keys(declared).filter((one) => !isFile(declared[one]));
  const programs = [...Object.keys(document.services ?? {}), ...Object.keys(document.jobs ?? {}), ...members];
  for (const [name, target] of Object.entries(document.replace ?? {})) {
    const service = project.services.find((one) => one.name === name);
    const kind = kinds.find((one) => one === target);
    const isDeclared = addressed.includes(target) || programs.includes(target);
    if (service === undefined || (!isDeclared && kind === undefined)) {
      problems.push(
        service === undefined
          ? noService(name, project, source)
          : noTarget(name, target, [...addressed, ...programs], source),
      );
      continue;
    }
    const to = isDeclared ? target : systemName(name);
    by.set(name, to);
    if (!isDeclared && kind) resources[to] = made(kind, service);
    const resource = declared[target] ?? resources[to];
    if (resource?.kind !== 'postgres') continue;
    logins.set(to, loginOf(service));
    problems.push(...postgresProblems(service, target, resource, source));
  }
  return { by, resources, logins, problems };
}

/** Which has no address for those who call what it would stand in for. */
function isFile(resource: ResourceDocument | undefined): boolean {
  return resource !== undefined && resourceKind(resource).isFile === true;
}

/** A Redis wants the password that its command line says. */
function made(kind: string, { command = [] }: ComposeService): ResourceDocument {
  const at = command.indexOf('--requirepass');
  const settings = at < 0 ? {} : { settings: { requirepass: command[at + 1] ?? '' } };
  return { kind, ...(kind === 'redis' ? settings : {}) } as ResourceDocument;
}

/** As the official image has it: the name of the user is also that of the database. */
function loginOf({ environment }: ComposeService): PostgresLogin {
  const user = environment.POSTGRES_USER || 'postgres';
  return { user, password: environment.POSTGRES_PASSWORD ?? '', database: environment.POSTGRES_DB || user };
}

function postgresProblems(
  service: ComposeService,
  target: string,
  resource: Extract<ResourceDocument, { kind: 'postgres' }>,
  source: ConfigSource,
): readonly Problem[] {
  const problems: Problem[] = [];
  const keys = (['url', 'image', 'schemaPerService', 'databasePerService'] as const).filter(
    (key) => resource[key],
  );
  const [key] = keys;
  if (key !== undefined)
    problems.push(
      new Problem({
        code: 'config.bad-value',
        where: source.keyPosition(['resources', target, key]),
        what: `\`${target}\` stands in for \`${service.name}\`, whose consumers all log in to one database, and has \`${key}\``,
        allowed: 'an embedded server with one database for all',
        next: `remove \`${key}\`, or write \`replace: { ${service.name}: postgres }\``,
      }),
    );
  const { user } = loginOf(service);
  if (user === 'shakedown' || user.startsWith('pg_'))
    problems.push(
      new Problem({
        code: 'compose.unsupported',
        where: yamlPosition(service.at),
        what: `\`${service.name}\` has the user \`${user}\`, which the embedded server has already, or cannot have`,
        allowed: 'a user with another name',
        next: 'give it another `POSTGRES_USER`, or keep the container',
      }),
    );
  if (service.environment.POSTGRES_PASSWORD_FILE !== undefined)
    problems.push(
      new Problem({
        code: 'compose.unsupported',
        where: yamlPosition(service.at),
        what: `\`${service.name}\` takes its password from a file, which the embedded server does not read`,
        allowed: '`POSTGRES_PASSWORD` in its `environment`',
        next: `set it in the config: \`compose: { files: …, services: { ${service.name}: { env: { POSTGRES_PASSWORD: … } } } }\`, or keep the container`,
      }),
    );
  const scripts = service.mounts.find((mount) => mount.target.startsWith('/docker-entrypoint-initdb.d'));
  if (scripts)
    problems.push(
      new Problem({
        code: 'compose.unsupported',
        where: yamlPosition(scripts.at),
        what: `\`${service.name}\` runs scripts when it begins, and the embedded server does not`,
        allowed: 'a database that jobs fill',
        next: 'make a job of them: `jobs: { init: { run: psql "${NAME.adminUrl}" -f … } }`, and remove the mount in a second compose file with `volumes: !reset []`',
      }),
    );
  return problems;
}

function noService(name: string, { services }: ComposeProject, source: ConfigSource): Problem {
  const names = services.map((one) => one.name);
  return new Problem({
    where: source.keyPosition(['replace', name]),
    what: `\`${name}\` is not a service of the compose files`,
    ...unknownName(name, names, 'name one of these', 'nothing: `compose` brings no services'),
  });
}

function noTarget(name: string, target: string, declared: readonly string[], source: ConfigSource): Problem {
  return new Problem({
    where: source.valuePosition(['replace', name]),
    what: `nothing is called \`${target}\`, and it is not a kind that works by itself`,
    ...unknownName(target, [...kinds, ...declared], 'declare it as a resource or service'),
  });
}
