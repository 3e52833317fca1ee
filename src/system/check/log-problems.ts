/** Checks that each allowance for error lines names an existing service or roster. */
import { unknownName } from '../../kernel/nearest.ts';
import { Problem } from '../../kernel/problem.ts';
import type { SystemDocument } from '../document/system-document.ts';
import type { ConfigSource } from '../source/config-source.ts';
import type { KnownNames } from './known-names.ts';

export function logProblems(document: SystemDocument, known: KnownNames, source: ConfigSource): Problem[] {
  const names = [...known.services.keys(), ...known.rosters.keys()];
  return (document.logs?.allow ?? []).flatMap(({ service }, index) => {
    if (names.includes(service)) return [];
    return [
      new Problem({
        where: source.valuePosition(['logs', 'allow', index, 'service']),
        what: `no service is called \`${service}\``,
        ...unknownName(service, names, 'name a service or a roster', 'no service is declared'),
      }),
    ];
  });
}
