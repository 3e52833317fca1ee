/** Refuses one name for two things, and shows both positions. */
import { dirname, relative } from 'node:path';
import { Problem } from '../../kernel/problem.ts';
import { formatPosition, type SourcePosition } from '../../kernel/source-position.ts';
import type { SystemDocument } from '../document/system-document.ts';
import type { RosterMember } from '../roster/expand-roster.ts';
import type { ConfigSource } from '../source/config-source.ts';

interface Named {
  readonly name: string;
  readonly noun: string;
  readonly where: () => SourcePosition;
}

const sections = {
  resources: 'a resource',
  volumes: 'a volume',
  jobs: 'a job',
  services: 'a service',
  rosters: 'a roster',
} as const;

export function nameProblems(
  document: SystemDocument,
  members: readonly RosterMember[],
  source: ConfigSource,
): Problem[] {
  const first = new Map<string, Named>();
  return [...declared(document, source), ...rostered(members)].flatMap((named) => {
    const other = first.get(named.name);
    if (!other) {
      first.set(named.name, named);
      return [];
    }
    return [twice(named, other, source)];
  });
}

function declared(document: SystemDocument, source: ConfigSource): Named[] {
  return Object.entries(sections).flatMap(([section, noun]) =>
    Object.keys(document[section as keyof typeof sections] ?? {}).map((name) => ({
      name,
      noun,
      where: () => source.keyPosition([section, name]),
    })),
  );
}

function rostered(members: readonly RosterMember[]): Named[] {
  return members.map(({ name, roster, namedAt }) => ({
    name,
    noun: `a service of the roster \`${roster}\``,
    where: () => namedAt,
  }));
}

function twice(named: Named, other: Named, source: ConfigSource): Problem {
  const otherPlace = other.where();
  const place = formatPosition({ ...otherPlace, file: relative(dirname(source.file), otherPlace.file) });
  return new Problem({
    code: 'config.duplicate-name',
    where: named.where(),
    what: `\`${named.name}\` is ${named.noun} here and ${other.noun} at ${place}`,
    allowed: 'one name for one thing, among resources, volumes, jobs, services and rosters together',
    next: 'rename one of the two',
  });
}
