/** The placeholder in evidence for a part that existed but was not kept: a check on it can neither pass nor fail. */
import { isContainer } from './exact-json.ts';

export const notKept = { $dropped: {} } as const;

export function isNotKept(value: unknown): boolean {
  return isContainer(value) && Object.keys(value).join() === '$dropped';
}

/** Undefined for what was kept. */
export function whyNotKept(value: unknown): string | undefined {
  if (!isNotKept(value)) return undefined;
  const { what } = (value as { $dropped: { what?: unknown } | null }).$dropped ?? {};
  return `the observation was too large to be kept${typeof what === 'string' ? ` (${what})` : ''}`;
}
