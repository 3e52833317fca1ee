/** The calls of an attempt on an edge that match a pattern, as the `calls` observer shows them. */
import { isUnread, unreadBecause } from '../../journal/call-event.ts';
import { looksAtEnd } from '../../kernel/edge-name.ts';
import { resolvePattern } from '../../patterns/scope.ts';
import type { AttemptView } from '../attempt-view.ts';
import { holdCalls } from '../doubtful-parts.ts';
import type { SeenCall } from '../seen-call.ts';

/** `*` matches any end, and a service all of its listeners. `undecided` says why it cannot be decided which of them match. */
export function matchingCalls(
  { from = '*', to = '*', where }: { readonly from?: string; readonly to?: string; readonly where?: unknown },
  view: AttemptView,
) {
  const meant = view.calls.filter(({ call }) => looksAtEnd(from, call.from) && looksAtEnd(to, call.to));
  const unread = meant.find(({ call }) => isUnread(call));
  if (unread) return { calls: [], undecided: unreadBecause(unread.call) };
  if (where === undefined) return { calls: meant };
  const { value: pattern, missing } = resolvePattern(where, view.scope);
  if (missing.length > 0) return { calls: [], undecided: `\${${missing[0]}} has no value` };
  const held = meant.map((seen) => ({
    seen,
    held: holdCalls({ expect: [pattern] }, [viewOf(seen)], undefined),
  }));
  const open = held.find(({ held: { undecided } }) => undecided !== undefined);
  if (open) return { calls: [], undecided: open.held.undecided ?? '' };
  return { calls: held.flatMap(({ seen, held: { held: fits } }) => (fits ? [seen] : [])) };
}

/** With the number of the call in this attempt, and its status at the top level. */
function viewOf({ call, number }: SeenCall): unknown {
  const { type: _type, connection: _connection, ...seen } = call;
  return { ...seen, crossing: number, ...(call.response ? { status: call.response.status } : {}) };
}
