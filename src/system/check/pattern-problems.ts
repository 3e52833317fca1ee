/** Reports invalid patterns in a config, at the offending key. */
import { Problem } from '../../kernel/problem.ts';
import { checkPattern } from '../../patterns/check-pattern.ts';
import { parsePath } from '../../patterns/value-path.ts';
import type { ConfigSource } from '../source/config-source.ts';
import type { DocumentPath } from '../source/document-path.ts';

export function patternProblems(pattern: unknown, path: DocumentPath, source: ConfigSource): Problem[] {
  if (pattern === null)
    return [
      new Problem({
        code: 'config.bad-pattern',
        where: source.keyPosition(path),
        what: `\`${String(path.at(-1))}:\` has no value`,
        allowed: 'a pattern, such as { status: 200 }; { $eq: null } where null is meant',
        next: 'write the pattern, or leave the key out',
      }),
    ];
  return checkPattern(pattern, 'open').map((fault) => {
    const inner = parsePath(fault.path) ?? [];
    return new Problem({
      code: 'config.bad-pattern',
      where: source.keyPosition([...path, ...inner]),
      what: fault.what,
      allowed: fault.allowed,
      next: fault.nearest === undefined ? 'change the pattern' : `did you mean \`${fault.nearest}\`?`,
    });
  });
}
