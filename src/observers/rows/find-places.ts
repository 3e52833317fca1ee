/** Whose data is meant: the places in databases that a name refers to. Pure. */
import type { DatabaseFacts, EnvironmentFacts } from '../../journal/environment-facts.ts';
import { suggest } from '../find-service.ts';
import { ObservationError } from '../observer.ts';

/** `health`, `*` for all services, `!health` for all others, or the name of a resource that is shared. */
export function findPlaces(facts: EnvironmentFacts, wanted: string): readonly DatabaseFacts[] {
  if (wanted === '*') return atLeastOne(facts.databases, 'there is no database in this system');
  if (wanted.startsWith('!')) {
    const avoided = findPlaces(facts, wanted.slice(1));
    const others = facts.databases.filter((place) => !avoided.includes(place));
    return atLeastOne(others, `no service other than ${wanted.slice(1)} has a place in a database`);
  }
  const own = facts.databases.filter(({ service }) => service === wanted);
  if (own.length > 0) return own;
  const shared = facts.databases.filter(({ service }) => service === null);
  const named = shared.filter(({ resource }) => resource === wanted);
  if (named.length > 0) return named;
  if (!facts.services.some(({ name }) => name === wanted)) throw unknownName(facts, wanted);
  if (shared.length > 1) {
    const names = shared.map(({ resource }) => resource).join(', ');
    throw new ObservationError(`${wanted} could mean any of the databases ${names}; write that name instead`);
  }
  return atLeastOne(
    shared,
    `${wanted} has no place in a database: rows are read in a resource (\`kind: postgres\` or \`sqlite\`; for a service of a compose file, \`replace: { ${wanted}: postgres }\`)`,
  );
}

/** A wildcard gives rows of several tables. */
export function isWildcard(wanted: string): boolean {
  return wanted === '*' || wanted.startsWith('!');
}

function atLeastOne(places: readonly DatabaseFacts[], otherwise: string): readonly DatabaseFacts[] {
  if (places.length === 0) throw new ObservationError(otherwise);
  return places;
}

function unknownName({ databases, services }: EnvironmentFacts, wanted: string): ObservationError {
  const names = new Set([...services.map(({ name }) => name), ...databases.map(({ resource }) => resource)]);
  return new ObservationError(
    `there is no service or database ${wanted}; ${suggest(wanted, [...names], 'there are')}`,
  );
}
