/** How PostgreSQL compares a value with a column of any type. */
import { observerLimits } from '../observer-limits.ts';
import type { Dialect } from './database/database.ts';
import { QueryRefused, ServerFault } from './database/refusals.ts';
import type { Literal } from './database/where-literals.ts';
import type { DatabaseLink } from './database-link.ts';
import { otherSpellings } from './other-spellings.ts';
import type { Way } from './table-catalogue.ts';

export function postgresDialect(link: DatabaseLink): Dialect {
  /** How values of types are compared, as far as it was tried; undefined where they cannot be. */
  const ways = new Map<string, Way | undefined>();
  return {
    wayFor: (literal, mayBeUnfit) => wayFor(link, ways, literal, mayBeUnfit),
    parameter: (number, { sqlType }) => `$${number}::${sqlType}`,
    others: otherSpellings,
  };
}

const noOperator = '42883';

/** Undefined where it cannot be compared. Asked once, because a value that does not fit leaves an error in the server's log. */
async function wayFor(
  link: DatabaseLink,
  ways: Map<string, Way | undefined>,
  literal: Literal,
  mayBeUnfit: boolean,
): Promise<Way | undefined> {
  const { sqlType, domain } = literal.column;
  const key = JSON.stringify([sqlType, domain, String(literal.value)]);
  const known = ways.get(key);
  if (known || (mayBeUnfit && ways.has(key))) return known;
  const way = await tryWays(link, literal).catch((error: unknown) => {
    // No table was touched: whatever was refused, it was the value.
    if (mayBeUnfit && (error instanceof QueryRefused || error instanceof ServerFault)) return undefined;
    throw error;
  });
  if (ways.size >= observerLimits.comparisons) ways.clear();
  ways.set(key, way);
  return way;
}

async function tryWays(link: DatabaseLink, { column, value }: Literal): Promise<Way | undefined> {
  const { equals, sqlType, domain } = column;
  const tried = `$1::${sqlType}`;
  // The second is for types of which PostgreSQL knows no equality, such as `json`, `xml` and `point`.
  const ways: readonly Way[] = [
    ...(equals === null ? [] : [(a: string, b: string) => `${a} ${equals} ${b}`]),
    (a, b) => `to_jsonb(${a}) = to_jsonb(${b})`,
  ];
  for (const way of ways)
    try {
      const checked = domain === null ? '' : `, ${tried}::${domain}`;
      await link.query(`SELECT ${way(tried, tried)}${checked}`, [String(value)]);
      return way;
    } catch (error) {
      if (!(error instanceof QueryRefused) || error.code !== noOperator) throw error;
    }
  return undefined;
}
