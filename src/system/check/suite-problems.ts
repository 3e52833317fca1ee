/** Checks that the policy of the suite names existing drivers and services. */
import { unknownName } from '../../kernel/nearest.ts';
import { Problem } from '../../kernel/problem.ts';
import { driverNames } from '../../kinds/step-kinds.ts';
import type { SystemDocument } from '../document/system-document.ts';
import type { ConfigSource } from '../source/config-source.ts';
import type { KnownNames } from './known-names.ts';

export function suiteProblems(document: SystemDocument, known: KnownNames, source: ConfigSource): Problem[] {
  return [...driverProblems(document, source), ...serviceProblems(document, known, source)];
}

/** The drivers of plugins are not known yet; their names are checked when the plugins are loaded. */
function driverProblems({ suite, plugins }: SystemDocument, source: ConfigSource): Problem[] {
  const names = driverNames();
  const unknown = (suite?.drivers ?? []).filter((name) => plugins === undefined && !names.includes(name));
  return unknown.map((name) => unknownDriver(name, names, source.valuePosition(['suite', 'drivers'])));
}

export function unknownDriver(name: string, names: readonly string[], where: Problem['where']): Problem {
  return new Problem({
    where,
    what: `no driver is called \`${name}\``,
    ...unknownName(name, names, 'name a driver'),
  });
}

function serviceProblems(document: SystemDocument, known: KnownNames, source: ConfigSource): Problem[] {
  const names = [...known.services.keys()];
  return Object.keys(document.suite?.openapi ?? {})
    .filter((service) => !names.includes(service))
    .map((service) => {
      return new Problem({
        where: source.keyPosition(['suite', 'openapi', service]),
        what: `no service is called \`${service}\``,
        ...unknownName(service, names, 'name a service', 'no service is declared'),
      });
    });
}
