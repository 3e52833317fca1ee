/** Refuses what the config says about compose files that does not fit to them. */
import { unknownName } from '../../kernel/nearest.ts';
import { Problem } from '../../kernel/problem.ts';
import type { SystemDocument } from '../document/system-document.ts';
import type { ConfigSource } from '../source/config-source.ts';
import { yamlPosition } from '../source/yaml-tree.ts';
import type { ComposeProject, ComposeService } from './compose-model.ts';
import { nameClashes, systemName } from './compose-names.ts';

export interface ComposeConfig {
  readonly document: SystemDocument;
  readonly source: ConfigSource;
  readonly project: ComposeProject;
  /** Services for which nothing stands in. */
  readonly kept: readonly ComposeService[];
  /** Services of the compose files to which the config adds something. */
  readonly added: readonly string[];
  /** Services of rosters. */
  readonly members: readonly string[];
}

export function composeConfigProblems(config: ComposeConfig): readonly Problem[] {
  return [
    ...nameClashes(config.kept),
    ...config.kept.flatMap((service) => takenName(service, config)),
    ...unknownAdditions(config),
    ...unknownSecrets(config),
  ];
}

export function nothingToReplace(source: ConfigSource): Problem {
  return new Problem({
    code: 'config.missing-key',
    where: source.keyPosition(['replace']),
    what: '`replace` is about services of compose files, and the config has no `compose`',
    allowed: '`replace` beside `compose`',
    next: 'add `compose: docker-compose.yml`, or remove `replace`',
  });
}

function takenName(service: ComposeService, { document, members }: ComposeConfig): readonly Problem[] {
  const name = systemName(service.name);
  const sections = ['resources', 'jobs', 'services', 'rosters'] as const;
  const section = sections.find((one) => Object.hasOwn(document[one] ?? {}, name));
  if (section === undefined && !members.includes(name)) return [];
  const where = section ?? 'rosters';
  return [
    new Problem({
      code: 'config.duplicate-name',
      where: yamlPosition(service.at),
      what: `\`${service.name}\` is a service of the compose file, and \`${name}\` is in \`${where}\` of the config`,
      allowed: 'one name for one thing, unless one stands in for the other',
      next: `write \`replace: { ${service.name}: ${name} }\` for the one in the config, or rename it there; additions belong to \`compose: { files: …, services: { ${service.name}: … } }\``,
    }),
  ];
}

function unknownAdditions({ added, kept, source }: ComposeConfig): readonly Problem[] {
  const names = kept.map((service) => service.name);
  return added
    .filter((name) => !names.includes(name))
    .map(
      (name) =>
        new Problem({
          where: source.keyPosition(['compose', 'services', name]),
          what: `\`${name}\` is not a service of the compose files, or something stands in for it`,
          ...unknownName(name, names, 'name one of these'),
        }),
    );
}

/** A secret is known by its value in the shell; one that only an env file has could not be hidden. */
function unknownSecrets({ document, project, source }: ComposeConfig): readonly Problem[] {
  const { shell, all } = project.variables;
  return (document.secrets ?? []).flatMap((name, index) => {
    if (shell(name) !== undefined || all(name) === undefined) return [];
    return [
      new Problem({
        code: 'compose.variable',
        where: source.valuePosition(['secrets', index]),
        what: `the secret ${name} is only in the .env file of the compose project`,
        allowed: 'secrets in the environment of Shakedown itself, which then hides their values',
        next: `export it before: export ${name}=…`,
      }),
    ];
  });
}
