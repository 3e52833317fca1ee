/** Fills in `${…}`: per consumer, so that each gets the address of its own tap. */
import { Problem } from '../../kernel/problem.ts';
import { parseReferences } from '../../system/references.ts';

/** What a reference such as `db.url` means to one consumer; undefined when it means nothing. */
export type Lookup = (path: readonly string[], fallback: string | undefined) => string | undefined;

/** `escape` is applied to values, not to the text around them. */
export function resolveText(text: string, lookup: Lookup, where: string, escape: (value: string) => string = (value) => value): string {
  return parseReferences(text)
    .map((part) => {
      if (!('path' in part)) return part.text;
      const value = lookup(part.path, part.fallback);
      if (value === undefined) throw unknown(part.path.join('.'), where);
      return escape(value);
    })
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
