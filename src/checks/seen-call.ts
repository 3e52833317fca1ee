/** The calls of an attempt as they are judged: each once, in its last state, numbered anew for each edge. */
import { type CallEvent, isStoreCall } from '../journal/call-event.ts';
import { type NumberedCall, numberedCalls } from '../journal/numbered-calls.ts';
import { limits } from '../kernel/limits.ts';

export interface SeenCall extends NumberedCall<CallEvent> {
  readonly seq: number;
}

/** In the order in which they began. */
export function seenCalls(events: readonly (CallEvent & { readonly seq: number })[]): readonly SeenCall[] {
  return numberedCalls(events)
    .map((one) => ({ ...one, seq: one.call.seq }))
    .sort((a, b) => a.call.startedAt - b.call.startedAt || a.number - b.number || a.seq - b.seq);
}

/** Statements and other calls have a limit each. */
export function areAllKept(calls: readonly SeenCall[]): boolean {
  const statements = calls.filter(({ call }) => isStoreCall(call)).length;
  return Math.max(statements, calls.length - statements) < limits.keptCalls;
}

/** `call 3 of agent -> gateway` */
export function nameOf({ number, edge }: Pick<SeenCall, 'number' | 'edge'>): string {
  return `call ${number} of ${edge}`;
}
