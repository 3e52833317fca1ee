/** The placeholder in evidence for a part that existed but was not kept: a check on it can neither pass nor fail. */
import { isContainer } from './exact-json.ts';

export const notKept = { $dropped: {} } as const;

/** The same for a part that is there and could not be read. */
export function notRead(because: string): unknown {
  return { $dropped: { because } };
}

/** The last element of a list of which only the beginning was kept: so many more were there. */
export function moreNotKept(more: number, because: string): unknown {
  return { $dropped: { because, more } };
}

/** How many elements a list had, including those that were not kept. */
export function wholeLength(list: readonly unknown[]): number {
  const last = list.at(-1);
  if (!isNotKept(last)) return list.length;
  const { more } = (last as { $dropped: { more?: unknown } | null }).$dropped ?? {};
  return typeof more === 'number' ? list.length - 1 + more : list.length;
}

export function isNotKept(value: unknown): boolean {
  return isContainer(value) && Object.hasOwn(value, '$dropped') && Object.keys(value).length === 1;
}

/** Undefined for what was kept. */
export function whyNotKept(value: unknown): string | undefined {
  if (!isNotKept(value)) return undefined;
  const { what, because } =
    (value as { $dropped: { what?: unknown; because?: unknown } | null }).$dropped ?? {};
  if (typeof because === 'string') return because;
  return `the observation was too large to be kept${typeof what === 'string' ? ` (${what})` : ''}`;
}
