/** Priorities: how they are written, and which of several is the highest. */

const written = /^p\d{1,2}$/;

/** `P0` and `p0` are the same; undefined for an invalid priority. */
export function normalPriority(text: string): string | undefined {
  const lower = text.trim().toLowerCase();
  return written.test(lower) ? `p${Number(lower.slice(1))}` : undefined;
}

/** The lowest number first; without a priority, last. */
export function comparePriorities(a: string | undefined, b: string | undefined): number {
  return rank(a) - rank(b);
}

function rank(priority: string | undefined): number {
  return priority !== undefined && written.test(priority)
    ? Number(priority.slice(1))
    : Number.MAX_SAFE_INTEGER;
}

/** A trial's own priority, or the highest of what it covers. */
export function effectivePriority(
  { priority, covers }: { readonly priority?: string; readonly covers: readonly string[] },
  priorityOf: ReadonlyMap<string, string>,
): string | undefined {
  if (priority !== undefined) return normalPriority(priority) ?? priority;
  const [gravest] = covers
    .flatMap((id) => priorityOf.get(id) ?? [])
    .sort((one, other) => comparePriorities(one, other));
  return gravest;
}

/** Requirement to its priority, for those that have one. */
export function prioritiesOf(
  requirements: readonly { readonly id: string; readonly priority?: string }[],
): ReadonlyMap<string, string> {
  return new Map(
    requirements.flatMap(({ id, priority }) => (priority === undefined ? [] : [[id, priority] as const])),
  );
}
