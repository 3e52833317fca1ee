/** Calls as checks see them: of this attempt alone, numbered for each edge. Pure. */
import type { CallEvent } from '../../journal/call-event.ts';
import { numberedCalls } from '../../journal/numbered-calls.ts';
import { defined } from '../../kernel/defined.ts';

/** Fields that a call does not have are absent. */
export type CallView = Readonly<Record<string, unknown>> & {
  /** The n-th of its edge in this attempt, in the order in which they began. */
  readonly crossing: number;
  readonly from: string;
  readonly to: string;
  readonly startedAt: number;
  readonly endedAt: number;
};

/** In the order in which they began. */
export function viewCalls(calls: readonly CallEvent[]): readonly CallView[] {
  return inOrder(numberedCalls(calls).map(({ call, number }) => viewCall(call, number)));
}

export function inOrder(views: readonly CallView[]): readonly CallView[] {
  return [...views].sort((a, b) => a.startedAt - b.startedAt || a.crossing - b.crossing);
}

function viewCall(call: CallEvent, crossing: number): CallView {
  const { from, to, protocol, method, path, statement, params, result, error, request, response } = call;
  const { turn, faults, startedAt, endedAt, incomplete } = call;
  const asked = { crossing, from, to, protocol, method, path, statement, params, result, error };
  const status = response?.status;
  return defined({ ...asked, status, request, response, turn, faults, startedAt, endedAt, incomplete });
}
