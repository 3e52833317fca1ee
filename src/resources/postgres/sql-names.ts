/** Names of databases, roles and schemas: made from names of services, and quoted for SQL. */
import { createHash } from 'node:crypto';

const longestNameBytes = 63;

/** Names with a meaning of their own in PostgreSQL, or taken by the layout itself. */
const takenRoles = ['public', 'none', 'postgres', 'template0', 'template1', 'shakedown', 'main', 'owner'];
const takenSchemas = ['public', 'information_schema'];

/** A name of at most 63 bytes that needs no quotes in most places; a longer one keeps its beginning and ends in a hash of the whole. */
export function sqlName(text: string): string {
  const plain = text.toLowerCase().replaceAll(/[^a-z0-9_]/g, '_');
  if (plain.length <= longestNameBytes) return plain;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8);
  return `${plain.slice(0, longestNameBytes - hash.length - 1)}_${hash}`;
}

/** For each service a role, and a database of the same name where it has one. */
export function roleNames(prefix: string, services: readonly string[]): ReadonlyMap<string, string> {
  return distinctNames(prefix, services, takenRoles);
}

export function schemaNames(services: readonly string[]): ReadonlyMap<string, string> {
  return distinctNames('', services, takenSchemas);
}

/** Different from each other and from the names that are taken: `a-b` and `a_b` become `a_b` and `a_b_2`. */
function distinctNames(
  prefix: string,
  services: readonly string[],
  taken: readonly string[],
): ReadonlyMap<string, string> {
  const used = new Set(taken.map((name) => sqlName(prefix + name)));
  const names = new Map<string, string>();
  for (const service of services) {
    const wanted = sqlName(prefix + service);
    const base = wanted.startsWith('pg_') ? sqlName(`service_${wanted}`) : wanted;
    let name = base;
    for (let count = 2; used.has(name); count += 1) name = sqlName(`${base}_${count}`);
    used.add(name);
    names.set(service, name);
  }
  return names;
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function quoteText(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return text.includes('\\') ? ` E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}

const mark = '@snapshot';

/** The name of a database's copy, one that no service's database can have: `main@snapshot`. A long name keeps its beginning, so that the mark of its creator stays in front. */
export function snapshotName(database: string): string {
  const whole = `${database}${mark}`;
  if (Buffer.byteLength(whole) <= longestNameBytes) return whole;
  const hash = createHash('sha256').update(database).digest('hex').slice(0, 8);
  const room = longestNameBytes - mark.length - hash.length - 1;
  return `${Buffer.from(database)
    .subarray(0, room)
    .toString('latin1')
    .replaceAll(/[^\x20-\x7e]/g, '_')}_${hash}${mark}`;
}
