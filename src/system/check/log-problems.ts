/** Checks that each allowance for error lines names a service or a roster that exists. */
import { nearest } from '../../kernel/nearest.ts';
import { Problem } from '../../kernel/problem.ts';
import type { SystemDocument } from '../document/system-document.ts';
import type { ConfigSource } from '../source/config-source.ts';
import type { KnownNames } from './known-names.ts';

export function logProblems(document: SystemDocument, known: KnownNames, source: ConfigSource): Problem[] {
  const names = [...known.services.keys(), ...known.rosters.keys()];
  return (document.logs?.allow ?? []).flatMap(({ service }, index) => {
    if (names.includes(service)) return [];
    const guess = nearest(service, names);
    return [
      new Problem({
        code: 'config.unknown-name',
        where: source.valuePosition(['logs', 'allow', index, 'service']),
        what: `no service is called \`${service}\``,
        allowed: names.join(', ') || 'no service is declared',
        next: guess ? `did you mean \`${guess}\`?` : 'name a service or a roster',
      }),
    ];
  });
}
