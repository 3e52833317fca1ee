/** What the code of a flow fetched by itself, without a step: the taps have seen it. */
import type { AttemptView } from '../../../checks/attempt-view.ts';
import { isStoreCall } from '../../../journal/call-event.ts';
import { outside } from '../../../journal/topology.ts';
import { defined } from '../../../kernel/defined.ts';
import type { Fetched } from '../../../trials/flow/replay-flow.ts';

type View = Pick<AttemptView, 'calls' | 'events' | 'keeperAt'>;

/** `urls` by service. */
export function fetchedIn(view: View, urls: Readonly<Record<string, string>>): readonly Fetched[] {
  const spans = spansOfSteps(view);
  return view.calls.flatMap(({ call }): readonly Fetched[] => {
    const { from, to, path, method, response, startedAt, endedAt, protocol } = call;
    const url = urls[to];
    const middle = (startedAt + endedAt) / 2;
    const isOfStep = spans.some(([begin, end]) => middle >= begin && middle <= end);
    if (from !== outside || url === undefined || !response || isOfStep || isStoreCall(call)) return [];
    const { status, headers, json, text } = response;
    return [
      {
        // A JSON-RPC message is posted, whatever its own method is called.
        method: protocol === 'http' ? method : 'POST',
        url: new URL(path, url).href,
        answer: defined({ status, headers, json, text }),
      },
    ];
  });
}

/** When the runner was waiting for an answer, on the clock of the calls. */
function spansOfSteps({ events, keeperAt }: View): readonly (readonly [begin: number, end: number])[] {
  const began = new Map<string, number>();
  return events.flatMap((event) => {
    if (event.type === 'step.started') began.set(event.step, event.at);
    if (event.type !== 'step.ended') return [];
    return [[keeperAt + (began.get(event.step) ?? event.at), keeperAt + event.at] as const];
  });
}
