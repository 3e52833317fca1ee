/** Refuses shims whose names or programs are ambiguous. */
import { Problem } from '../../kernel/problem.ts';
import { programOf } from '../build/build-program.ts';
import type { ServiceDraft } from '../program-draft.ts';
import type { ConfigSource } from '../source/config-source.ts';

export function shimProblems(
  service: ServiceDraft,
  taken: readonly string[],
  source: ConfigSource,
): Problem[] {
  const recorded = new Map<string, string>();
  return Object.entries(service.document.shims ?? {}).flatMap(([end, shim]) => {
    const program = programOf(shim);
    const path = [...service.path, 'shims', end];
    const earlier = recorded.get(program);
    recorded.set(program, earlier ?? end);
    const problems: Problem[] = [];
    if (taken.includes(end))
      problems.push(
        new Problem({
          code: 'config.duplicate-name',
          where: source.keyPosition(path),
          what: `\`${end}\` is the name of a shim here, and of something else in this config`,
          allowed: 'a name of its own, so that `calls: service -> name` means one thing',
          next: 'rename the shim',
        }),
      );
    if (earlier !== undefined)
      problems.push(
        new Problem({
          code: 'config.duplicate-name',
          where: source.valuePosition(path),
          what: `the program \`${program}\` is recorded twice, as \`${earlier}\` and as \`${end}\``,
          allowed: 'one name for one program',
          next: 'remove one of the two',
        }),
      );
    return problems;
  });
}
