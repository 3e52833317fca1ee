/** Tables and columns of `rows` checks, held against what the databases of the running system really have. */
import type { LintFinding } from '../../../checks/lint-finding.ts';
import { nearest } from '../../../kernel/nearest.ts';
import { CannotSee } from '../../../observers/observer.ts';
import { type DatabaseLinks, openDatabaseLinks } from '../../../observers/rows/database-links.ts';
import { findPlaces, isWildcard } from '../../../observers/rows/find-places.ts';
import { findTables, fullName } from '../../../observers/rows/find-tables.ts';
import type { TableShape } from '../../../observers/rows/table-catalogue.ts';
import type { TableClaim } from './claims.ts';
import { type Examined, findingAt, openExamination } from './examined.ts';
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

/** Findings, or why nothing can be said. */
async function examine(
  claim: TableClaim,
  links: DatabaseLinks,
  { facts }: Looking,
): Promise<readonly LintFinding[] | string> {
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
    if (error instanceof CannotSee && error.hope === 'never') return [nowhere(claim, error.message)];
    if (error instanceof CannotSee) return error.message;
    throw error;
  }
}

function namesOf(tables: readonly TableShape[], own: ReadonlySet<string>): readonly string[] {
  return [...new Set(tables.map((shape) => (own.has(shape.schema) ? shape.name : fullName(shape))))];
}

function unknownTable(claim: TableClaim, names: readonly string[]): LintFinding {
  const guess = nearest(claim.table, names);
  return findingAt(claim, {
    kind: 'unknown-table',
    text: `${claim.service} has no table \`${claim.table}\``,
    why: 'a check on a table that is not there can never hold, and an absence in it is none',
    next: guess
      ? `did you mean \`${claim.service}.${guess}\`?`
      : `${listed('it has', names)}; where the system makes it later, say so: \`lint: { allow: [unknown-table], because: … }\``,
  });
}

function unknownColumns(claim: TableClaim, shape: TableShape): readonly LintFinding[] {
  const names = shape.columns.map(({ name }) => name);
  return claim.columns
    .filter(({ name }) => !names.includes(name))
    .map(({ name, key }) => {
      const guess = nearest(name, names);
      return findingAt(claim, {
        kind: 'unknown-column',
        text: `\`${key}\` speaks of the column \`${name}\`, which ${fullName(shape)} does not have`,
        why: 'a condition on a column that is not there matches nothing, which looks just like "there is no such row"',
        next: guess ? `did you mean \`${guess}\`?` : listed('its columns are', names),
      });
    });
}

function nowhere(claim: TableClaim, message: string): LintFinding {
  return findingAt(claim, {
    kind: 'unknown-table',
    text: `\`${claim.service}.${claim.table}\` cannot be found: ${message}`,
    why: 'a check on a table that is not there can never hold',
    next: 'name a service that has a place in a database, or the database itself',
  });
}

const mostListed = 12;

function listed(words: string, names: readonly string[]): string {
  if (names.length === 0) return 'there is none at all';
  const more = names.length > mostListed ? ', …' : '';
  return `${words} ${[...names].sort().slice(0, mostListed).join(', ')}${more}`;
}
