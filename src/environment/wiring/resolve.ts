/** Fills in `${…}`: per consumer, so that each gets the address of its own tap. */
import { Problem } from '../../kernel/problem.ts';
import { isReference, parseReferences, type ReferencePart } from '../../kernel/references.ts';

/** The value of a reference such as `db.url` for one consumer; undefined when it has none. */
export type Lookup = (reference: ReferencePart) => string | undefined;

/** `quote` is applied to values, not to the text around them. */
export function resolveText(
  text: string,
  lookup: Lookup,
  where: string,
  quote: (value: string) => string = (value) => value,
): string {
  return fillIn(text, (reference) => {
    const value = lookup(reference);
    if (value === undefined) throw unknown(reference.path.join('.'), where);
    return quote(value);
  });
}

/** Fills in references that can be resolved here and leaves the rest unchanged: a shell has its own `${…}`. */
export function resolveKnown(text: string, lookup: Lookup): string {
  return fillIn(text, (reference) => {
    const { offset, length, fault } = reference;
    return (fault === undefined ? lookup(reference) : undefined) ?? text.slice(offset, offset + length);
  });
}

function fillIn(text: string, value: (reference: ReferencePart) => string): string {
  return parseReferences(text)
    .map((part) => (isReference(part) ? value(part) : part.text))
    .join('');
}

function unknown(name: string, where: string): Problem {
  return new Problem({
    code: 'config.unknown-variable',
    where,
    what: `\`\${${name}}\` has no value here`,
    allowed: 'resources, services, rosters, and self, env, run, environment, config',
    next: 'check the spelling; for `${env.NAME}` set the variable or give a default: `${env.NAME:-default}`',
  });
}
