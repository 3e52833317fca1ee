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
      return [wait(drawnMs), ...parts, felt('an event', drawnMs)];
    });
  }
  const drawnMs = draw();
  if (of === 'response') {
    return {
      response: (part) =>
        part.is === 'head' ? [wait(drawnMs), part, felt('the response', drawnMs)] : [part],
    };
  }
  return {
    request: (part) => {
      if (part.is === 'head') return [wait(drawnMs), part];
      return part.is === 'end' ? [part, felt('the request', drawnMs)] : [part];
    },
  };
}

function wait(ms: number): Move {
  return { do: 'wait', ms };
}

function felt(what: string, ms: number): Move {
  return { do: 'felt', what: `delayed ${what} by ${Math.round(ms)} ms` };
}
