/** Checks that the policy of the suite speaks of services that exist. */
import { nearest } from '../../kernel/nearest.ts';
import { Problem } from '../../kernel/problem.ts';
import type { SystemDocument } from '../document/system-document.ts';
import type { ConfigSource } from '../source/config-source.ts';
import type { KnownNames } from './known-names.ts';

export function suiteProblems(document: SystemDocument, known: KnownNames, source: ConfigSource): Problem[] {
  const names = [...known.services.keys()];
  return Object.keys(document.suite?.openapi ?? {})
    .filter((service) => !names.includes(service))
    .map((service) => {
      const guess = nearest(service, names);
      return new Problem({
        code: 'config.unknown-name',
        where: source.keyPosition(['suite', 'openapi', service]),
        what: `no service is called \`${service}\``,
        allowed: names.join(', ') || 'no service is declared',
        next: guess ? `did you mean \`${guess}\`?` : 'name a service',
      });
    });
}
