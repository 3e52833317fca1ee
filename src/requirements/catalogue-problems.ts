/** Problems across all requirements: duplicate ids, and unknown or cyclic dependencies. */
import { didYouMean } from '../kernel/nearest.ts';
import { Problem } from '../kernel/problem.ts';
import { findCycles } from '../system/check/find-cycles.ts';
import type { PlacedRequirement } from './requirement.ts';

export function catalogueProblems(placed: readonly PlacedRequirement[]): readonly Problem[] {
  const first = new Map<string, PlacedRequirement>();
  const repeated = placed.flatMap((one) => {
    const { id } = one.requirement;
    const earlier = first.get(id);
    if (!earlier) first.set(id, one);
    return earlier ? [taken(one, earlier)] : [];
  });
  return [...repeated, ...unknownDependencies(placed, [...first.keys()]), ...circles(first)];
}

function taken(one: PlacedRequirement, { requirement }: PlacedRequirement): Problem {
  return new Problem({
    code: 'requirement.duplicate-id',
    where: one.whereIs('id'),
    what: `the id ${one.requirement.id} is taken by ${requirement.file}:${requirement.line}`,
    allowed: 'an id of its own for every requirement',
    next: 'rename or remove one of them',
  });
}

function unknownDependencies(placed: readonly PlacedRequirement[], ids: readonly string[]): Problem[] {
  return placed.flatMap(({ requirement, whereIs }) =>
    requirement.dependsOn.flatMap((id, index) => {
      if (ids.includes(id)) return [];
      const what = `${requirement.id} depends on ${JSON.stringify(id)}, and there is no such requirement`;
      const next = didYouMean(id, ids, 'correct the id, or remove it');
      const where = whereIs({ dependsOn: index });
      const allowed = 'ids of other requirements';
      return [new Problem({ code: 'requirement.unknown-id', where, what, allowed, next })];
    }),
  );
}

function circles(byId: ReadonlyMap<string, PlacedRequirement>): Problem[] {
  const graph = new Map([...byId].map(([id, { requirement }]) => [id, requirement.dependsOn]));
  return findCycles(graph).flatMap((circle) => {
    const one = byId.get(circle[0] ?? '');
    if (!one) return [];
    const at = one.requirement.dependsOn.indexOf(circle[1] ?? '');
    return [
      new Problem({
        code: 'requirement.cycle',
        where: one.whereIs({ dependsOn: Math.max(0, at) }),
        what: `these wait for each other: ${circle.join(' -> ')}`,
        allowed: 'dependencies that lead to a requirement that waits for no other',
        next: 'remove one of them',
      }),
    ];
  });
}
