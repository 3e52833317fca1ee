/** The names that services of a compose file have in the system: lower-case letters, digits and `-`. */
import { Problem } from '../../kernel/problem.ts';
import { longestName, namePattern, reservedNames } from '../../kinds/kind/values.ts';
import { yamlPosition } from '../source/yaml-tree.ts';
import type { ComposeService } from './compose-model.ts';

/** `My_db.1` becomes `my-db-1`; a word that means something in `${…}` gets a second one: `config-service`. */
export function systemName(name: string): string {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9-]/g, '-');
  const begun = namePattern.test(plain) ? plain : `service-${plain.replace(/^-+/, '')}`;
  return (reservedNames as readonly string[]).includes(begun)
    ? `${begun}-service`
    : begun.slice(0, longestName);
}

/** Two services can come to the same name. */
export function nameClashes(services: readonly ComposeService[]): readonly Problem[] {
  const first = new Map<string, ComposeService>();
  return services.flatMap((service) => {
    const name = systemName(service.name);
    const other = first.get(name);
    first.set(name, other ?? service);
    if (other === undefined) return [];
    return [
      new Problem({
        code: 'config.duplicate-name',
        where: yamlPosition(service.at),
        what: `\`${service.name}\` and \`${other.name}\` are both called \`${name}\` here`,
        allowed: `names that differ in their first ${longestName} lower-case letters, digits and -`,
        next: 'rename one of the two',
      }),
    ];
  });
}
