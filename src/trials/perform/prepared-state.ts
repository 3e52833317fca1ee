/** Fingerprints each database after the jobs: a service is not to blame for a state that differs from before. */
import { createHash } from 'node:crypto';
import { findUses } from '../../environment/wiring/edges.ts';
import type { DatabaseFacts, EnvironmentFacts } from '../../journal/environment-facts.ts';
import type { Prepared } from '../../journal/topology.ts';
import type { Clock } from '../../kernel/clock.ts';
import { openDatabase } from '../../observers/rows/database-links.ts';
import { attachedNames } from '../../system/attached/attached-services.ts';
import type { System } from '../../system/system.ts';

/** Empty where no job writes to a database, or where it cannot be read. */
export async function preparedState(
  system: System,
  { databases }: EnvironmentFacts,
  environment: string,
  clock: Clock,
): Promise<readonly Prepared[]> {
  const edges = findUses(system);
  const resources = [...new Set(databases.map(({ resource }) => resource))];
  const states = resources.map(async (resource): Promise<Prepared | undefined> => {
    const by = system.jobs.flatMap(({ name }) =>
      edges.some(({ from, to }) => from === name && to === resource) ? [name] : [],
    );
    if (by.length === 0) return undefined;
    const places = databases.filter((place) => place.resource === resource);
    const texts = await Promise.all(distinct(places).map((place) => describeDatabase(place, clock)));
    // Names that differ between environments say nothing about how the database is built.
    const plain = texts.map((text) => text.replaceAll(environment, '')).sort();
    return {
      resource,
      by,
      state: createHash('sha256').update(JSON.stringify(plain)).digest('hex').slice(0, 16),
    };
  });
  const settled = await Promise.allSettled(states);
  return settled.flatMap((one) => (one.status === 'fulfilled' && one.value ? [one.value] : []));
}

/** What nobody can look into is known by what the jobs said to it, unless it was there before them. */
export function withSaid(
  { services }: System,
  described: readonly Prepared[],
  said: readonly Prepared[],
): readonly Prepared[] {
  const isDescribed = (name: string): boolean => described.some(({ resource }) => resource === name);
  const isTheirs = (name: string): boolean => attachedNames({ services }).includes(name);
  return [...described, ...said.filter(({ resource }) => !isDescribed(resource) && !isTheirs(resource))];
}

/** Several places may be in one database. */
function distinct(places: EnvironmentFacts['databases']): EnvironmentFacts['databases'] {
  return [...new Map(places.map((place) => [new URL(place.url).pathname, place])).values()];
}

async function describeDatabase(place: DatabaseFacts, clock: Clock): Promise<string> {
  const database = openDatabase(place, clock);
  try {
    return await database.describe();
  } finally {
    await database.close();
  }
}
