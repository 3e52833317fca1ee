/** Whether a model's own record is of this call on its edge: by the id that the answer carried, or else by their times. */
import type { CallEvent } from './call-event.ts';
import type { ModelCalled } from './peer-event.ts';

export function isModelCall(
  { caller, resource, requestId, startedAt, endedAt }: ModelCalled,
  { from, to, response, ...call }: CallEvent,
): boolean {
  if (from !== caller || to !== resource) return false;
  const id = response?.headers['x-request-id'] ?? response?.headers['request-id'];
  if (requestId !== undefined && id !== undefined) return id === requestId;
  return call.startedAt <= endedAt && call.endedAt >= startedAt;
}
