/** Compares tables and columns of `rows` checks with the databases of the running system. */
import type { LintFinding } from '../../../checks/lint-finding.ts';
import { didYouMean, nearest } from '../../../kernel/nearest.ts';
import { ObservationError } from '../../../observers/observer.ts';
import { type DatabaseLinks, openDatabaseLinks } from '../../../observers/rows/database-links.ts';
import { findPlaces, isWildcard } from '../../../observers/rows/find-places.ts';
import { findTables, fullName } from '../../../observers/rows/find-tables.ts';
import type { TableShape } from '../../../observers/rows/table-catalogue.ts';
import { liveFinding } from '../live-finding.ts';
import type { TableClaim } from './claims.ts';
import { type Examined, listed, type Outcome, openExamination } from './examined.ts';
import type { Looking } from './looking.ts';

export async function examineTables(claims: readonly TableClaim[], looking: Looking): Promise<Examined> {
  const links = openDatabaseLinks(looking.clock, looking.signal);
  const examination = openExamination();
  try {
    for (const claim of claims)
      examination.note(`${claim.service}.${claim.table}`, await examine(claim, links, looking));
  } finally {
    await links.close();
  }
  return examination.examined('tables');
}

async function examine(claim: TableClaim, links: DatabaseLinks, { facts }: Looking): Promise<Outcome> {
  try {
    const places = findPlaces(facts, claim.service);
    const found = await findTables(links, places, claim.table);
    if (claim.table === '*') return [];
    const [table] = found;
    if (!table) {
      const all = await Promise.all(places.map((place) => links.to(place).catalogue.tables()));
      const schemas = new Set(places.map(({ schema }) => schema ?? 'public'));
      return [unknownTable(claim, namesOf(all.flat(), schemas))];
    }
    return isWildcard(claim.service) ? [] : unknownColumns(claim, table.shape);
  } catch (error) {
    if (error instanceof ObservationError && !error.retryable) return [nowhere(claim, error.message)];
    if (error instanceof ObservationError) return error.message;
    throw error;
  }
}

function namesOf(tables: readonly TableShape[], own: ReadonlySet<string>): readonly string[] {
  return [...new Set(tables.map((shape) => (own.has(shape.schema) ? shape.name : fullName(shape))))];
}

function unknownTable({ service, table, place }: TableClaim, names: readonly string[]): LintFinding {
  const guess = nearest(table, names);
  const advice = `${namesOr('it has', names)}; if the system creates it later, say so: \`lint: { allow: [unknown-table], because: … }\``;
  const next = guess ? `did you mean \`${service}.${guess}\`?` : advice;
  return liveFinding('unknown-table', place, `${service} has no table \`${table}\``, next);
}

function unknownColumns({ columns, place }: TableClaim, shape: TableShape): readonly LintFinding[] {
  const names = shape.columns.map(({ name }) => name);
  return columns
    .filter(({ name }) => !names.includes(name))
    .map(({ name, key }) => {
      const text = `\`${key}\` refers to the column \`${name}\`, which ${fullName(shape)} does not have`;
      const next = didYouMean(name, names, namesOr('its columns are', names));
      return liveFinding('unknown-column', place, text, next);
    });
}

function nowhere({ service, table, place }: TableClaim, message: string): LintFinding {
  const text = `\`${service}.${table}\` cannot be found: ${message}`;
  const next = 'name a service that has a place in a database, or the database itself';
  return liveFinding('unknown-table', place, text, next);
}

function namesOr(words: string, names: readonly string[]): string {
  return names.length === 0 ? 'there are none' : listed(words, names);
}
