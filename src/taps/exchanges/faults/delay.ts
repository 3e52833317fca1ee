/** The fault that delays a request, a response or each event of a stream. */
import type { EditAbout, ExchangeEdit, Move } from '../exchange-edit.ts';
import type { ExchangeFault } from '../exchange-rule.ts';
import { eachEvent } from './each-event.ts';

type Delay = Extract<ExchangeFault, { do: 'delay' }>;

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

/** A consumer that is connected when the wait begins has met it, even if it gives up before the end. */
function wait(what: string, ms: number): readonly [felt: Move, waits: Move] {
  return [
    { do: 'felt', what: `delayed ${what} by ${Math.round(ms)} ms` },
    { do: 'wait', ms },
  ];
}
