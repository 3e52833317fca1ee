/** The deed that makes a request, a response or each event of a stream wait before it goes on. */
import type { EditAbout, ExchangeEdit, Move } from '../exchange-edit.ts';
import type { ExchangeDeed } from '../exchange-rule.ts';
import { eachEvent } from './each-event.ts';

type Delay = Extract<ExchangeDeed, { do: 'delay' }>;

/** Events wait one after the other: those that came together leave with that pause between them. */
export function delayEdit({ of, ms, jitterMs = 0 }: Delay, { random }: EditAbout): ExchangeEdit {
  const draw = (): number => ms + random.next() * jitterMs;
  if (of === 'event') {
    return eachEvent((parts) => {
      const drawnMs = draw();
      return [...wait('an event', drawnMs), ...parts];
    });
  }
  const drawnMs = draw();
  if (of === 'response') {
    return {
      response: (part) => (part.is === 'head' ? [...wait('the response', drawnMs), part] : [part]),
    };
  }
  const [felt, waits] = wait('the request', drawnMs);
  return {
    request: (part) => (part.is === 'head' ? [waits, part] : part.is === 'end' ? [part, felt] : [part]),
  };
}

/** Whoever is there when the wait begins feels it, also who gives up before it is over. */
function wait(what: string, ms: number): readonly [felt: Move, waits: Move] {
  return [
    { do: 'felt', what: `delayed ${what} by ${Math.round(ms)} ms` },
    { do: 'wait', ms },
  ];
}
