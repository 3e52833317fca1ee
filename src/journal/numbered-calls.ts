/** The calls of an attempt: each once, in its last state, and numbered for each edge. Pure. */
import { edgeOf } from '../kernel/edge-name.ts';
import { type CallEvent, mayGoOn } from './call-event.ts';

export interface NumberedCall<Call> {
  /** `agent -> gateway` */
  readonly edge: string;
  /** The n-th of its edge in this attempt; messages of one exchange share it. */
  readonly number: number;
  readonly call: Call;
}

export function numberedCalls<Call extends CallEvent>(calls: readonly Call[]): readonly NumberedCall<Call>[] {
  return [...Map.groupBy(withoutFormerStates(calls), edgeOf)].flatMap(([edge, ofEdge]) => {
    const crossings = [...new Set(ofEdge.map(({ crossing }) => crossing))].sort((a, b) => a - b);
    const numbers = new Map(crossings.map((crossing, index) => [crossing, index + 1]));
    return ofEdge.map((call) => ({ edge, number: numbers.get(call.crossing) ?? 0, call }));
  });
}

/** A call that was reported in flight, maybe several times, and then ended is one call. */
function withoutFormerStates<Call extends CallEvent>(calls: readonly Call[]): readonly Call[] {
  const key = (call: CallEvent): string => `${edgeOf(call)} ${call.crossing}`;
  const over = new Set(calls.filter((call) => !mayGoOn(call)).map(key));
  const latest = new Map(calls.filter(mayGoOn).map((call) => [key(call), call]));
  return calls.filter((call) => !mayGoOn(call) || (!over.has(key(call)) && latest.get(key(call)) === call));
}
