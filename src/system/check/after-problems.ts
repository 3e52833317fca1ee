/** Determines what each program waits for, and refuses unknown names and cycles. */
import { didYouMean } from '../../kernel/nearest.ts';
import { Problem } from '../../kernel/problem.ts';
import type { ProgramDraft } from '../program-draft.ts';
import type { ConfigSource } from '../source/config-source.ts';
import { findCycles } from './find-cycles.ts';
import { allNames, type KnownNames } from './known-names.ts';
import { referredResources } from './reference-problems.ts';

/** What each program waits for: named in `after`, with rosters expanded, and the resources that it refers to. */
export function waitsFor(drafts: readonly ProgramDraft[], known: KnownNames): Map<string, string[]> {
  return new Map(
    drafts.map((draft) => {
      const named = (draft.document.after ?? []).flatMap((name) => known.rosters.get(name) ?? [name]);
      return [draft.name, [...new Set([...referredResources(draft, known), ...named])]];
    }),
  );
}

export function afterProblems(
  drafts: readonly ProgramDraft[],
  known: KnownNames,
  source: ConfigSource,
): Problem[] {
  const unknown = drafts.flatMap((draft) => unknownNames(draft, known, source));
  return [...unknown, ...cycleProblems(drafts, known, source)];
}

function unknownNames(draft: ProgramDraft, known: KnownNames, source: ConfigSource): Problem[] {
  const names = allNames(known);
  return (draft.document.after ?? []).flatMap((name, index) => {
    if (names.includes(name)) return [];
    return [
      new Problem({
        code: 'config.unknown-name',
        where: source.valuePosition([...draft.path, 'after', index]),
        what: `unknown name \`${name}\``,
        allowed: names.join(', '),
        next: didYouMean(
          name,
          names.filter((candidate) => candidate !== draft.name),
          `declare \`${name}\`, or remove it here`,
        ),
      }),
    ];
  });
}

function cycleProblems(drafts: readonly ProgramDraft[], known: KnownNames, source: ConfigSource): Problem[] {
  const byName = new Map(drafts.map((draft) => [draft.name, draft]));
  const graph = new Map(
    [...waitsFor(drafts, known)].map(([name, needed]) => [
      name,
      needed.filter((candidate) => byName.has(candidate)),
    ]),
  );
  return findCycles(graph).map((cycle) => {
    const [first, second] = cycle as [string, string];
    const draft = byName.get(first) as ProgramDraft;
    const after = draft.document.after ?? [];
    const index = after.findIndex((name) => name === second || known.rosters.get(name)?.includes(second));
    return new Problem({
      code: 'config.dependency-cycle',
      where: source.valuePosition([...draft.path, 'after', index]),
      what: `these wait for each other: ${cycle.join(' → ')}`,
      allowed: 'an order in which each can start',
      next: 'remove one of these `after`; an address such as `${name.url}` is known without waiting',
    });
  });
}
