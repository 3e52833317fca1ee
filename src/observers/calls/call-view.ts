/** Calls as checks see them: of this attempt alone, numbered anew for each edge. Pure. */
import { type CallEvent, mayGoOn } from '../../journal/call-event.ts';

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
  const edges = Map.groupBy(withoutFormerStates(calls), edgeOf);
  const views = [...edges.values()].flatMap((edge) => {
    // Several messages in one exchange share a number, and go on sharing it.
    const numbers = [...new Set(edge.map(({ crossing }) => crossing))].sort((a, b) => a - b);
    const places = new Map(numbers.map((number, index) => [number, index + 1]));
    return edge.map((call) => viewCall(call, places.get(call.crossing) ?? 0));
  });
  return inOrder(views);
}

/** A call that was seen in flight, maybe several times, and then ended is one call: as it was told last. */
function withoutFormerStates(calls: readonly CallEvent[]): readonly CallEvent[] {
  const key = (call: CallEvent): string => `${edgeOf(call)} ${call.crossing}`;
  const over = new Set(calls.filter((call) => !mayGoOn(call)).map(key));
  const latest = new Map(calls.filter(mayGoOn).map((call) => [key(call), call]));
  return calls.filter((call) => !mayGoOn(call) || (!over.has(key(call)) && latest.get(key(call)) === call));
}

function edgeOf({ from, to }: CallEvent): string {
  return `${from} -> ${to}`;
}

export function inOrder(views: readonly CallView[]): readonly CallView[] {
  return [...views].sort((a, b) => a.startedAt - b.startedAt || a.crossing - b.crossing);
}

function viewCall(call: CallEvent, crossing: number): CallView {
  const { from, to, protocol, method, path, request, response, startedAt, endedAt } = call;
  const seen = {
    crossing,
    from,
    to,
    protocol,
    method,
    path,
    params: call.params,
    result: call.result,
    error: call.error,
    status: response?.status,
    request,
    response,
    turn: call.turn,
    faults: call.faults,
    startedAt,
    endedAt,
    incomplete: call.incomplete,
  };
  return Object.fromEntries(Object.entries(seen).filter(([, value]) => value !== undefined)) as CallView;
}
