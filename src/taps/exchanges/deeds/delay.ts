/** The deed that makes a request, a response or each event of a stream wait before it goes on. */
import type { EditAbout, ExchangeEdit, Move, Part, Told } from '../exchange-edit.ts';
import type { ExchangeDeed } from '../exchange-rule.ts';
import { eachEvent } from './each-event.ts';

type Delay = Extract<ExchangeDeed, { do: 'delay' }>;

/** Events wait one after the other: those that came together leave with that pause between them. */
export function delayEdit({ of, ms, jitterMs = 0 }: Delay, { random }: EditAbout): ExchangeEdit {
  const delayed = <P>(what: string, parts: readonly P[]): (P | Move)[] => {
    const drawnMs = ms + random.next() * jitterMs;
    const felt = `delayed ${what} by ${Math.round(drawnMs)} ms`;
    return [{ do: 'wait', ms: drawnMs }, ...parts, { do: 'felt', what: felt }];
  };
  const delayMessage = <Head>(part: Part<Head>): readonly Told<Head>[] =>
    part.is === 'head' ? delayed(`the ${of}`, [part]) : [part];
  if (of === 'event') return eachEvent((parts) => delayed('an event', parts));
  return of === 'request' ? { request: delayMessage } : { response: delayMessage };
}
