/** A hash of the environment variables that a trial and its system refer to: with other values, another system was run. Pure. */
import { createHash } from 'node:crypto';
import { isReference, parseReferences, type ReferencePart } from '../../kernel/references.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The names in all `${env.NAME}` of a value; a default is data, and part of the config. */
export function variablesIn(value: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  // Quotes and line feeds are escaped in it, and no reference has any.
  for (const part of parseReferences(JSON.stringify(value) ?? '').filter(isReference)) {
    const name = nameOf(part);
    if (name !== undefined) names.add(name);
  }
  return names;
}

function nameOf({ path: [head, name] }: ReferencePart): string | undefined {
  return head === 'env' ? name : undefined;
}

/** Null where there are none. Values may be secrets, so that nothing but this is kept of them. */
export function variablesHash(names: Iterable<string>, env: Variables): string | null {
  const values = [...new Set(names)].sort().map((name) => [name, env[name] ?? '']);
  if (values.length === 0) return null;
  return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 16);
}
