/** The calls of an attempt as they are judged: each once, as it was told last, numbered anew for each edge. */
import { type CallEvent, mayGoOn } from '../journal/call-event.ts';

export interface SeenCall {
  readonly seq: number;
  /** `agent -> gateway` */
  readonly edge: string;
  /** The n-th of its edge in this attempt; messages of one exchange share it. */
  readonly number: number;
  readonly call: CallEvent;
}

/** In the order in which they began. */
export function seenCalls(events: readonly (CallEvent & { readonly seq: number })[]): readonly SeenCall[] {
  const edges = Map.groupBy(withoutFormerStates(events), edgeOf);
  const seen = [...edges].flatMap(([edge, calls]) => {
    const crossings = [...new Set(calls.map(({ crossing }) => crossing))].sort((a, b) => a - b);
    const numbers = new Map(crossings.map((crossing, index) => [crossing, index + 1]));
    return calls.map((call) => ({
      seq: call.seq,
      edge,
      number: numbers.get(call.crossing) ?? 0,
      call,
    }));
  });
  return seen.sort((a, b) => a.call.startedAt - b.call.startedAt || a.number - b.number || a.seq - b.seq);
}

/** A call that was seen in flight, maybe several times, and then ended is one call. */
function withoutFormerStates<Call extends CallEvent>(calls: readonly Call[]): readonly Call[] {
  const key = (call: CallEvent): string => `${edgeOf(call)} ${call.crossing}`;
  const over = new Set(calls.filter((call) => !mayGoOn(call)).map(key));
  const latest = new Map(calls.filter(mayGoOn).map((call) => [key(call), call]));
  return calls.filter((call) => !mayGoOn(call) || (!over.has(key(call)) && latest.get(key(call)) === call));
}

export function edgeOf({ from, to }: { readonly from: string; readonly to: string }): string {
  return `${from} -> ${to}`;
}

/** `call 3 of agent -> gateway` */
export function nameOf({ number, edge }: SeenCall): string {
  return `call ${number} of ${edge}`;
}
