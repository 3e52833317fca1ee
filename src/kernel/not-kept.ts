/** What stands in evidence for a part that is there and was not kept: whatever looks at it is neither right nor wrong. */
import { isContainer } from './exact-json.ts';

export const notKept = { $dropped: {} } as const;

export function isNotKept(value: unknown): boolean {
  return isContainer(value) && Object.keys(value).join() === '$dropped';
}
